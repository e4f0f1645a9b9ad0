// Sweeps whose cells run a shell script in place of warpglass-cli: it writes a sample run's file, hangs,
// crashes or fails, as the cell's settings tell it to.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/sweep/sweep_file.h"
#include "engine/sweep/sweep_run.h"
#include "tests/support/must.h"
#include "tests/support/sample_sweep.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test {

struct ScriptedSweep : ::testing::Test {
    /// `cases`: what it does, by "$context" and "$attention", with "$output" and "$snapshot". Every start
    /// leaves its arguments in `log`.
    std::filesystem::path script(const std::string& cases) {
        const std::filesystem::path path = folder / "program.sh";
        std::ofstream(path) << "#!/bin/sh\necho \"$@\" >> '" << (folder / "log").string() << R"('
while [ $# -gt 0 ]; do
  case "$1" in
    --output) output="$2";;
    --memory-snapshot) snapshot="$2";;
    --context) context="$2";;
    --attention) attention="$2";;
  esac
  shift
done
sample() { cp ')" << WARPGLASS_SAMPLE_RUNS
                            << "'/$1.wgrun \"$output\"; }\n"
                            << cases << "\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path;
    }
    std::vector<std::string> log() const {
        std::ifstream in(folder / "log");
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);)
            lines.push_back(line);
        return lines;
    }
    std::unique_ptr<SweepRun> start(const SweepPlan& plan, const std::filesystem::path& program) {
        return SweepRun::start(must(SweepFile::create(folder / "a.wgsweep", plan)), {program});
    }
    /// Goes on with the sweep to its end.
    std::unique_ptr<SweepRun> resume(SweepRunOptions options) {
        auto run = SweepRun::start(must(SweepFile::resume(folder / "a.wgsweep")), std::move(options));
        run->wait();
        return run;
    }
    Sweep runToEnd(const SweepPlan& plan, const std::filesystem::path& program) {
        const auto run = start(plan, program);
        run->wait();
        EXPECT_EQ(run->error(), "");
        const auto read = must(openSweep(folder / "a.wgsweep"));
        EXPECT_EQ(run->sweep()->information, read.information);
        for (std::size_t i = 0; i < read.cells.size(); ++i) {
            EXPECT_EQ(run->sweep()->cells[i].state, read.cells[i].state);
            EXPECT_EQ(run->sweep()->cells[i].figures, read.cells[i].figures);
        }
        return read;
    }
    static SweepPlan contexts(std::int64_t count, std::int64_t repeats = 1) {
        SweepPlan plan = smallPlan(count, repeats);
        plan.axes.pop_back();
        return plan;
    }
    bool comesTrue(const std::function<bool()>& condition) const {
        for (int i = 0; i < 3000; ++i) {
            if (condition())
                return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }

    const TemporaryFolder folder;
};

}  // namespace warpglass::test
