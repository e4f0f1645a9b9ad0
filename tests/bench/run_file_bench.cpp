// The store and the run file at 10 million spans and 1 million memory events (design.md, section 8).
//
// Build with -DCMAKE_BUILD_TYPE=Release -DWARPGLASS_BENCHMARKS=ON and run, from the build folder,
//     bin/warpglass_bench --benchmark_filter=RunFile
// Bars: append >= 10 M spans/s; open < 1 s; <= 24 bytes an event on disk. Files go to TMPDIR.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"

namespace warpglass {
namespace {

constexpr std::uint64_t kSpans = 10'000'000;
constexpr std::uint32_t kLanes = 8;
constexpr std::uint64_t kMemoryEvents = 1'000'000;

const std::shared_ptr<const Snapshot>& manySpans() {
    static const auto run = test::makeManySpans(kSpans, kLanes);
    return run;
}

const std::shared_ptr<const Snapshot>& manyMemoryEvents() {
    static const auto run = test::makeManyMemoryEvents(kMemoryEvents);
    return run;
}

const test::TemporaryFolder& folder() {
    static const test::TemporaryFolder instance;
    return instance;
}

/// Saved once; the benchmarks that read share it.
std::filesystem::path savedFile(const std::string& name, const Snapshot& run) {
    const std::filesystem::path path = folder() / name;
    if (!std::filesystem::exists(path) && !saveRun(run, path))
        return {};
    return path;
}

/// Saves a run of so many events again and again.
void save(benchmark::State& state, const Snapshot& run, std::uint64_t events) {
    const std::filesystem::path path = folder() / "save.wgrun";
    for (auto _ : state) {
        if (!saveRun(run, path))
            state.SkipWithError("not saved");
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(events) * state.iterations());
    state.counters["bytes_per_event"] =
        static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(events);
    std::filesystem::remove(path);
}

// The writer alone: rows are prepared beforehand, so that making them up costs nothing here.
void RunFileAppendSpans(benchmark::State& state) {
    constexpr std::size_t kRows = 1 << 20;
    std::vector<SpanRow> rows(kRows);
    manySpans()->lane(LaneId(0)).forEachChunk(
        0, kRows, [&](const SpanChunk& chunk, std::uint32_t from, std::uint32_t to, std::uint64_t first) {
            for (std::uint32_t i = from; i < to; ++i)
                rows[first + i] = chunk.row(i);
        });
    for (auto _ : state) {
        state.PauseTiming();
        auto writer = std::make_unique<TraceWriter>();
        state.ResumeTiming();
        const TrackId track = writer->addTrack(TrackKind::kCpuThread, "main");
        for (std::uint64_t i = 0; i < kSpans; ++i) {
            const std::uint32_t depth = static_cast<std::uint32_t>(i / kRows);
            writer->appendSpan(track, depth, rows[i % kRows]);
        }
        writer->commit(Nanoseconds(0));
        state.PauseTiming();
        writer.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(kSpans) * state.iterations());
}
BENCHMARK(RunFileAppendSpans)->Unit(benchmark::kMillisecond);

void RunFileSaveSpans(benchmark::State& state) {
    save(state, *manySpans(), kSpans);
}
BENCHMARK(RunFileSaveSpans)->Unit(benchmark::kMillisecond)->MinTime(0.1);

void RunFileOpenSpans(benchmark::State& state) {
    const auto path = savedFile("spans.wgrun", *manySpans());
    for (auto _ : state) {
        const auto opened = openRun(path);
        if (!opened || opened->snapshot->spanCount() != kSpans)
            state.SkipWithError("not opened");
    }
}
BENCHMARK(RunFileOpenSpans)->Unit(benchmark::kMillisecond);

// What the first look at everything costs, every chunk loaded and decoded.
void RunFileFirstFullRead(benchmark::State& state) {
    const auto path = savedFile("spans.wgrun", *manySpans());
    for (auto _ : state) {
        const auto opened = openRun(path);
        std::int64_t busy = 0;
        for (std::size_t i = 0; opened && i < opened->snapshot->laneCount(); ++i) {
            const SpanLane lane = opened->snapshot->lane(LaneId(i));
            lane.forEachChunk(
                0, lane.rows(),
                [&](const SpanChunk& chunk, std::uint32_t from, std::uint32_t to, std::uint64_t) {
                    for (std::uint32_t row = from; row < to; ++row)
                        busy += chunk.self[row];
                });
        }
        if (busy == 0)
            state.SkipWithError("nothing read");
        benchmark::DoNotOptimize(busy);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(kSpans) * state.iterations());
}
BENCHMARK(RunFileFirstFullRead)->Unit(benchmark::kMillisecond);

// A look at one moment of a run just opened: one chunk a lane.
void RunFileOpenAndZoomIn(benchmark::State& state) {
    const auto path = savedFile("spans.wgrun", *manySpans());
    for (auto _ : state) {
        const auto opened = openRun(path);
        std::uint64_t found = 0;
        for (std::size_t i = 0; opened && i < opened->snapshot->laneCount(); ++i)
            found += opened->snapshot->lane(LaneId(i)).firstEndingAfter(
                Nanoseconds(opened->snapshot->range().end.value / 2));
        benchmark::DoNotOptimize(found);
    }
}
BENCHMARK(RunFileOpenAndZoomIn)->Unit(benchmark::kMillisecond);

void RunFileSaveMemoryEvents(benchmark::State& state) {
    save(state, *manyMemoryEvents(), kMemoryEvents);
}
BENCHMARK(RunFileSaveMemoryEvents)->Unit(benchmark::kMillisecond);

void RunFileOpenAndReadMemoryEvents(benchmark::State& state) {
    const auto path = savedFile("memory.wgrun", *manyMemoryEvents());
    for (auto _ : state) {
        const auto opened = openRun(path);
        std::int64_t bytes = 0;
        for (std::uint64_t i = 0; opened && i < opened->snapshot->memoryEventCount(); ++i) {
            const auto event = opened->snapshot->memoryEvent(i);
            bytes += opened->snapshot->allocation(event->allocation)->bytes;
        }
        benchmark::DoNotOptimize(bytes);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(kMemoryEvents) * state.iterations());
}
BENCHMARK(RunFileOpenAndReadMemoryEvents)->Unit(benchmark::kMillisecond);

// One write of a run that goes on: 100,000 new spans and what was partial.
void RunFileLiveWrite(benchmark::State& state) {
    TraceWriter trace;
    const std::filesystem::path path = folder() / "live.wgrun";
    auto writer = RunFileWriter::create(path);
    std::uint64_t seed = 1;
    for (auto _ : state) {
        state.PauseTiming();
        test::appendManySpans(trace, 100000, kLanes, ++seed);
        state.ResumeTiming();
        if (!writer || !(*writer)->write(*trace.feed()->latest()))
            state.SkipWithError("not written");
    }
    state.SetItemsProcessed(100000 * state.iterations());
}
BENCHMARK(RunFileLiveWrite)->Unit(benchmark::kMillisecond)->Iterations(50);

}  // namespace
}  // namespace warpglass
