// The columns of a sweep's cells: their order for scripts, people and the window, and values of its axes.
#include "engine/sweep/sweep_columns.h"

#include <gmock/gmock.h>

#include "engine/sweep/grid.h"
#include "engine/tables/report.h"

namespace warpglass::test::sweep_columns_test {

using testing::ElementsAre;

Sweep sweepOf(std::vector<SweepAxis> axes) {
    Sweep sweep;
    sweep.plan.axes = std::move(axes);
    sweep.cells = cellsOf(sweep.plan);
    return sweep;
}

template <class Columns>
std::vector<std::string> keysOf(const Columns& columns) {
    std::vector<std::string> keys;
    for (const auto* column : columns)
        keys.push_back(column->key);
    return keys;
}

TEST(SweepColumns, HaveTheFiguresWhereScriptsPeopleAndTheWindowLookForThem) {
    Sweep sweep = sweepOf({{"context", {"128", "1024"}}});
    sweep.cells[1].figures = {{"step_mean_ns", 2e6}, {"peak_bytes", 5}};
    const auto table = sweepColumns(sweep, {"step_mean_ns", "mfu_measured", "peak_bytes"});
    EXPECT_THAT(keysOf(inReport(table.columns, false)),
                ElementsAre("cell", "context", "repeat", "state", "took_ns", "started", "message", "run_file",
                            "memory_snapshot", "step_mean_ns", "mfu_measured", "peak_bytes"));
    EXPECT_THAT(keysOf(inReport(table.columns, true)),
                ElementsAre("cell", "context", "state", "took_ns", "step_mean_ns", "peak_bytes", "message"));
    EXPECT_THAT(keysOf(table.inWindow()),
                ElementsAre("cell", "context", "state", "step_mean_ns", "peak_bytes", "took_ns", "message"));
    sweep.plan.repeats = 2;
    sweep.cells[0].memorySnapshot = "kept/0.pickle";
    const auto more = sweepColumns(sweep, {"step_mean_ns"});
    EXPECT_THAT(keysOf(inReport(more.columns, true)),
                ElementsAre("cell", "context", "repeat", "state", "took_ns", "step_mean_ns",
                            "memory_snapshot", "message"));
    EXPECT_THAT(keysOf(more.inWindow()), ElementsAre("cell", "context", "repeat", "state", "step_mean_ns",
                                                     "took_ns", "memory_snapshot", "message"));
}

TEST(SweepColumns, ReadAnAxisInTheWordsOfItsSettingAndFileItAsItIsWritten) {
    struct Case {
        const char *key, *value;
        Cell plain;
        const char* text;
    };
    for (const Case& each : {Case{"context", "1024", std::int64_t{1024}, "1,024"},
                             {"execution", "graph", std::string("graph"), "CUDA graph"},
                             {"seed", "12345", std::int64_t{12345}, "12345"},
                             {"memory-limit", "1073741824", std::int64_t{1073741824}, "1.00\u202FGiB"},
                             {"of-a-newer-version", "x", std::string("x"), "x"}}) {
        SCOPED_TRACE(each.key);
        SweepCell cell;
        cell.values = {0};
        SweepPlan plan;
        plan.axes = {{each.key, {each.value}}};
        const auto columns = axisColumns(plan);
        EXPECT_EQ(columns.front().value(cell, {}), each.plain);
        EXPECT_EQ(textOf(columns.front(), cell, {}), each.text);
        cell.values.clear();  // of a damaged file
        EXPECT_EQ(textOf(columns.front(), cell, {}), "–");
    }
}

}  // namespace warpglass::test::sweep_columns_test
