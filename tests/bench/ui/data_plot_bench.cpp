// A chart of a sweep with 10,000 cells, drawn at 1,280 × 720: lines, bars and heat map. The bar is 50 ms.
#include <benchmark/benchmark.h>

#include "engine/sweep/sweep_chart.h"
#include "tests/support/made_sweep.h"
#include "ui/charts/data_chart.h"
#include "ui/controls/refresh.h"

namespace warpglass::ui {
namespace {

void drawChart(benchmark::State& state) {
    const Sweep sweep = test::largeSweep(100, 100);
    SweepView view = usualView(sweep);
    view.kind = static_cast<ChartKind>(state.range(0));
    DataChart chart;
    for (auto _ : state) {
        chart.setChart(sweepChart(sweep, view));
        benchmark::DoNotOptimize(renderWidget(chart, {1280, 720}, 1));
    }
    static constexpr const char* kNames[] = {"lines", "bars", "heat map"};
    state.SetLabel(kNames[state.range(0)]);
}
BENCHMARK(drawChart)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpglass::ui
