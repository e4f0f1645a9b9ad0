// Runs in files of a folder, and a made one among them, for tests of what reads run files.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/query/statistics/statistics.h"
#include "engine/session/save_run.h"
#include "tests/cli/program.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test {

struct CliRunFiles : testing::Test {
    std::string save(const Snapshot& run, const std::string& name) {
        const std::string path = (m_folder / name).string();
        const Status saved = saveRun(run, path);
        EXPECT_TRUE(saved) << saved.message();
        return path;
    }

    static std::string printed(const Arguments& arguments) {
        const Outcome outcome = runSoundly(arguments);
        EXPECT_EQ(outcome.err, "");
        return outcome.out;
    }
    static json parsed(const Arguments& arguments) {
        return json::parse(printed(with(arguments, {"--format", "json"})));
    }

    TemporaryFolder m_folder;
};

struct CliSavedRun : CliRunFiles {
    void SetUp() override {
        m_run = makeSyntheticRun();
        m_path = save(*m_run, "a.wgrun");
    }
    static void expectRows(const json& rows, const std::vector<StatisticsRow>& expected) {
        ASSERT_EQ(rows.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(rows[i]["name"], expected[i].name);
            EXPECT_EQ(rows[i]["total_ns"], expected[i].total.value);
            EXPECT_EQ(rows[i]["self_ns"], expected[i].self.value);
            EXPECT_EQ(rows[i]["instances"], expected[i].instances);
            EXPECT_EQ(rows[i]["average_ns"].get<double>(), expected[i].average);
            EXPECT_EQ(rows[i]["median_ns"].get<double>(), expected[i].median);
            EXPECT_EQ(rows[i]["min_ns"], expected[i].min.value);
            EXPECT_EQ(rows[i]["max_ns"], expected[i].max.value);
            EXPECT_EQ(rows[i]["stddev_ns"].get<double>(), expected[i].standardDeviation);
            EXPECT_EQ(rows[i]["time_share"].get<double>(), expected[i].timeShare);
            EXPECT_EQ(rows[i]["self_share"].get<double>(), expected[i].selfShare);
        }
    }

    std::shared_ptr<const Snapshot> m_run;
    std::string m_path;
};

}  // namespace warpglass::test
