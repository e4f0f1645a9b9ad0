// What the timeline shows of the filter, against asking each block by itself, and in pixels.
#include "ui/timeline/filter_shade.h"
#include "tests/support/every_span.h"
#include "tests/support/first_of.h"
#include "tests/support/sample_run.h"

#include <QImage>
#include <algorithm>

#include "engine/query/spans/module_group.h"
#include "tests/unit/timeline/timeline_view_fixture.h"
#include "ui/controls/figure_mode.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/theme/legend.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_painter.h"

namespace warpglass::ui::filter_shade_test {

struct FilterShadeTest : TimelineViewFixture {
    FilterShadeTest() {
        snapshot = test::openSampleRun("small-bf16-naive");
        document.setSnapshot(snapshot);
        view.setFilter(&filter);
        view.resize(1200, 700);
        view.grab();
    }

    /// By the words of filter_shade.h.
    bool expectFaded(const TimelineRow& row, const TimelineRect& rect) const {
        const RunFilter::State& state = filter.state();
        const Place place = snapshot->place(rect.place);
        const std::string module(snapshot->name(place.module)), name(snapshot->name(rect.name));
        const bool phaseFails = state.phase && place.phase != *state.phase;
        const bool moduleFails = !state.module.empty() && !isWithin(module, state.module);
        std::string op;
        if (!rect.merged() && isGpuTrack(row.kind))
            op = describeSpan(*snapshot, {row.lane, rect.row})->op;
        // Each condition by the kernel's name, or by that of the op that launched it.
        const auto hasName = [&](const std::string& text) {
            return state.name.empty() || text == state.name;
        };
        const auto hasText = [&](const std::string& text) {
            return QString::fromStdString(text).contains(state.text, Qt::CaseInsensitive);
        };
        const std::string part(snapshot->name(place.part));
        const bool placed = hasText(part.empty() ? module : module + "/" + part);
        switch (row.kind) {
            case TrackKind::kPhase:
            case TrackKind::kGpuPhase:
                return phaseFails;
            case TrackKind::kModule:
                return phaseFails || (moduleFails && !isWithin(state.module, module));
            case TrackKind::kApiThread:
                return phaseFails || moduleFails;
            case TrackKind::kCpuThread:
                return phaseFails || moduleFails || !hasName(name) || !(hasText(name) || placed);
            case TrackKind::kGpuStream:
            case TrackKind::kGpuCopies:
                return phaseFails || moduleFails ||
                       (!rect.merged() &&
                        (!(hasName(name) || hasName(op)) || !(hasText(name) || hasText(op) || placed)));
            default:
                return false;
        }
    }
    /// Where some tracks have nothing yet.
    void lookAtAStepsBeginning() {
        filter.setSteps(RunFilter::Steps::kAll);
        const SpanRef step =
            test::must(longestSpan(*snapshot, TrackKind::kStep, snapshot->findName("step 1"), {}));
        const TimeRange whole = describeSpan(*snapshot, step)->range();
        axis.setVisibleRange({whole.begin, whole.begin + Nanoseconds(whole.duration().value / 10)});
    }
    /// With rectangles for every lane.
    TimelineRows unfoldedRows() const {
        RowArrangement arrangement;
        for (const std::string& key : view.rows().keys())
            arrangement.setFolded(key, false);
        return TimelineRows(*snapshot, arrangement);
    }
    void compare(const char* what) {
        FilterShade shade(filter, snapshot);
        TimelineGeometry geometry;
        const TimelineRows rows = unfoldedRows();
        const TimeRange whole = snapshot->range();
        int faded = 0, kept = 0;
        for (const int part : {1, 20, 400}) {
            const Nanoseconds middle(whole.end.value * 2 / 3);
            geometry.update(snapshot, rows.rows(),
                            {middle, middle + Nanoseconds(whole.duration().value / 3 / part)}, 1000);
            for (std::size_t row = 0; row < rows.rows().size(); ++row) {
                for (const TimelineRect& rect : geometry.rects(row)) {
                    const bool expected = expectFaded(rows.rows()[row], rect);
                    ASSERT_EQ(shade.fades(rows.rows()[row], rect), expected)
                        << what << ", row " << row << ", " << snapshot->name(rect.name);
                    ASSERT_EQ(shade.fades(rows.rows()[row], rect), expected) << "asked again";
                    ++(expected ? faded : kept);
                }
            }
        }
        EXPECT_GT(faded, 50) << what;
        EXPECT_GT(kept, 10) << what;
    }

