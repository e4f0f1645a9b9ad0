// Stacks against a brute-force oracle that cuts every span at every column's edges, and against real runs.
#include "ui/timeline/column_stacks.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <filesystem>
#include <numeric>
#include <random>

#include "engine/query/spans/span_scan.h"
#include "tests/support/sample_run.h"
#include "tests/unit/timeline/random_lane.h"
#include "ui/theme/theme.h"
#include "ui/timeline/stack_pixels.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_painter.h"

namespace warpglass::ui {
namespace {

using Times = FamilyTimes::Times;

std::shared_ptr<const Snapshot> streamOf(const std::vector<SpanRow>& spans) {
    return test::snapshotOf(
        {spans}, TrackKind::kGpuStream,
        {"nvjet_tst", "flash_fwd_kernel", "copy_kernel", "softmax_kernel", "elementwise"});
}

struct Stacked {
    std::vector<TimelineRect> rects;
    std::vector<ColumnStack> stacks;
};
Stacked stack(const Snapshot& snapshot, LaneId lane, const ColumnMap& map, const FamilyTimes* times) {
    Stacked made;
    GeometryBuilder builder;
    builder.buildLane(snapshot, snapshot.lane(lane), TrackKind::kGpuStream, map, made.rects);
    stackLane(snapshot, snapshot.lane(lane), TrackKind::kGpuStream, map, times, builder.families(),
              made.rects, made.stacks);
    return made;
}

/// Each column's time by family, span by span.
std::vector<Times> oracle(const Snapshot& snapshot, const std::vector<SpanRow>& spans, const ColumnMap& map) {
    std::vector<Times> columns(static_cast<std::size_t>(map.width()));
    for (const SpanRow& span : spans) {
        if (span.end() <= map.range().begin.value || span.start >= map.range().end.value)
            continue;
        const SpanDetail detail = snapshot.detail(span.detail).value_or(SpanDetail());
        const auto family = static_cast<std::size_t>(
            kernelFamily(snapshot.name(span.name), snapshot.name(detail.fullName), snapshot.name(detail.op),
                         snapshot.place(span.place).phase));
        const int first = map.columnOf(std::max(span.start, map.range().begin.value));
        const int last = map.columnOf(std::min(span.end(), map.range().end.value));
        for (int c = first; c <= last; ++c)
            columns[static_cast<std::size_t>(c)][family] += std::max<std::int64_t>(
                0, std::min(span.end(), map.startLimit(c + 1)) - std::max(span.start, map.startLimit(c)));
    }
    return columns;
}

void check(const std::vector<SpanRow>& spans, const Snapshot& snapshot, const FamilyTimes* times,
           const ColumnMap& map) {
    const Stacked made = stack(snapshot, LaneId(0), map, times);
    const std::vector<Times> expected = oracle(snapshot, spans, map);
    std::vector<int> drawn(expected.size());
    for (const ColumnStack& column : made.stacks) {
        ASSERT_EQ(column.x1, column.x0 + 1);
        const auto c = static_cast<std::size_t>(column.x0);
        ++drawn[c];
        const auto wide = static_cast<double>(
            std::max<std::int64_t>(1, map.startLimit(column.x1) - map.startLimit(column.x0)));
        for (std::size_t family = 0; family < kOpFamilyCount; ++family)
            ASSERT_NEAR(column.share[family], static_cast<double>(expected[c][family]) / wide, 1e-6)
                << "column " << c << ", " << kOpFamilyNames[family];
        ASSERT_TRUE(made.rects[column.rect].stacked);
        ASSERT_GE(column.x0, made.rects[column.rect].x0);
        ASSERT_LT(column.x0, made.rects[column.rect].x1);
    }
    // Every column in which anything ran is drawn once: as a stack, or by a span that stands alone.
    for (const TimelineRect& rect : made.rects) {
        ASSERT_FALSE(rect.merged() && !rect.stacked);
        for (int c = rect.x0; c < rect.x1 && !rect.stacked; ++c)
            ++drawn[static_cast<std::size_t>(c)];
    }
    for (std::size_t c = 0; c < expected.size(); ++c) {
        const bool ran = std::accumulate(expected[c].begin(), expected[c].end(), std::int64_t{0}) > 0;
        ASSERT_LE(drawn[c], 1) << "column " << c;
        ASSERT_TRUE(!ran || drawn[c] == 1) << "column " << c;
    }
}

class ColumnStackOracle : public testing::TestWithParam<std::size_t> {};

TEST_P(ColumnStackOracle, SharesAreExactlyTheTimeWithinTheColumn) {
    std::mt19937_64 random(GetParam());
    const std::vector<SpanRow> spans = test::randomSpans(random, GetParam());
    const auto snapshot = streamOf(spans);
    const FamilyTimes times(*snapshot);
    const std::int64_t end = spans.back().end() + 1;
    for (int round = 0; round < 40; ++round) {
        const std::int64_t length = std::max<std::int64_t>(1, end >> (random() % 30));
        const auto begin = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
        const TimeRange view = round == 0 ? TimeRange{Nanoseconds(0), Nanoseconds(end)}
                                          : TimeRange{Nanoseconds(begin), Nanoseconds(begin + length)};
        for (const int width : {1, 37, 640, 1600}) {
            SCOPED_TRACE(testing::Message()
                         << view.begin.value << " + " << view.duration().value << ", " << width);
            ASSERT_NO_FATAL_FAILURE(check(spans, *snapshot, &times, ColumnMap(view, width)));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ColumnStackOracle, testing::Values(1, 63, 64, 65, 1000, 4096, 9000, 70'000));

TEST(ColumnStacks, AreExactWithoutTheMipMapToo) {
    std::mt19937_64 random(4);
    const std::vector<SpanRow> spans = test::randomSpans(random, 20'000);
    const auto snapshot = streamOf(spans);
    check(spans, *snapshot, nullptr, ColumnMap(snapshot->range(), 700));
}

TEST(ColumnStacks, AnExtendedMipMapIsThatOfTheWholeRun) {
    TraceWriter writer;
    const NameId name = writer.internName("nvjet_tst");
    const TrackId track = writer.addTrack(TrackKind::kGpuStream, "GPU 0 · stream 7");
    FamilyTimes times;
    std::int64_t time = 0;
    for (const std::uint32_t rows : {10u, 64u, 5000u, 70'000u, 1u}) {
        for (std::uint32_t i = 0; i < rows; ++i, time += 10)
            writer.appendSpan(track, 0, {time, static_cast<std::int64_t>(i % 10), 0, name, {}, 0, 0});
        writer.commit(Nanoseconds(0));
        const auto snapshot = writer.feed()->latest();
        times = FamilyTimes(*snapshot, &times);
        const FamilyTimes whole(*snapshot);
        for (std::size_t c = 0; c < snapshot->lane(LaneId(0)).chunkCount(); ++c) {
            ASSERT_EQ(times.chunk(LaneId(0), c)->rows, whole.chunk(LaneId(0), c)->rows);
            ASSERT_EQ(times.chunk(LaneId(0), c)->blocks, whole.chunk(LaneId(0), c)->blocks);
            ASSERT_EQ(times.chunk(LaneId(0), c)->superBlocks, whole.chunk(LaneId(0), c)->superBlocks);
        }
    }
}

TEST(ColumnStacks, NonsenseGivesSharesWithinOne) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        std::mt19937_64 random(seed);
        const auto snapshot = test::scrambledSnapshot(random, 3000 + seed * 30'000);
        const FamilyTimes times(*snapshot);
        const Stacked made = stack(*snapshot, LaneId(0), ColumnMap(snapshot->range(), 500), &times);
        for (const ColumnStack& column : made.stacks) {
            const float sum = std::accumulate(column.share.begin(), column.share.end(), 0.0F);
            ASSERT_GE(*std::min_element(column.share.begin(), column.share.end()), 0);
            ASSERT_LE(sum, 1.0001F);
        }
    }
}

/// How many runs of neighboring columns show some of the family.
int stripes(const std::vector<bool>& shows) {
    int count = 0;
    for (std::size_t i = 0; i < shows.size(); ++i)
        count += shows[i] && (i == 0 || !shows[i - 1]);
    return count;
}

/// The main stream's row as it is painted at a pixel ratio, and which logical columns show a family in it.
class PaintedStream {
public:
    PaintedStream(std::shared_ptr<const Snapshot> snapshot, TimeRange view, int width)
        : m_snapshot(std::move(snapshot)), m_rows(*m_snapshot), m_view(view), m_width(width) {
        auto times = std::make_shared<TimelineGeometry::GpuTimes>();
        times->families = FamilyTimes(*m_snapshot);
        times->busy.push_back(std::make_shared<const GpuBusy>(*m_snapshot));
        m_times = times;
        for (std::size_t i = 0; i < m_rows.rows().size(); ++i) {
            const TimelineRow& row = m_rows.rows()[i];
            if (row.kind == TrackKind::kGpuStream && !row.gpu && !m_row)
                m_row = i;
        }
    }
    const SpanLane lane() const { return m_snapshot->lane(m_rows.rows()[*m_row].lane); }

    std::vector<bool> shows(OpFamily family, double scale) const {
        TimelineGeometry geometry;
        const int columns = static_cast<int>(std::lround(m_width * scale));
        geometry.update(m_snapshot, m_rows.rows(), m_view, columns, scale);
        geometry.setGpuTimes(m_times);
        const TimelineRow& row = m_rows.rows()[*m_row];
        QImage image(columns, static_cast<int>(row.height * scale), QImage::Format_RGB32);
        image.fill(Theme::instance().colors().background);
        TimelinePainter rows;
        FilterShade shade;
        const auto paint = [&](QImage& on, StackPixels* pixels) {
            QPainter painter(&on);
            rows.paintRows(painter, pixels, geometry, *m_row, *m_row + 1, scale, row.top, shade);
        };
        QImage byPainter = image.copy();
        paint(byPainter, nullptr);
        StackPixels pixels(image);
        paint(image, &pixels);
        EXPECT_EQ(image, byPainter) << "written into the image it is what the painter draws";
        std::vector<bool> found(static_cast<std::size_t>(m_width));
        for (int x = 0; x < image.width(); ++x) {
            for (int y = 0; y < image.height(); ++y) {
                if (image.pixel(x, y) == Theme::instance().familyColor(family).rgb())
                    found[static_cast<std::size_t>(x / scale)] = true;
            }
        }
        return found;
    }

private:
    std::shared_ptr<const Snapshot> m_snapshot;
    TimelineRows m_rows;
    TimeRange m_view;
    int m_width;
    std::optional<std::size_t> m_row;
    std::shared_ptr<const TimelineGeometry::GpuTimes> m_times;
};

// A stripe is a run of neighboring logical columns in which any pixel has attention's color. The model has
// 48 blocks, so 48 forward passes of attention and 48 backward ones, each with time between it and the next.
TEST(ColumnStacks, AttentionsStripesAreThoseOfTheTraceAtEveryPixelRatio) {
    const auto snapshot = warpglass::test::openSampleRun("xl-bf16-step");
    ASSERT_TRUE(snapshot);
    std::optional<TimeRange> forward, backward;
    for (const TrackId track : snapshot->tracksOfKind(TrackKind::kGpuPhase)) {
        for (const SpanLane& lane : snapshot->lanesOf(track)) {
            for (std::uint64_t i = 0; i < lane.rows(); ++i) {
                const SpanRow row = *lane.row(i);
                const TimeRange range{Nanoseconds(row.start), Nanoseconds(row.end())};
                if (row.step == averagedSteps(*snapshot)[0].step) {
                    if (snapshot->place(row.place).phase == Phase::kForward)
                        forward = range;
                    if (snapshot->place(row.place).phase == Phase::kBackward)
                        backward = range;
                }
            }
        }
    }
    ASSERT_TRUE(forward && backward);
    for (const TimeRange& phase : {*forward, *backward}) {
        const PaintedStream stream(snapshot, phase, 600);
        // In truth: a column shows attention where an attention kernel runs in it for as much as a pixel's
        // height at the lower resolution.
        std::uint64_t kernels = 0;
        for (std::uint64_t i = 0; i < stream.lane().rows(); ++i) {
            const SpanRow row = *stream.lane().row(i);
            kernels +=
                phase.contains(Nanoseconds(row.start)) &&
                opFamily(snapshot->name(row.name), snapshot->place(row.place).phase) == OpFamily::kAttention;
        }
        ASSERT_GE(kernels, 48u);
        for (const double scale : {1.0, 1.5, 2.0})
            EXPECT_EQ(stripes(stream.shows(OpFamily::kAttention, scale)), 48) << scale;
    }
}

// On the whole step, where a column holds several kernels, too: elementwise work is seen wherever it has a
// pixel's share, and in the same columns at both ratios.
TEST(ColumnStacks, ShowTheSameFamiliesInTheSameColumnsAtBothRatios) {
    const auto snapshot = warpglass::test::openSampleRun("xl-bf16-step");
    ASSERT_TRUE(snapshot);
    const TimeRange step = averagedSteps(*snapshot)[0].range;
    const PaintedStream stream(snapshot, step, 634);
    for (const OpFamily family : {OpFamily::kAttention, OpFamily::kElementwise, OpFamily::kMatmul}) {
        const std::vector<bool> once = stream.shows(family, 1), twice = stream.shows(family, 2);
        int shown = 0, different = 0;
        for (std::size_t c = 0; c < once.size(); ++c) {
            shown += once[c];
            different += once[c] && !twice[c];
        }
        EXPECT_GT(shown, 48);
        // A share of half a pixel may round away on either.
        EXPECT_LE(different, shown / 50);
    }
}

TEST(ColumnStacks, ABusyLaneAddsUpToTheQuery) {
    for (const char* name : {"small-bf16-flash", "small-bf16-graph", "xl-bf16-step"}) {
        const auto snapshot = warpglass::test::openSampleRun(name);
        ASSERT_TRUE(snapshot);
        const GpuBusy busy(*snapshot);
        const GpuTimeUse use = gpuTimeUse(*snapshot);
        GpuBusy::Times times{};
        double drawn = 0, busyDrawn = 0;
        for (const StepSpan& step : averagedSteps(*snapshot)) {
            const GpuBusy::Times ofStep = busy.timesIn(step.range.begin.value, step.range.end.value);
            for (std::size_t part = 0; part < times.size(); ++part)
                times[part] += ofStep[part];
            std::vector<ColumnStack> stacks;
            const ColumnMap map(step.range, 700);
            stackBusy(busy, map, stacks);
            ASSERT_EQ(stacks.size(), 700u);
            for (const ColumnStack& stack : stacks) {
                const auto wide = static_cast<double>(map.startLimit(stack.x1) - map.startLimit(stack.x0));
                busyDrawn += static_cast<double>(stack.share[0]) * wide;
                drawn +=
                    static_cast<double>(std::accumulate(stack.share.begin(), stack.share.end(), 0.0F)) * wide;
            }
        }
        EXPECT_EQ(times[0], use.busy.value) << name;
        for (std::size_t cause = 0; cause < kIdleCauseNames.size(); ++cause)
            EXPECT_EQ(times[1 + cause], use.idle[cause].value) << name << " " << kIdleCauseNames[cause];
        EXPECT_EQ(times.back(), 0) << name;
        const auto wall = static_cast<double>(use.wall.value);
        EXPECT_NEAR(drawn / wall, 1, 1e-5) << name;
        EXPECT_NEAR(busyDrawn / wall, static_cast<double>(use.busy.value) / wall, 1e-5) << name;
    }
}

TEST(StackPixels, FillsWhatLiesInTheImageUnderItsTopAndNothingElse) {
    QImage image(7, 9, QImage::Format_RGB32);
    image.fill(Qt::white);
    StackPixels pixels(image);
    pixels.setTop(2);
    pixels.fill({-3, 0, 5, 4}, qRgb(1, 2, 3));
    pixels.fill({5, 7, 9, 9}, qRgb(4, 5, 6));
    pixels.fill({20, 3, 2, 2}, qRgb(7, 8, 9));
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QRgb expected = x < 2 && y >= 2 && y < 4 ? qRgb(1, 2, 3)
                                  : x >= 5 && y >= 7       ? qRgb(4, 5, 6)
                                                           : qRgb(255, 255, 255);
            EXPECT_EQ(image.pixel(x, y), expected) << x << ' ' << y;
        }
    }
}

}  // namespace
}  // namespace warpglass::ui
