// What one frame's geometry costs at any zoom: 10 million spans in 1, 10 and 50 lanes over 1,600 columns. The
// bar is 4 ms. And what the window does with it: a frame drawn, and a repaint that only moves the cursor.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/synthetic_trace.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {
namespace {

constexpr std::uint64_t kSpans = 10'000'000;
constexpr int kColumns = 1600;

/// Lanes that are three quarters idle, as a launch-bound stream is: the gaps decide which columns are
/// covered, so summaries help least.
std::shared_ptr<const Snapshot> makeSparseSpans(std::uint64_t count, std::uint32_t lanes,
                                                TrackKind kind = TrackKind::kCpuThread) {
    TraceWriter writer;
    const TrackId track = writer.addTrack(kind, kind == TrackKind::kCpuThread ? "main" : "GPU 0 · stream 7");
    const NameId names[] = {writer.internName("aten::mm"), writer.internName("aten::add"),
                            writer.internName("aten::copy_")};
    const PlaceId place = writer.internPlace({Phase::kForward, writer.internName("blocks.0"), {}});
    std::vector<std::int64_t> ends(lanes, 0);
    std::uint64_t random = 7;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto lane = static_cast<std::uint32_t>(i % lanes);
        const std::uint64_t r = test::nextRandom(random);
        SpanRow row;
        row.start = ends[lane] + static_cast<std::int64_t>(r % 30'000);
        row.duration = static_cast<std::int64_t>(1'000 + (r >> 32) % 8'000);
        row.name = names[(r >> 60) % 3];
        row.place = place;
        ends[lane] = row.end();
        writer.appendSpan(track, lane, row);
    }
    writer.commit(Nanoseconds(0));
    return writer.feed()->latest();
}

/// One at a time: 10 M spans take 0.5 GB.
std::shared_ptr<const Snapshot> manySpans(std::uint32_t lanes, bool sparse) {
    static std::shared_ptr<const Snapshot> kept;
    static std::pair<std::uint32_t, bool> keptKind{0, false};
    if (keptKind != std::pair(lanes, sparse)) {
        kept.reset();
        kept = sparse ? makeSparseSpans(kSpans, lanes) : test::makeManySpans(kSpans, lanes);
        keptKind = {lanes, sparse};
    }
    return kept;
}

/// Builds the frames of a view that pans through the run at one zoom; `zoom` is the binary logarithm of run
/// over view. A nanosecond more every other frame, so that the whole run is built afresh too.
template <class Times>
void buildPanning(benchmark::State& state, TimelineGeometry& geometry,
                  const std::shared_ptr<const Snapshot>& snapshot, const std::vector<TimelineRow>& rows,
                  Times setTimes) {
    const std::int64_t width = snapshot->range().duration().value >> state.range(0);
    const std::int64_t room = snapshot->range().duration().value - width;
    std::int64_t frame = 0;
    for (auto _ : state) {
        const Nanoseconds begin(room / 97 * (frame % 97));
        geometry.update(snapshot, rows, {begin, begin + Nanoseconds(width + frame % 2)}, kColumns);
        setTimes(geometry);
        geometry.build(0, rows.size());
        ++frame;
    }
}

/// Geometry of a whole frame, from nothing. With all lanes as rows (0), or folded to a strip (1).
void BM_FrameGeometry(benchmark::State& state) {
    const auto lanes = static_cast<std::uint32_t>(state.range(1));
    const auto snapshot = manySpans(lanes, state.range(2) != 0);
    RowArrangement arrangement;
    arrangement.setFolded(TimelineRows(*snapshot).keys().back(), state.range(3) != 0);
    const TimelineRows rows(*snapshot, arrangement);
    const auto times =
        std::make_shared<const ColorTimes>(*snapshot, std::initializer_list{TrackKind::kCpuThread});
    TimelineGeometry geometry;
    buildPanning(state, geometry, snapshot, rows.rows(),
                 [&](TimelineGeometry& built) { built.setHostTimes(times); });
    std::size_t rectangles = 0;
    for (std::size_t row = 0; row < rows.rows().size(); ++row)
        rectangles += geometry.rects(row).size();
    state.counters["rects"] = static_cast<double>(rectangles);
}
BENCHMARK(BM_FrameGeometry)
    ->ArgNames({"zoom", "lanes", "sparse", "strip"})
    ->ArgsProduct({benchmark::CreateDenseRange(0, 20, 1), {1, 10, 50}, {0, 1}, {0, 1}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// One stream of kernels, launch-bound (0), and the same with a Busy lane over it (1). The bar is the
/// frame's.
void BM_FrameStacks(benchmark::State& state) {
    constexpr std::uint64_t kKernels = 2'000'000;
    static const std::shared_ptr<const Snapshot> snapshot =
        makeSparseSpans(kKernels, 1, TrackKind::kGpuStream);
    static const auto times = [] {
        auto made = std::make_shared<TimelineGeometry::GpuTimes>();
        made->kernels = ColorTimes(*snapshot, {TrackKind::kGpuStream});
        made->busy.push_back(std::make_shared<const GpuBusy>(*snapshot));
        return made;
    }();
    std::vector<TimelineRow> rows = TimelineRows(*snapshot).rows();
    std::erase_if(rows, [&](const TimelineRow& row) { return row.gpu && state.range(1) == 0; });
    TimelineGeometry geometry;
    buildPanning(state, geometry, snapshot, rows, [&](TimelineGeometry& built) { built.setGpuTimes(times); });
}
BENCHMARK(BM_FrameStacks)
    ->ArgNames({"zoom", "busy"})
    ->ArgsProduct({benchmark::CreateDenseRange(0, 16, 4), {0, 1}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// The widget as the window has it: 1,600 × 1,000 with 50 lanes, of which it shows some 55 rows.
class PaintedView {
public:
    PaintedView() : m_view(&m_document, &m_axis) {
        m_view.resize(1600, 1000);
        m_document.setSnapshot(manySpans(50, true));
    }
    TimeAxis& axis() { return m_axis; }
    void paint() { m_view.render(&m_image); }

private:
    RunDocument m_document;
    TimeAxis m_axis;
    TimelineView m_view;
    QImage m_image{1600, 1000, QImage::Format_RGB32};
};

/// A frame of panning, drawn: geometry, rectangles, text. The bar is 16 ms.
void BM_PaintPanning(benchmark::State& state) {
    PaintedView view;
    const TimeRange full = view.axis().fullRange();
    const std::int64_t width = full.duration().value >> state.range(0);
    view.axis().setVisibleRange({full.begin, full.begin + Nanoseconds(width)}, false);
    std::int64_t step = width / 40;
    for (auto _ : state) {
        const TimeRange before = view.axis().visibleRange();
        view.axis().panBy(Nanoseconds(step));
        if (view.axis().visibleRange() == before) {
            step = -step;
            view.axis().panBy(Nanoseconds(step));
        }
        view.paint();
    }
}
BENCHMARK(BM_PaintPanning)
    ->ArgName("zoom")
    ->DenseRange(1, 13, 2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// A repaint in which only the cursor moved.
void BM_PaintCursor(benchmark::State& state) {
    PaintedView view;
    view.paint();
    std::int64_t frame = 0;
    for (auto _ : state) {
        view.axis().setCursor(Nanoseconds(1'000'000 * (++frame % 100)));
        view.paint();
    }
}
BENCHMARK(BM_PaintCursor)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpglass::ui

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    warpglass::ui::Theme::instance().apply(application);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
