// Stacks against a brute-force oracle that cuts every span at every column's edges, and against real runs.
#include "ui/timeline/column_stacks.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include "engine/query/spans/span_scan.h"
#include "tests/support/every_span.h"
#include "tests/support/first_of.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"
#include "tests/unit/timeline/random_lane.h"
#include "ui/theme/theme.h"
#include "ui/timeline/stack_pixels.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_painter.h"

namespace warpglass::ui::column_stacks_test {

using Of = ColorTimes::Of;
using Times = std::array<std::int64_t, ColumnStack::kParts>;  // ns, by part

constexpr std::array kKinds = {TrackKind::kGpuStream, TrackKind::kCpuThread, TrackKind::kModule,
                               TrackKind::kApiThread};

std::shared_ptr<const Snapshot> laneOf(const std::vector<SpanRow>& spans, TrackKind kind) {
    return test::snapshotOf(
        {spans}, kind,
        {"nvjet_tst", "flash_fwd_kernel.attn", "copy_kernel", "softmax_kernel", "elementwise"});
}
ColorTimes timesOf(const Snapshot& snapshot) {
    return {snapshot, {TrackKind::kGpuStream, TrackKind::kCpuThread, TrackKind::kModule}};
}

struct Stacked {
    std::vector<TimelineRect> rects;
    std::vector<ColumnStack> stacks;
};
TrackKind kindOf(const Snapshot& snapshot, LaneId lane) {
    return snapshot.track(snapshot.lane(lane).track()).kind;
}
Stacked stack(const Snapshot& snapshot, LaneId lane, const ColumnMap& map, const ColorTimes* times) {
    Stacked made;
    GeometryBuilder builder;
    const TrackKind kind = kindOf(snapshot, lane);
    builder.buildLane(snapshot, snapshot.lane(lane), kind, map, made.rects);
    stackLane(snapshot, snapshot.lane(lane), kind, map, times, builder.families(), made.rects, made.stacks);
    return made;
}

/// Adds a span to each column's time, or takes it away; `colored` lends it its color.
void add(std::vector<Times>& columns, const Snapshot& snapshot, const SpanRow& span, const SpanRow& colored,
         TrackKind kind, const ColumnMap& map, std::int64_t sign = 1) {
    if (span.end() <= map.range().begin.value || span.start >= map.range().end.value)
        return;
    const Phase phase = snapshot.place(colored.place).phase;
    const SpanDetail detail = snapshot.detail(colored.detail).value_or(SpanDetail());
    const std::string_view name = snapshot.name(colored.name);
    std::size_t part = 0;
    if (kind == TrackKind::kGpuStream)
        part = static_cast<std::size_t>(
            kernelFamily(name, snapshot.name(detail.fullName), snapshot.name(detail.op), phase));
    else if (kind == TrackKind::kCpuThread)
        part = static_cast<std::size_t>(opFamily(name, phase));
    else if (kind == TrackKind::kModule && name.find(".attn") != std::string_view::npos)
        part = 1 + static_cast<std::size_t>(phase);
    const int first = map.columnOf(std::max(span.start, map.range().begin.value));
    const int last = map.columnOf(std::min(span.end(), map.range().end.value));
    for (int c = first; c <= last; ++c)
        columns[static_cast<std::size_t>(c)][part] +=
            sign * std::max<std::int64_t>(0, std::min(span.end(), map.startLimit(c + 1)) -
                                                 std::max(span.start, map.startLimit(c)));
}

void expectShares(const std::vector<ColumnStack>& stacks, const std::vector<Times>& expected,
                  const ColumnMap& map) {
    for (const ColumnStack& column : stacks) {
        ASSERT_EQ(column.x1, column.x0 + 1);
        const auto c = static_cast<std::size_t>(column.x0);
        const auto wide = static_cast<double>(
            std::max<std::int64_t>(1, map.startLimit(column.x1) - map.startLimit(column.x0)));
        for (std::size_t part = 0; part < ColumnStack::kParts; ++part)
            ASSERT_NEAR(column.share[part], static_cast<double>(expected[c][part]) / wide, 1e-6)
                << "column " << c << ", part " << part;
    }
}

void check(const std::vector<SpanRow>& spans, const Snapshot& snapshot, const ColorTimes* times,
           const ColumnMap& map) {
    const Stacked made = stack(snapshot, LaneId(0), map, times);
    std::vector<Times> expected(static_cast<std::size_t>(map.width()));
    for (const SpanRow& span : spans)
        add(expected, snapshot, span, span, kindOf(snapshot, LaneId(0)), map);
    ASSERT_NO_FATAL_FAILURE(expectShares(made.stacks, expected, map));
    std::vector<int> drawn(expected.size());
    for (const ColumnStack& column : made.stacks) {
        ++drawn[static_cast<std::size_t>(column.x0)];
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
    const auto snapshot = laneOf(spans, kKinds[GetParam() % kKinds.size()]);
    const ColorTimes times = timesOf(*snapshot);
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

INSTANTIATE_TEST_SUITE_P(Sizes, ColumnStackOracle,
                         testing::Values(1, 63, 64, 65, 1000, 4096, 9002, 9003, 70'000, 70'001));

TEST(ColumnStacks, AreExactWithoutTheMipMapToo) {
    std::mt19937_64 random(4);
    const std::vector<SpanRow> spans = test::randomSpans(random, 20'000);
    for (const TrackKind kind : kKinds) {
        const auto snapshot = laneOf(spans, kind);
        check(spans, *snapshot, nullptr, ColumnMap(snapshot->range(), 700));
    }
}

/// A thread's spans by lane, each within one of the lane above, and where that one is.
struct Nested {
    std::vector<std::vector<SpanRow>> lanes;
    std::vector<std::vector<std::size_t>> parents;

    explicit Nested(std::mt19937_64& random, std::size_t outer) {
        lanes.push_back(test::randomSpans(random, outer));
        parents.emplace_back();
        for (SpanRow& span : lanes[0])
            span.self = span.duration;
        for (std::size_t depth = 1; depth < 5; ++depth) {
            lanes.emplace_back();
            parents.emplace_back();
            for (std::size_t i = 0; i < lanes[depth - 1].size(); ++i)
                fill(random, depth, i);
        }
    }

private:
    void fill(std::mt19937_64& random, std::size_t depth, std::size_t parent) {
        SpanRow& around = lanes[depth - 1][parent];
        const auto upTo = [&](std::int64_t most) {
            return most <= 0 ? 0 : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
        };
        const std::int64_t children = upTo(random() % 50 == 0 ? 300 : 3);
        std::int64_t time = around.start;
        for (std::int64_t i = 0; i < children && time < around.end(); ++i) {
            SpanRow span = around;
            span.start = time + upTo((around.end() - time) / (2 * children));
            span.duration = upTo(std::min(around.end() - span.start, 2 * around.duration / children));
            span.self = span.duration;
            span.name = NameId(random() % 5);
            around.self -= span.duration;
            time = span.end();
            lanes[depth].push_back(span);
            parents[depth].push_back(parent);
        }
    }
};

std::vector<ColumnStack> strip(const Snapshot& snapshot, const ColumnMap& map, const ColorTimes* times) {
    std::vector<ColumnStack> stacks;
    OpFamilyCache families;
    stackStrip(snapshot, snapshot.lanesOf(TrackId(0)), snapshot.track(TrackId(0)).kind, map, times, families,
               stacks);
    return stacks;
}

TEST(ColumnStacks, AStripIsTheSelfTimeWithinTheColumnAtEveryZoom) {
    std::mt19937_64 random(11);
    for (const std::size_t outer : {1u, 70u, 3000u, 70'000u}) {
        const Nested nested(random, outer);
        const auto snapshot = test::snapshotOf(nested.lanes);
        const ColorTimes times = timesOf(*snapshot);
        const std::int64_t end = snapshot->range().end.value;
        for (int round = 0; round < 16; ++round) {
            const std::int64_t length = std::max<std::int64_t>(1, end >> (round * 2));
            const auto begin =
                round == 0 ? 0 : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
            const ColumnMap map({Nanoseconds(begin), Nanoseconds(begin + length)}, round % 2 == 0 ? 37 : 900);
            SCOPED_TRACE(testing::Message() << outer << ": " << begin << " + " << length);
            std::vector<Times> expected(static_cast<std::size_t>(map.width()));
            for (std::size_t depth = 0; depth < nested.lanes.size(); ++depth) {
                for (std::size_t i = 0; i < nested.lanes[depth].size(); ++i) {
                    const SpanRow& span = nested.lanes[depth][i];
                    add(expected, *snapshot, span, span, TrackKind::kCpuThread, map);
                    if (depth > 0)
                        add(expected, *snapshot, span, nested.lanes[depth - 1][nested.parents[depth][i]],
                            TrackKind::kCpuThread, map, -1);
                }
            }
            const std::vector<ColumnStack> stacks = strip(*snapshot, map, nullptr);
            ASSERT_NO_FATAL_FAILURE(expectShares(stacks, expected, map));
            // By blocks no time is lost, and none is further away than the next column.
            std::array<double, ColumnStack::kParts> exact{}, drawn{};
            std::size_t next = 0;
            const std::vector<ColumnStack> byBlocks = strip(*snapshot, map, &times);
            for (std::size_t c = 0; c < expected.size(); ++c) {
                const bool isThere = next < byBlocks.size() && byBlocks[next].x0 == static_cast<int>(c);
                const auto wide = static_cast<double>(std::max<std::int64_t>(
                    1, map.startLimit(static_cast<int>(c) + 1) - map.startLimit(static_cast<int>(c))));
                for (std::size_t part = 0; part < exact.size(); ++part) {
                    exact[part] += static_cast<double>(expected[c][part]) / wide;
                    drawn[part] += isThere ? byBlocks[next].share[part] : 0;
                    ASSERT_NEAR(drawn[part], exact[part], c + 1 < expected.size() ? 2 : 0.1) << c;
                }
                next += isThere;
            }
            const auto busy = std::ranges::count_if(expected, [](const Times& column) {
                return std::ranges::any_of(column, [](std::int64_t time) { return time > 0; });
            });
            ASSERT_EQ(std::ssize(stacks), busy) << "and every column in which anything ran is there";
        }
    }
}

TEST(ColumnStacks, AStripOfARunThatGoesOnHasWhatIsUnfinishedAndNothingTwice) {
    const auto snapshot = test::traceOf(
        "op aten::mm 0-400 | op aten::add 100-200\nop aten::mm 500- | op aten::copy_ 600-900\nend 1000");
    const std::vector<ColumnStack> stacks =
        strip(*snapshot, ColumnMap({Nanoseconds(0), Nanoseconds(1000)}, 10), nullptr);
    std::map<OpFamily, double> columns;
    for (const ColumnStack& stack : stacks) {
        for (std::size_t part = 0; part < kOpFamilyCount; ++part)
            columns[static_cast<OpFamily>(part)] += stack.share[part];
    }
    EXPECT_NEAR(columns[OpFamily::kMatmul], 3 + 2, 1e-5);
    EXPECT_NEAR(columns[OpFamily::kElementwise], 1, 1e-5);
    EXPECT_NEAR(columns[OpFamily::kCopy], 3, 1e-5);
    EXPECT_EQ(stacks.size(), 9u) << "the thread is idle in the fifth";
}

TEST(ColumnStacks, AStripOfKernelsThatRunAtOnceIsFullAndNoFuller) {
    const auto snapshot = test::snapshotOf(
        {{{0, 100, 100, NameId(0), PlaceId(0), 0, 0}}, {{50, 50, 50, NameId(2), PlaceId(0), 0, 0}}},
        TrackKind::kGpuStream, {"nvjet_tst", "x", "copy_kernel"});
    const std::vector<ColumnStack> stacks =
        strip(*snapshot, ColumnMap({Nanoseconds(0), Nanoseconds(200)}, 4), nullptr);
    ASSERT_EQ(stacks.size(), 2u);
    EXPECT_FLOAT_EQ(stacks[0].share[static_cast<std::size_t>(OpFamily::kMatmul)], 1);
    EXPECT_FLOAT_EQ(stacks[1].share[static_cast<std::size_t>(OpFamily::kMatmul)], 0.5F);
    EXPECT_FLOAT_EQ(stacks[1].share[static_cast<std::size_t>(OpFamily::kCopy)], 0.5F);
}

TEST(ColumnStacks, AnExtendedMipMapIsThatOfTheWholeRun) {
    TraceWriter writer;
    const NameId name = writer.internName("aten::mm");
    const TrackId track = writer.addTrack(TrackKind::kCpuThread, "main");
    ColorTimes times;
    std::int64_t time = 0;
    for (const std::uint32_t rows : {10u, 64u, 5000u, 70'000u, 1u}) {
        for (std::uint32_t i = 0; i < rows; ++i, time += 10)
            writer.appendSpan(track, 0, {time, static_cast<std::int64_t>(i % 10), i % 7, name, {}, 0, 0});
        writer.commit(Nanoseconds(0));
        const auto snapshot = writer.feed()->latest();
        times = ColorTimes(*snapshot, {TrackKind::kCpuThread}, &times);
        const ColorTimes whole(*snapshot, {TrackKind::kCpuThread});
        for (std::size_t c = 0; c < snapshot->lane(LaneId(0)).chunkCount(); ++c) {
            const ColorTimes::Chunk &grown = *times.chunk(LaneId(0), c), &made = *whole.chunk(LaneId(0), c);
            ASSERT_EQ(grown.rows(), made.rows());
            for (const Of of : {Of::kSpans, Of::kSelf}) {
                for (std::uint32_t i = 0; i < made.rows() / kBlockRows; ++i)
                    ASSERT_TRUE(std::equal(made.block(i, of), made.block(i, of) + kOpFamilyCount,
                                           grown.block(i, of)));
                for (std::uint32_t i = 0; i < made.rows() / kSuperBlockRows; ++i)
                    ASSERT_TRUE(std::equal(made.superBlock(i, of), made.superBlock(i, of) + kOpFamilyCount,
                                           grown.superBlock(i, of)));
            }
        }
    }
}

TEST(ColumnStacks, NonsenseGivesSharesWithinOne) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        std::mt19937_64 random(seed);
        const auto snapshot = test::scrambledSnapshot(random, 3000 + seed * 30'000);
        const ColorTimes times = timesOf(*snapshot);
        const ColumnMap map(snapshot->range(), 500);
        for (const auto& stacks :
             {stack(*snapshot, LaneId(0), map, &times).stacks, strip(*snapshot, map, &times)}) {
            for (const ColumnStack& column : stacks) {
                const float sum = std::accumulate(column.share.begin(), column.share.end(), 0.0F);
                ASSERT_GE(*std::min_element(column.share.begin(), column.share.end()), 0);
                ASSERT_LE(sum, 1.0001F);
            }
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

/// The first row that is asked for as it is painted at a pixel ratio, and which logical columns show a color
/// in it.
class PaintedRow {
public:
    PaintedRow(std::shared_ptr<const Snapshot> snapshot, TimeRange view, int width, bool unfolded,
               const std::function<bool(const TimelineRow&)>& isAsked)
        : m_snapshot(std::move(snapshot)), m_rows(*m_snapshot), m_view(view), m_width(width) {
        if (unfolded) {
            RowArrangement arrangement;
            for (const std::string& key : m_rows.keys())
                arrangement.setFolded(key, false);
            m_rows = TimelineRows(*m_snapshot, arrangement);
        }
        auto times = std::make_shared<TimelineGeometry::GpuTimes>();
        times->kernels = timesOf(*m_snapshot);
        times->busy.push_back(std::make_shared<const GpuBusy>(*m_snapshot));
        m_times = times;
        m_hostTimes = std::make_shared<const ColorTimes>(timesOf(*m_snapshot));
        for (std::size_t i = 0; i < m_rows.rows().size(); ++i) {
            const TimelineRow& row = m_rows.rows()[i];
            if (!row.gpu && !m_row && isAsked(row))
                m_row = i;
        }
    }
    static PaintedRow stream(std::shared_ptr<const Snapshot> snapshot, TimeRange view, int width) {
        return {std::move(snapshot), view, width, false,
                [](const TimelineRow& row) { return row.kind == TrackKind::kGpuStream; }};
    }
    const SpanLane lane() const { return m_snapshot->lane(m_rows.rows()[m_row.value()].lane); }

    std::vector<bool> shows(OpFamily family, double scale) const {
        return shows(Theme::instance().familyColor(family), scale);
    }
    std::vector<bool> shows(const QColor& color, double scale) const {
        TimelineGeometry geometry;
        const int columns = static_cast<int>(std::lround(m_width * scale));
        geometry.update(m_snapshot, m_rows.rows(), m_view, columns, scale);
        geometry.setGpuTimes(m_times);
        geometry.setHostTimes(m_hostTimes);
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
                if (image.pixel(x, y) == color.rgb())
                    found[static_cast<std::size_t>(x / scale)] = true;
            }
        }
        return found;
    }
    /// How many columns show the color, and how many of them do not at twice the ratio.
    std::pair<int, int> shownAndLost(const QColor& color) const {
        const std::vector<bool> once = shows(color, 1), twice = shows(color, 2);
        std::pair<int, int> counts;
        for (std::size_t c = 0; c < once.size(); ++c) {
            counts.first += once[c];
            counts.second += once[c] && !twice[c];
        }
        return counts;
    }

private:
    std::shared_ptr<const Snapshot> m_snapshot;
    TimelineRows m_rows;
    TimeRange m_view;
    int m_width;
    std::optional<std::size_t> m_row;
    std::shared_ptr<const TimelineGeometry::GpuTimes> m_times;
    std::shared_ptr<const ColorTimes> m_hostTimes;
};

// A stripe is a run of neighboring logical columns in which any pixel has attention's color. The model has
// 48 blocks, so 48 forward passes of attention and 48 backward ones, each with time between it and the next.
TEST(ColumnStacks, AttentionsStripesAreThoseOfTheTraceAtEveryPixelRatio) {
    const auto snapshot = test::openSampleRun("xl-bf16-step");
    ASSERT_TRUE(snapshot);
    const std::int32_t step = averagedSteps(*snapshot)[0].step;
    const auto spans = test::spansOfKind(*snapshot, TrackKind::kGpuPhase);
    for (const Phase name : {Phase::kForward, Phase::kBackward}) {
        const SpanRow& span = test::firstOf(spans, [&](const test::FoundSpan& one) {
                                  return one.row.step == step && snapshot->place(one.row.place).phase == name;
                              }).row;
        const TimeRange phase{Nanoseconds(span.start), Nanoseconds(span.end())};
        const PaintedRow stream = PaintedRow::stream(snapshot, phase, 600);
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

// On the whole step, where a column holds several spans, too: a color is seen wherever it has a pixel's
// share, and in the same columns at both ratios.
TEST(ColumnStacks, ShowTheSameColorsInTheSameColumnsAtBothRatios) {
    const auto snapshot = test::openSampleRun("xl-bf16-step");
    ASSERT_TRUE(snapshot);
    const Theme& theme = Theme::instance();
    const QColor matmul = theme.familyColor(OpFamily::kMatmul), copy = theme.familyColor(OpFamily::kCopy);
    const auto kernels = [](const TimelineRow& row) { return row.kind == TrackKind::kGpuStream; };
    const auto ops = [](const TimelineRow& row) { return row.kind == TrackKind::kCpuThread; };
    const auto deepOps = [](const TimelineRow& row) {
        return row.kind == TrackKind::kCpuThread && row.depth == 4;
    };
    const auto parts = [](const TimelineRow& row) {
        return row.kind == TrackKind::kModule && row.depth == 2;
    };
    struct Case {
        bool unfolded;
        std::function<bool(const TimelineRow&)> row;
        std::vector<QColor> colors;
    };
    for (const Case& of :
         {Case{false,
               kernels,
               {theme.familyColor(OpFamily::kAttention), theme.familyColor(OpFamily::kElementwise), matmul}},
          Case{false, ops, {matmul, copy}}, Case{true, deepOps, {copy}},
          Case{true, parts, {theme.phaseColor(Phase::kForward)}}}) {
        const PaintedRow row(snapshot, averagedSteps(*snapshot)[0].range, 634, of.unfolded, of.row);
        for (const QColor& color : of.colors) {
            const auto [shown, lost] = row.shownAndLost(color);
            EXPECT_GT(shown, 40) << color.name().toStdString();
            // A share of half a pixel may round away on either.
            EXPECT_LE(lost, shown / 40) << color.name().toStdString();
        }
    }
}

TEST(ColumnStacks, ABusyLaneAddsUpToTheQuery) {
    for (const char* name : {"small-bf16-flash", "small-bf16-graph", "xl-bf16-step"}) {
        const auto snapshot = test::openSampleRun(name);
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

}  // namespace warpglass::ui::column_stacks_test
