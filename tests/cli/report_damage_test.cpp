// `report` of a damaged run, and where its figures cannot be written.
#include <gmock/gmock.h>

#include <filesystem>

#include "engine/session/save_run.h"
#include "tests/cli/program.h"
#include "tests/support/run_damage.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::report_damage_test {

using testing::EndsWith;
using testing::HasSubstr;
namespace fs = std::filesystem;

TEST(CliReportDamage, IsSaidAsOtherCommandsSayIt) {
    const TemporaryFolder folder;
    const std::string run = (folder / "damaged.wgrun").string();
    ASSERT_TRUE(saveRun(*makeSyntheticRun({}), run));
    alterRun(run, "UPDATE chunks SET data=zeroblob(9) WHERE kind=0 AND lane=(SELECT max(lane) FROM chunks)");
    const Outcome outcome =
        runProgram({"report", run, "--without", "figures", "--output", (folder / "r.html").string()});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.err, HasSubstr(run + ": Damaged, and so lost: "));
    EXPECT_THAT(outcome.err, HasSubstr(run + ": The report does not include what is lost.\n"));
    EXPECT_THAT(outcome.err, EndsWith("The report is in " + (folder / "r.html").string() + ".\n"));
}

TEST(CliReportDamage, FiguresThatCannotBeWrittenFailTheReport) {
    const TemporaryFolder folder;
    const std::string run = (folder / "run.wgrun").string(), file = (folder / "r.md").string();
    const fs::path figures = folder / "r-figures";
    ASSERT_TRUE(saveRun(*makeSyntheticRun({}), run));
    writeContent(figures, "no folder");
    const auto expectRefused = [&](const std::string& why) {
        const Outcome outcome = runProgram({"report", run, "--output", file});
        EXPECT_EQ(outcome.status, 1);
        EXPECT_EQ(outcome.err,
                  "warpglass-cli: Cannot write the figures into " + figures.string() + ": " + why + "\n");
        EXPECT_FALSE(fs::exists(file));
    };
    expectRefused("it is not a folder.");
    fs::remove(figures);
    fs::create_directories(figures / "figure-timeline.svg");
    expectRefused("figure-timeline.svg in it is a folder.");
    // Without figures nothing of it is asked for.
    EXPECT_EQ(runProgram({"report", run, "--without", "figures", "--output", file}).status, 0);
}

}  // namespace warpglass::test::report_damage_test
