// The chart of memory over a synthetic run, its plot 500 pixels wide.
#pragma once

#include <gtest/gtest.h>

#include <QImage>
#include <algorithm>
#include <memory>

#include "tests/support/gestures.h"
#include "tests/support/synthetic_trace.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_legend.h"
#include "ui/memory/memory_plot.h"

namespace warpglass::ui {

inline constexpr QSize kSize(600, 240);

struct MemoryChartTest : testing::Test {
    MemoryChartTest() : run(test::makeSyntheticRun()), chart(document, axis) {
        chart.setLabelWidth(100);
        chart.resize(kSize);
    }
    void open() {
        document.setSnapshot(run);
        axis.setFullRange(run->range());
    }
    QImage image() { return renderWidget(chart, kSize, 1); }
    /// In the plot's own coordinates.
    QPoint at(Nanoseconds t) { return {static_cast<int>(chart.plot().xOf(t)), 100}; }
    bool legendHas(const QString& name) const {
        const auto entries = chart.legend().entries();
        return std::ranges::count(entries, name, &LegendEntry::name) > 0;
    }

    std::shared_ptr<const Snapshot> run;
    RunDocument document;
    TimeAxis axis;
    MemoryChart chart;
};

}  // namespace warpglass::ui
