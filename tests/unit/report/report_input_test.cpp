// What inputs of one name are called.
#include "engine/report/report_input.h"

#include <gtest/gtest.h>

#include <set>

namespace warpglass::test::report_input_test {

std::vector<std::string> namesOf(const std::vector<std::string>& paths) {
    std::vector<ReportInput> inputs;
    for (const std::string& path : paths)
        inputs.push_back({path, {}, ReportSweep{}});
    nameApart(inputs);
    std::vector<std::string> names;
    for (const ReportInput& input : inputs)
        names.push_back(input.name);
    return names;
}

TEST(ReportInput, IsCalledByAsMuchOfItsPathAsTellsItApart) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(namesOf({"a/run.wgrun", "other.wgsweep"}), (Names{"run", "other"}));
    EXPECT_EQ(namesOf({"a/run.wgrun", "b/run.wgrun", "c/other.wgrun"}), (Names{"a/run", "b/run", "other"}));
    EXPECT_EQ(namesOf({"x/a/run.wgrun", "y/a/run.wgrun"}), (Names{"x/a/run", "y/a/run"}));
    EXPECT_EQ(namesOf({"attention/", "b/attention"}), (Names{"attention", "b/attention"}));
    // A folder keeps its full stop, a file of another kind its ending.
    EXPECT_EQ(namesOf({"v1.2/", "run.txt"}), (Names{"v1.2", "run.txt"}));
}

TEST(ReportInput, NoTwoHaveOneName) {
    for (const std::vector<std::string>& paths :
         {std::vector<std::string>{"run.wgrun", "run.wgrun", "run.wgrun"},
          {"", "", "/"},
          {"a/b", "b", "b"}}) {
        const std::vector<std::string> names = namesOf(paths);
        EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    }
}

}  // namespace warpglass::test::report_input_test