    RunFilter filter{document, axis};
};

/// A span drawn as a block of its own.
TimelineRect blockOf(const SpanRow& span, std::uint64_t row) {
    return {.count = 1,
            .firstRow = row,
            .row = row,
            .name = span.name,
            .place = span.place,
            .begin = span.start,
            .end = span.end()};
}

/// Calls fn(row, rect, span) for every kernel, drawn as a block of its own.
template <class Fn>
void forEachKernel(const Snapshot& snapshot, Fn&& fn) {
    const TimelineRows rows(snapshot);
    for (const TimelineRow& row : rows.rows()) {
        if (row.gpu || row.kind != TrackKind::kGpuStream)
            continue;
        const SpanLane lane = snapshot.lane(row.lane);
        for (std::uint64_t r = 0; r < lane.rows(); ++r)
            fn(row, blockOf(*lane.row(r), r), *lane.row(r));
    }
}

TEST_F(FilterShadeTest, FadesWhatPlaceAndNameLeaveOut) {
    filter.setPhase(Phase::kBackward);
    compare("backward");
    filter.setModule("blocks.3.attn");
    compare("and in blocks.3.attn");
    filter.setPhase(std::nullopt);
    compare("blocks.3.attn");
    filter.setModule({});
    filter.setName("aten::mm");
    compare("aten::mm");
    filter.setText("nvjet");
    compare("kernels named nvjet of aten::mm");
    filter.setText({});
    filter.setName({});
    filter.setText("GEMM");
    compare("gemm");
    filter.setText("Blocks.3.attn");
    compare("what lies in blocks.3.attn");
    filter.setText("attn/sc");
    compare("the scores of every attention");
    filter.setText({});
    filter.setSteps(RunFilter::Steps::kAll);
    const FilterShade nothing(filter, snapshot);
    EXPECT_TRUE(nothing.isLike(FilterShade()));
}

TEST_F(FilterShadeTest, AKernelCountsWithItsOpsNameAndATextInItsOwn) {
    filter.setSteps(RunFilter::Steps::kAll);
    filter.setName("aten::mm");
    filter.setText("nvjet");
    FilterShade shade(filter, snapshot);
    int in = 0;
    forEachKernel(*snapshot, [&](const TimelineRow& row, const TimelineRect& rect, const SpanRow& span) {
        const bool counts = describeSpan(*snapshot, {row.lane, rect.row})->op == "aten::mm" &&
                            snapshot->name(span.name).starts_with("nvjet");
        EXPECT_EQ(shade.fades(row, rect), !counts);
        in += counts ? 1 : 0;
    });
    EXPECT_GT(in, 50);
}

TEST_F(FilterShadeTest, OfAPickedModuleTheGpuCountsByPlace) {
    const auto module =
        longestSpan(*snapshot, TrackKind::kModule, snapshot->findName("blocks.3.attn"), {}, 1);
    ASSERT_TRUE(module);
    filter.pick(*module);
    FilterShade shade(filter, snapshot);
    EXPECT_EQ(shade.rangeOf(TrackKind::kCpuThread), describeSpan(*snapshot, *module)->range());
    ASSERT_TRUE(shade.rangeOf(TrackKind::kGpuStream));
    std::uint64_t in = 0;
    forEachKernel(*snapshot, [&](const TimelineRow& row, const TimelineRect& rect, const SpanRow& span) {
        const bool inModule = isWithin(snapshot->name(snapshot->place(span.place).module), "blocks.3.attn");
        EXPECT_EQ(shade.fades(row, rect), !inModule);
        in += !shade.leavesOut(row, rect);
    });
    EXPECT_GT(in, 3u) << "its kernels of that pass, and no others";
    EXPECT_LT(in, 100u);
}

/// The color in the middle of a span's block.
QColor colorAt(const QImage& image, QPoint at) {
    return image.pixelColor(at * image.devicePixelRatio());
}

TEST_F(FilterShadeTest, WhatDoesNotCountIsDrawnInMutedColors) {
    const auto phases = test::spansOfKind(*snapshot, TrackKind::kPhase);
    const auto point = [&](const char* phase, std::int32_t step) {
        const auto& span = test::firstOf(phases, [&](const test::FoundSpan& one) {
            return one.row.step == step && snapshot->name(one.row.name) == phase;
        });
        return middleOf(span.ref) + QPoint(0, 7);
    };
    const QColor background = Theme::instance().colors().background;
    const auto distance = [&](const QColor& color) {
        return std::abs(color.red() - background.red()) + std::abs(color.green() - background.green()) +
               std::abs(color.blue() - background.blue());
    };
    filter.setSteps(RunFilter::Steps::kAll);
    const QImage all = view.grab().toImage();
    const std::int32_t last = 3;
    const int forward = distance(colorAt(all, point("forward", last)));
    const int backward = distance(colorAt(all, point("backward", last)));
    ASSERT_GT(distance(colorAt(all, point("forward", 0))), 30);

    filter.setSteps(RunFilter::Steps::kMeasured);
    const QImage measured = view.grab().toImage();
    EXPECT_EQ(colorAt(measured, point("forward", 0)),
              Theme::instance().muted(colorAt(all, point("forward", 0))));
    EXPECT_EQ(distance(colorAt(measured, point("forward", last))), forward);

    filter.setPhase(Phase::kBackward);
    const QImage inBackward = view.grab().toImage();
    EXPECT_LT(distance(colorAt(inBackward, point("forward", last))), forward / 2);
    EXPECT_EQ(distance(colorAt(inBackward, point("backward", last))), backward);
    filter.back();
    EXPECT_EQ(view.grab().toImage(), measured);
    filter.back();
    EXPECT_EQ(view.grab().toImage(), all);
    const std::uint64_t builds = view.body().geometryBuilds();
    filter.setModule("blocks.3");
    view.grab();
    EXPECT_EQ(view.body().geometryBuilds(), builds) << "no geometry anew for a filter";
}

TEST_F(FilterShadeTest, ASpanIsCutWhereTheTimeThatCountsBeginsAndNothingLiesOverIt) {
    filter.setSteps(RunFilter::Steps::kAll);
    const SpanRef phase =
        test::must(longestSpan(*snapshot, TrackKind::kPhase, snapshot->findName("backward"), {}, 3));
    const TimeRange span = describeSpan(*snapshot, phase)->range();
    axis.setVisibleRange({span.begin - Nanoseconds(span.duration().value / 4), span.end});
    const QImage all = view.grab().toImage();
    const auto colorsAt = [&](const QImage& image, Nanoseconds t) {
        return colorAt(image, {static_cast<int>(pixelOf(t)), middleOf(phase).y() + 7});
    };
    const Nanoseconds quarter(span.duration().value / 4);
    const TimeRange counted{span.begin + quarter, span.end - quarter};
    const Nanoseconds before = span.begin + Nanoseconds(quarter.value / 2),
                      within = counted.begin + Nanoseconds(quarter.value / 2),
                      after = counted.end + Nanoseconds(quarter.value / 2);
    axis.setSelectedRange(counted);
    ASSERT_EQ(filter.extent().host, counted);
    const QImage cut = view.grab().toImage();
    EXPECT_EQ(colorsAt(cut, within), colorsAt(all, within));
    for (const Nanoseconds t : {before, after})
        EXPECT_EQ(colorsAt(cut, t), Theme::instance().muted(colorsAt(all, t))) << t.value;

    const FilterShade shade(filter, snapshot);
    const ColumnMap map(axis.visibleRange(), 1000);
    const KeptX kept = shade.kept(TrackKind::kPhase, map);
    EXPECT_EQ(kept.from, map.columnOf(counted.begin.value));
    EXPECT_EQ(kept.to, map.endColumnOf(counted.end.value));
    // Where no such time is in view nothing is kept, and without such a time all is.
    EXPECT_FALSE(shade.kept(TrackKind::kPhase, ColumnMap({span.end, span.end + quarter}, 100)).contains(50));
    EXPECT_EQ(FilterShade().kept(TrackKind::kPhase, map), KeptX());
}

TEST(TimelinePainterTest, CallsAndWaitsAreSeenOnTheGroundAndMuted) {
    for (const ThemeKind kind : {ThemeKind::kLight, ThemeKind::kDark}) {
        Theme::instance().setKind(kind);
        const QColor ground = Theme::instance().colors().background;
        const QColor fill = TimelinePainter().fill(ColorKey::neutral());
        EXPECT_GE(Theme::contrast(fill, ground), 2.2);
        EXPECT_GE(Theme::contrast(Theme::instance().muted(fill), ground), 1.1);
    }
}

TEST_F(FilterShadeTest, AFigureSaysWhatIsFadedInIt) {
    const auto words = [this] { return FigureMode(view, {900, 400}).words().toStdString(); };
    EXPECT_EQ(words(), "Measured steps (others faded)");
    const TimeRange whole = axis.fullRange();
    axis.setVisibleRange({whole.end - Nanoseconds(whole.duration().value / 10), whole.end});
    filter.setSteps(RunFilter::Steps::kAll);
    EXPECT_EQ(words(), "");
    filter.setPhase(Phase::kBackward);
    filter.setText("gemm");
    EXPECT_EQ(words(), "The whole run, backward, names or modules with “gemm” (others faded)");
}

TEST_F(FilterShadeTest, AFigureLeavesOutTracksThatAreEmptyInItAndSaysSo) {
    lookAtAStepsBeginning();
    const std::vector<TimelineTrack> tracks = view.rows().tracks();
    const RowArrangement arrangement = view.arrangement();
    {
        FigureMode figure(view, {900, 400});
        const std::size_t shown = view.rows().tracks().size();
        const auto leftOut = static_cast<int>(tracks.size() - shown);
        ASSERT_GT(leftOut, 1);
        EXPECT_EQ(figure.words(), QStringLiteral("%1 tracks with nothing here left out").arg(leftOut));
        EXPECT_EQ(view.viewport().hiddenTracks(), 0u) << "its head says it";
    }
    EXPECT_EQ(view.rows().tracks(), tracks);
    EXPECT_EQ(view.arrangement(), arrangement);
    RowArrangement without = arrangement;
    without.setLeftOut({tracks.front().key});
    view.setArrangement(without);
    {
        FigureMode figure(view, {900, 400});
        EXPECT_EQ(view.viewport().hiddenTracks(), 1u) << "of which the head says nothing";
    }
    EXPECT_EQ(view.arrangement(), without);
    view.setArrangement(arrangement);
    axis.fitAll();
    FigureMode figure(view, {900, 400});
    EXPECT_EQ(view.rows().tracks().size(), tracks.size()) << "all have something in the whole run";
}

TEST_F(FilterShadeTest, WhatIsScrolledToStaysAtTheTopOfAFigureThatLeavesOutTracksAboveIt) {
    lookAtAStepsBeginning();
    view.resize(900, 110);
    view.grab();
    const std::set<std::string> empty = emptyTracks(view.rows(), *snapshot, axis.visibleRange());
    const std::vector<TimelineTrack>& tracks = view.rows().tracks();
    const auto first = std::ranges::find_if(tracks, [&](const auto& t) { return empty.contains(t.key); });
    const auto next =
        std::find_if(first, tracks.end(), [&](const auto& t) { return !empty.contains(t.key); });
    ASSERT_NE(next, tracks.end());
    const std::string key = next->key;
    const int top = next->top;
    ASSERT_GT(top, 0);
    view.restorePlace({top, {}});
    ASSERT_EQ(view.viewport().scrollTop(), top);
    {
        FigureMode figure(view, {900, 110});
        figure.fit();
        const TimelineTrack& shown = view.rows().tracks()[test::must(view.rows().trackOf(key))];
        ASSERT_LT(shown.top, top);
        EXPECT_GE(view.viewport().shownTop(shown.top), 0);
        EXPECT_LE(view.viewport().shownTop(shown.top), kTrackGap);
    }
    EXPECT_EQ(view.viewport().scrollTop(), top);
}

TEST_F(FilterShadeTest, AFigureSaysWhatTheHeightOfItsColumnsIs) {
    const auto saysHeight = [this] {
        view.grab();
        const std::vector<LegendEntry> legend = view.body().legends().familiesLegend();
        return std::ranges::count(legend, QStringLiteral("height: share of the time"), &LegendEntry::name) >
               0;
    };
    view.resize(1200, 500);
    EXPECT_FALSE(saysHeight()) << "in the window";
    {
        FigureMode figure(view, {1200, 500});
        EXPECT_TRUE(saysHeight());
    }
    const SpanRow kernel = test::must(spanRow(*snapshot, {lane(TrackKind::kGpuStream, 0), 0}));
    axis.setVisibleRange({Nanoseconds(kernel.start), Nanoseconds(kernel.end())});
    RowArrangement unfolded = view.arrangement();
    for (const std::string& key : view.rows().keys())
        unfolded.setFolded(key, false);
    view.setArrangement(unfolded);
    FigureMode figure(view, {1200, 500});
    EXPECT_FALSE(saysHeight()) << "there are no columns, only bars";
}

TEST_F(FilterShadeTest, AMergedBlockFadesWhereNoneOfItsSpansCounts) {
    filter.setSteps(RunFilter::Steps::kAll);
    int faded = 0, kept = 0, otherThanLongest = 0;
    for (const char* const text : {"softmax", "attn"}) {
        SCOPED_TRACE(text);
        filter.setText(QString::fromLatin1(text));
        view.refreshNow();
        FilterShade alone(filter, snapshot), shade(filter, snapshot);
        shade.setPassing(std::make_shared<const PassingRows>(*snapshot, shade.conditions()));
        TimelineGeometry geometry;
        const TimelineRows rows = unfoldedRows();
        geometry.update(snapshot, rows.rows(), snapshot->range(), 900);
        geometry.build(0, rows.rows().size());
        for (std::size_t i = 0; i < rows.rows().size(); ++i) {
            const TimelineRow& row = rows.rows()[i];
            if (row.kind != TrackKind::kCpuThread && row.kind != TrackKind::kGpuStream)
                continue;
            for (const TimelineRect& rect : geometry.rects(i)) {
                if (!rect.merged())
                    continue;
                std::uint64_t counting = 0;
                for (std::uint64_t r = rect.firstRow; r < rect.firstRow + rect.count; ++r)
                    counting += !shade.fades(row, blockOf(*snapshot->lane(row.lane).row(r), r));
                EXPECT_EQ(shade.passing(row, rect), counting);
                EXPECT_EQ(shade.fades(row, rect), counting == 0);
                EXPECT_FALSE(shade.isUnsure(row, rect));
                EXPECT_TRUE(alone.isUnsure(row, rect));
                faded += counting == 0;
                kept += counting > 0;
                otherThanLongest += alone.fades(row, rect) != (counting == 0);
            }
        }
    }
    EXPECT_GT(faded, 50);
    EXPECT_GT(kept, 20);
    EXPECT_GT(otherThanLongest, 20);
}

TEST_F(FilterShadeTest, AStripIsMutedWhereNoneOfItsSpansCounts) {
    filter.setSteps(RunFilter::Steps::kAll);
    const QImage all = view.grab().toImage();
    filter.setPhase(Phase::kBackward);
    view.refreshNow();
    FilterShade shade(filter, snapshot);
    shade.setPassing(std::make_shared<const PassingRows>(*snapshot, shade.conditions()));
    const QImage filtered = view.grab().toImage();
    const QRect plot = view.plotArea();
    int muted = 0, kept = 0;
    for (const TimelineRow& strip : view.rows().rows()) {
        if (!strip.strip)
            continue;
        const int y = kRulerHeight + view.viewport().shownTop(strip.top) + strip.height - 1;
        const std::vector<bool> counting =
            shade.countingColumns(strip, ColumnMap(axis.visibleRange(), plot.width()));
        for (int x = 0; x < plot.width() - kScrollBarWidth; ++x) {
            const QColor before = colorAt(all, {plot.left() + x, y});
            const ThemeColors& colors = Theme::instance().colors();
            if (before == colors.background || before == colors.grid)
                continue;
            const bool counts = counting[static_cast<std::size_t>(x)];
            ASSERT_EQ(colorAt(filtered, {plot.left() + x, y}),
                      counts ? before : Theme::instance().muted(before))
                << x;
            ++(counts ? kept : muted);
        }
    }
    EXPECT_GT(muted, 30);
    EXPECT_GT(kept, 30);
}

// Exact where rows are read; from afar a column may count for one within a merged run's width.
TEST_F(FilterShadeTest, AStripsColumnsAreThoseOfItsSpansThatCount) {
    filter.setSteps(RunFilter::Steps::kAll);
    const TimeRange whole = snapshot->range();
    int exact = 0, more = 0;
    for (const char* const text : {"softmax", "attn", "nothing like it"}) {
        filter.setText(QString::fromLatin1(text));
        FilterShade shade(filter, snapshot);
        const TimelineRow strip =
            *std::ranges::find_if(view.rows().rows(), [](const TimelineRow& row) { return row.strip; });
        EXPECT_EQ(shade.countingColumns(strip, ColumnMap(whole, 5)), std::vector<bool>(5, true))
            << "before it is known";
        shade.setPassing(std::make_shared<const PassingRows>(*snapshot, shade.conditions()));
        for (int round = 0; round < 12; ++round) {
            const Nanoseconds begin(whole.duration().value * round / 12);
            const ColumnMap map({begin, begin + Nanoseconds(whole.duration().value >> round)}, 700);
            std::vector<bool> expected(700);
            for (const SpanLane& lane : snapshot->lanesOf(strip.track)) {
                for (std::uint64_t r = 0; r < lane.rows(); ++r) {
                    const SpanRow span = *lane.row(r);
                    TimelineRow row = strip;
                    row.lane = lane.id();
                    if (span.end() <= map.range().begin.value || span.start >= map.range().end.value ||
                        shade.fades(row, blockOf(span, r)))
                        continue;
                    const int x0 = map.columnOf(span.start);
                    for (int x = x0; x < std::max(x0 + 1, map.endColumnOf(span.end())); ++x)
                        expected[static_cast<std::size_t>(x)] = true;
                }
            }
            const std::vector<bool> counts = shade.countingColumns(strip, map);
            for (std::ptrdiff_t x = 0; x < 700; ++x) {
                const bool there = expected[static_cast<std::size_t>(x)],
                           counted = counts[static_cast<std::size_t>(x)];
                ASSERT_TRUE(counted || !there) << text << ", " << round << ", column " << x;
                const auto from = expected.begin() + std::max<std::ptrdiff_t>(0, x - kRunColumns + 1);
                const auto to = expected.begin() + std::min<std::ptrdiff_t>(700, x + kRunColumns);
                ASSERT_TRUE(!counted || std::find(from, to, true) != to) << text << ", column " << x;
                exact += counted && there;
                more += counted && !there;
            }
        }
    }
    EXPECT_GT(exact, 500);
    EXPECT_LT(more, exact);
}

}  // namespace warpglass::ui::filter_shade_test
