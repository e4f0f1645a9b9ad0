// The table of statistics in the files that are written of runs.
#include "engine/session/save_run.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/query/statistics/statistics.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::save_run_test {

void expectStatisticsOf(const Snapshot& run, const std::filesystem::path& path) {
    const std::vector<StatisticsRow> expected = opStatistics(run, {.measuredOnly = true});
    ASSERT_FALSE(expected.empty());
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    sqlite3_stmt* row = nullptr;
    ASSERT_EQ(
        sqlite3_prepare_v2(database,
                           "SELECT name,family,time_share,total_ns,self_share,self_ns,instances,average_ns,"
                           "median_ns,min_ns,max_ns,stddev_ns FROM statistics ORDER BY id",
                           -1, &row, nullptr),
        SQLITE_OK);
    const auto text = [&](int column) {
        return std::string(reinterpret_cast<const char*>(sqlite3_column_text(row, column)));
    };
    for (const StatisticsRow& op : expected) {
        SCOPED_TRACE(op.name);
        ASSERT_EQ(sqlite3_step(row), SQLITE_ROW);
        EXPECT_EQ(text(0), op.name);
        EXPECT_EQ(text(1), kOpFamilyNames[static_cast<std::size_t>(op.family)]);
        EXPECT_EQ(sqlite3_column_double(row, 2), op.timeShare);
        EXPECT_EQ(sqlite3_column_int64(row, 3), op.total.value);
        EXPECT_EQ(sqlite3_column_double(row, 4), op.selfShare);
        EXPECT_EQ(sqlite3_column_int64(row, 5), op.self.value);
        EXPECT_EQ(sqlite3_column_int64(row, 6), op.instances);
        EXPECT_EQ(sqlite3_column_double(row, 7), op.average);
        EXPECT_EQ(sqlite3_column_double(row, 8), op.median);
        EXPECT_EQ(sqlite3_column_int64(row, 9), op.min.value);
        EXPECT_EQ(sqlite3_column_int64(row, 10), op.max.value);
        EXPECT_EQ(sqlite3_column_type(row, 11) != SQLITE_NULL, op.spread().has_value());
        EXPECT_EQ(sqlite3_column_double(row, 11), op.spread().value_or(0));
    }
    EXPECT_EQ(sqlite3_step(row), SQLITE_DONE);
    sqlite3_finalize(row);
    sqlite3_close(database);
}

TEST(SaveRun, AFileHasTheStatisticsOfTheMeasuredOps) {
    TemporaryFolder folder;
    const auto run = makeSyntheticRun();
    ASSERT_TRUE(saveRun(*run, folder / "saved.wgrun"));
    expectStatisticsOf(*run, folder / "saved.wgrun");

    auto writer = RunFileWriter::create(folder / "recorded.wgrun");
    ASSERT_TRUE(writer) << writer.message();
    ASSERT_TRUE((*writer)->write(*run));
    ASSERT_TRUE(finishRun(**writer, *run));
    expectStatisticsOf(*run, folder / "recorded.wgrun");
}

}  // namespace warpglass::test::save_run_test
