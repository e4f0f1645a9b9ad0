// That columns agree in every table of every sample run: no share is above 1, and what is of one step is.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/sample_run.h"

namespace warpglass::test::shares_test {

std::vector<std::string> sampleRuns() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(WARPGLASS_SAMPLE_RUNS)) {
        if (entry.path().extension() == ".wgrun")
            paths.push_back(entry.path().string());
    }
    return paths;
}

/// The file's name without what a test's name cannot have.
std::string nameOf(const testing::TestParamInfo<std::string>& sample) {
    std::string name = std::filesystem::path(sample.param).stem().string();
    std::ranges::replace(name, '-', '_');
    return name;
}

/// The rows of all tables that a command prints; null where it had nothing to print.
json rowsPrinted(const Arguments& arguments) {
    const Outcome outcome = runProgram(with(arguments, {"--format", "json"}));
    json rows = json::array();
    if (outcome.status != 0)
        return rows;  // as stats of a range that the run does not have
    const json printed = json::parse(outcome.out);
    for (const json& table : printed.is_array() ? printed : json::array({printed})) {
        for (const json& row : table["rows"])
            rows.push_back(row);
    }
    return rows;
}

class TablesOfASample : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Samples, TablesOfASample, testing::ValuesIn(sampleRuns()), nameOf);

TEST_P(TablesOfASample, HaveNoShareAboveOne) {
    const std::vector<std::string> kinds =
        words("ops kernels copies ranges phases gpu layers attention memory allocations segments");
    std::size_t shares = 0;
    const std::string& path = GetParam();
    std::vector<Arguments> commands = {{"info", path}, {"findings", path}};
    for (const std::string& kind : kinds) {
        commands.push_back({"stats", kind, path});
        for (const char* range : {"forward", "backward", "step 2", "blocks.*.attn", "blocks.3"})
            commands.push_back({"stats", kind, path, "--range", range});
        if (kind == "ops" || kind == "kernels" || kind == "copies" || kind == "ranges" || kind == "phases")
            commands.push_back({"stats", kind, path, "--all"});
    }
    for (const Arguments& command : commands) {
        for (const json& row : rowsPrinted(command)) {
            for (const auto& [key, value] : row.items()) {
                if (!key.ends_with("share") || !value.is_number())
                    continue;
                ++shares;
                EXPECT_LE(value.get<double>(), 1 + 1e-9) << testing::PrintToString(command) << " " << row;
                EXPECT_GE(value.get<double>(), 0) << testing::PrintToString(command) << " " << row;
            }
        }
    }
    EXPECT_GT(shares, 100u);
}

TEST(TablesOfSamples, LayersSayInEveryFormThatTheySplitAdamWAndTheNorms) {
    for (const auto& [name, norms] : {std::pair("small-bf16-fused", true), {"small-bf16-flash", false}}) {
        for (const char* format : {"table", "markdown", "latex"}) {
            const std::string text =
                runProgram({"stats", "layers", sampleRunPath(name).string(), "--format", format}).out;
            EXPECT_THAT(text, testing::HasSubstr("time is split over the modules")) << name << " " << format;
            EXPECT_EQ(text.find("between the norm and the blocks") != text.npos, norms)
                << name << " " << format;
        }
    }
}

TEST(TablesOfSamples, LayersHoldTheTimeOfAllKernelsAndOfTheUpdateAmongThem) {
    for (const auto& [name, norms] : {std::pair("small-bf16-fused", true), {"small-bf16-flash", false}}) {
        SCOPED_TRACE(name);
        const std::string path = sampleRunPath(name).string();
        const auto number = [](const json& cell) { return cell.is_null() ? 0 : cell.get<double>(); };
        double layers = 0, shared = 0, updates = 0;
        for (const json& row : rowsPrinted({"stats", "layers", path})) {
            layers += number(row["time_ns"]);
            shared += number(row["shared_ns"]);
            updates += row["layer"] == "rest" ? 0 : number(row["optimizer_ns"]);
        }
        double kernels = 0, update = 0;
        for (const char* kind : {"kernels", "copies"}) {
            for (const json& row : rowsPrinted({"stats", kind, path})) {
                const double time = row["total_ns"].get<double>() / 3;
                kernels += time;
                update +=
                    row["name"] == "adamwKernel" || row["name"] == "multi_tensor_apply_kernel" ? time : 0;
            }
        }
        // Each row is rounded.
        EXPECT_NEAR(layers, kernels, 17);
        EXPECT_NEAR(updates, update, 17);
        EXPECT_EQ(shared > update + 100'000, norms);
    }
}

TEST(TablesOfSamples, AutocastsLinearIsCountedOnceACall) {
    const Arguments ops = {"stats", "ops", sampleRunPath("small-bf16-flash").string()};
    for (const Arguments& range : {Arguments{}, Arguments{"--range", "forward"}}) {
        std::vector<json> instances;
        for (const json& row : rowsPrinted(with(ops, range))) {
            if (row["name"] == "aten::linear")
                instances.push_back(row["instances"]);
        }
        // 7 in each of 12 blocks and the head, in 3 steps; their inner ones are part of them.
        EXPECT_THAT(instances, testing::ElementsAre(3 * (7 * 12 + 1)));
    }
}

TEST(TablesOfSamples, KernelsAndOpsSayHowOftenTheyRunInAStep) {
    const auto stats = [](const Arguments& of) {
        return rowsPrinted(with(with({"stats"}, of), {sampleRunPath("small-bf16-naive").string()}));
    };
    // A range that recurs is in each of the three steps; with set-up and warm-up there is no such number.
    for (const Arguments& of :
         {Arguments{"ops"}, Arguments{"kernels"}, Arguments{"kernels", "--range", "forward"},
          Arguments{"kernels", "--range", "blocks.*.attn"}}) {
        const json rows = stats(of);
        ASSERT_FALSE(rows.empty());
        for (const json& row : rows)
            EXPECT_DOUBLE_EQ(row["instances_per_step"].get<double>() * 3, row["instances"].get<double>())
                << row;
    }
    for (const json& row : stats({"kernels", "--range", "forward", "--all"}))
        EXPECT_TRUE(row["instances_per_step"].is_null()) << row;
}

TEST(TablesOfSamples, AttentionsInstancesAreOfOneStepAsItsTimeIs) {
    bool found = false;
    for (const json& row : rowsPrinted({"stats", "attention", sampleRunPath("small-bf16-naive").string()})) {
        if (row["phase"] != "forward" || row["part"] != "softmax")
            continue;
        found = true;
        EXPECT_EQ(row["instances"].get<double>(), 24) << "the softmax and a conversion in each block";
    }
    EXPECT_TRUE(found);
}

}  // namespace warpglass::test::shares_test
