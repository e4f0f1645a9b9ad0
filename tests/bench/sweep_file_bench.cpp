// A sweep of ten thousand cells with thirty figures each.
//
// Build with -DCMAKE_BUILD_TYPE=Release -DWARPGLASS_BENCHMARKS=ON and run, from the build folder,
//     bin/warpglass_bench --benchmark_filter=Sweep
// Bars: open < 0.5 s; a finished cell written, synchronously, in a small part of the 2 s that a sweep may add
// to it. Files go to the temporary folder (TMPDIR).
#include <benchmark/benchmark.h>

#include <filesystem>
#include <random>

#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_file.h"
#include "tests/support/sample_sweep.h"
#include "tests/support/temporary_folder.h"

namespace warpglass {
namespace {

constexpr std::int64_t kContexts = 500, kRepeats = 10;

const test::TemporaryFolder& sweepFolder() {
    static const test::TemporaryFolder instance;
    return instance;
}

/// Written once, cell by cell as a sweep does.
const std::filesystem::path& largeSweep() {
    static const std::filesystem::path path = [] {
        std::filesystem::path made = sweepFolder() / "large.wgsweep";
        const SweepPlan plan = test::smallPlan(kContexts, kRepeats);
        auto file = SweepFile::create(made, plan);
        std::mt19937_64 random(1);
        for (const SweepCell& cell : cellsOf(plan)) {
            if (!file || !(*file)->finishCell(test::doneCell(cell, random, 30)))
                return std::filesystem::path();
        }
        return made;
    }();
    return path;
}

void SweepFileOpen(benchmark::State& state) {
    const std::filesystem::path& path = largeSweep();
    for ([[maybe_unused]] auto _ : state) {
        const auto sweep = openSweep(path);
        if (!sweep || sweep->count(CellState::kWaiting) != 0) {
            state.SkipWithError("the sweep cannot be read");
            break;
        }
        state.counters["cells"] = static_cast<double>(sweep->cells.size());
    }
}
BENCHMARK(SweepFileOpen)->Unit(benchmark::kMillisecond);

void SweepFileFinishCell(benchmark::State& state) {
    std::filesystem::remove(sweepFolder() / "one.wgsweep");
    auto file = SweepFile::create(sweepFolder() / "one.wgsweep", test::smallPlan(kContexts, kRepeats));
    std::mt19937_64 random(2);
    std::size_t next = 0;
    for ([[maybe_unused]] auto _ : state) {
        const std::size_t cells = (*file)->sweep().cells.size();
        if (!(*file)->finishCell(test::doneCell((*file)->sweep().cells[next++ % cells], random, 30))) {
            state.SkipWithError("the cell cannot be written");
            break;
        }
    }
}
BENCHMARK(SweepFileFinishCell)->Unit(benchmark::kMillisecond);

void SweepGridAMillionCells(benchmark::State& state) {
    const SweepPlan plan = test::smallPlan(1000, 500);
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(cellsOf(plan).size());
        benchmark::DoNotOptimize(runOrder(plan).size());
    }
}
BENCHMARK(SweepGridAMillionCells)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpglass
