// The Busy lane and the stacks under the hands: hovering, picking, stepping, arranging, filtering.
#include "engine/query/activity/gpu_busy.h"
#include "tests/support/first_of.h"
#include "tests/support/has_text.h"
#include "tests/support/pixels.h"
#include "tests/support/sample_run.h"
#include "tests/unit/timeline/timeline_view_fixture.h"
#include "ui/controls/family_legend.h"
#include "ui/models/idle_details.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/legend.h"
#include "ui/timeline/span_text.h"

namespace warpglass::ui::timeline_busy_test {

struct TimelineBusyTest : TimelineViewFixture {
    TimelineBusyTest() {
        snapshot = test::openSampleRun("small-bf16-flash");
        document.setSnapshot(snapshot);
        view.setFilter(&filter);
        view.resize(1200, 700);
        view.refreshNow();
        view.grab();
    }
    const TimelineRow& busyRow() const {
        return test::firstOf(view.rows().rows(), [](const TimelineRow& row) { return row.gpu; });
    }
    const TimelineTrack& busyTrack() const {
        return view.rows().tracks()[test::must(view.rows().trackOf(busyRow()))];
    }
    const TimelineTrack& trackOf(TrackKind kind,
                                 std::source_location at = std::source_location::current()) const {
        return test::firstOf(
            view.rows().tracks(),
            [kind](const TimelineTrack& track) { return track.kind == kind && !track.gpu; }, at);
    }
    QPoint at(const TimelineRow& row, std::int64_t moment) const {
        return {static_cast<int>(pixelOf(Nanoseconds(moment))),
                view.plotArea().top() + view.viewport().shownTop(row.top) + row.height / 2};
    }
    /// The longest stretch within the steps in which the GPU waited for the host.
    GpuBusy::Stretch longestLate() const {
        const GpuBusy busy(*snapshot);
        GpuBusy::Stretch longest;
        for (const GpuBusy::Stretch& idle : busy.idle()) {
            if (idle.part == GpuBusy::Part::kHostLate && idle.next.valid() &&
                idle.end - idle.begin > longest.end - longest.begin)
                longest = idle;
        }
        return longest;
    }
    void show(const GpuBusy::Stretch& stretch) {
        const Nanoseconds margin(stretch.end - stretch.begin);
        axis.setVisibleRange({Nanoseconds(stretch.begin) - margin, Nanoseconds(stretch.end) + margin});
        view.grab();
    }

    RunFilter filter{document, axis};
};

TEST_F(TimelineBusyTest, IsTheFirstRowOfItsGpu) {
    const auto& tracks = view.rows().tracks();
    const std::size_t at = test::placeOf(tracks, [](const TimelineTrack& track) { return track.gpu; });
    EXPECT_EQ(tracks[at].label, "GPU 0 busy");
    EXPECT_TRUE(tracks[at].sublabel.empty());
    for (std::size_t i = 0; i < at; ++i)
        EXPECT_FALSE(isGpuTrack(tracks[i].kind));
    EXPECT_EQ(tracks[at + 1].kind, TrackKind::kGpuPhase);
}

TEST_F(TimelineBusyTest, SaysWhyTheGpuIsIdleAndIsNoSpan) {
    const GpuBusy::Stretch late = longestLate();
    ASSERT_GT(late.end, late.begin);
    show(late);
    const QPoint middle = at(busyRow(), (late.begin + late.end) / 2);
    const auto hit = test::must(view.hitTest(middle));
    EXPECT_EQ(hit.rect.begin, late.begin);
    EXPECT_EQ(hit.rect.end, late.end);
    const GpuBusy busy(*snapshot);
    const QString text =
        busyText(*snapshot, busy, 0, hit.rect, {Nanoseconds(late.begin), Nanoseconds(late.end)});
    EXPECT_THAT(text, test::HasText("waiting for the host"));
    EXPECT_TRUE(text.contains(QString::fromStdString(std::string(snapshot->name(late.next))).left(20)));
    // A column that holds more than the stretch says what it is made of.
    const QString mixed =
        busyText(*snapshot, busy, 0, hit.rect, {Nanoseconds(late.begin - 1'000'000), Nanoseconds(late.end)});
    EXPECT_THAT(mixed, test::HasText("In these "));
    EXPECT_THAT(mixed, test::BeginsWith("idle, waiting for the host\n"));
    for (const IdleFact& fact : idleFacts(describeIdle(*snapshot, {0, late})))
        EXPECT_THAT(text, test::HasText(fact.label + "  " + fact.value.left(40)));

    QTest::mouseMove(&view, middle);
    EXPECT_FALSE(axis.hoveredSpan());
    click(middle);
    EXPECT_FALSE(axis.selectedSpan());
    EXPECT_EQ(axis.selectedIdle(), (SelectedIdle{0, late}));
    EXPECT_TRUE(axis.pinnedCursor());
    QTest::mouseDClick(&view, Qt::LeftButton, {}, middle);
    const TimeRange shown = axis.visibleRange();
    EXPECT_LT(shown.begin.value, late.begin);
    EXPECT_GT(shown.end.value, late.end);
    EXPECT_LT(shown.duration().value, (late.end - late.begin) * 5 / 4) << "a double click zooms to it";
}

TEST_F(TimelineBusyTest, AnIdleStretchIsLookedAtAndLetGoOfAsASpanIs) {
    const GpuBusy::Stretch late = longestLate();
    show(late);
    const QPoint middle = at(busyRow(), (late.begin + late.end) / 2);
    filter.pick({view.rows().rows().front().lane, 0});  // a step counts
    ASSERT_TRUE(filter.state().span);
    show(late);
    click(middle);
    ASSERT_TRUE(axis.selectedIdle());
    EXPECT_FALSE(axis.selectedSpan()) << "one thing is looked at";
    EXPECT_TRUE(filter.state().span) << "and what counts goes on counting";
    EXPECT_TRUE(filter.isLooking());
    const RunFilter::Kept kept = filter.kept();
    key(Qt::Key_Escape);
    EXPECT_FALSE(axis.selectedIdle());
    EXPECT_TRUE(filter.state().span) << "the first time of what is looked at";
    key(Qt::Key_Escape);
    EXPECT_FALSE(filter.state().span);
    filter.takeUp(kept);
    EXPECT_EQ(axis.selectedIdle(), (SelectedIdle{0, late})) << "as it was left";
    view.selection().zoomToSelection();
    EXPECT_TRUE(axis.visibleRange().overlaps({Nanoseconds(late.begin), Nanoseconds(late.end)}));
    EXPECT_LT(axis.visibleRange().duration().value, (late.end - late.begin) * 5 / 4);
    // A span takes its place, and the busy time beside it selects nothing.
    axis.setSelectedSpan(SpanRef{view.rows().rows().front().lane, 0});
    EXPECT_FALSE(axis.selectedIdle());
    axis.inspect(SelectedIdle{0, late});
    show(late);
    click(at(busyRow(), late.end + (late.end - late.begin) / 1000));
    EXPECT_FALSE(axis.selectedIdle() == std::optional(SelectedIdle{0, late}));
}

TEST_F(TimelineBusyTest, KeysGoFromOneIdleStretchToTheNext) {
    const GpuBusy busy(*snapshot);
    click({60, at(busyRow(), 0).y()});
    key(Qt::Key_Right);
    ASSERT_TRUE(axis.selectedIdle()) << "with its label chosen, the first in view";
    std::vector<GpuBusy::Stretch> expected;
    for (const GpuBusy::Stretch& idle : busy.idle()) {
        if (idle.part != GpuBusy::Part::kOutside && idle.begin >= axis.visibleRange().begin.value)
            expected.push_back(idle);
    }
    ASSERT_GT(expected.size(), 30u);
    for (std::size_t i = 0; i < 30; ++i) {
        ASSERT_EQ(axis.selectedIdle()->stretch, expected[i]) << i;
        EXPECT_EQ(axis.pinnedCursor(), Nanoseconds(expected[i].begin));
        key(Qt::Key_Right);
    }
    for (std::size_t i = 30; i > 0; --i)
        key(Qt::Key_Left);
    EXPECT_EQ(axis.selectedIdle()->stretch, expected[0]);
    key(Qt::Key_Down);
    EXPECT_TRUE(axis.selectedIdle()) << "nothing is in it";
    // One that is out of sight comes into view.
    axis.setVisibleRange({Nanoseconds(expected[20].begin), Nanoseconds(expected[20].end)});
    key(Qt::Key_Right);
    EXPECT_TRUE(axis.visibleRange().overlaps(axis.selectedIdle()->range()));
}

TEST_F(TimelineBusyTest, UnderItStandsWhatItsColorsMeanOfTheCausesThatOccur) {
    ASSERT_EQ(busyTrack().legendHeight, static_cast<int>(kLegendRow)) << "in one line";
    EXPECT_EQ(busyTrack().legendTop(), busyRow().top + busyRow().height) << "and over no data";
    const GpuBusy busy(*snapshot);
    const QImage image = view.grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QRect under(view.plotArea().left(),
                      view.plotArea().top() + view.viewport().shownTop(busyTrack().legendTop()),
                      view.plotArea().width(), busyTrack().legendHeight);
    for (const GpuBusy::Part part : kShownGpuParts) {
        const int pixels = test::countPixels(image, under, gpuPartColor(part));
        if (busy.has(part))
            EXPECT_GE(pixels, 30) << gpuPartName(part).toStdString();
        else
            EXPECT_EQ(pixels, 0) << gpuPartName(part).toStdString();
    }
    EXPECT_FALSE(view.hitTest(under.center())) << "it is no data";
    // In a narrow view in as many lines as it takes.
    view.resize(kTrackLabelWidth + 200, 700);
    view.grab();
    EXPECT_GT(busyTrack().legendHeight, static_cast<int>(kLegendRow));
}

TEST_F(TimelineBusyTest, BesideTheLegendOfCausesStandsWhatWasFound) {
    const auto shortened = [&] {
        view.grab();
        const int y = view.viewport().shownTop(busyTrack().legendTop()) + static_cast<int>(kLegendRow) / 2;
        return view.body().legends().findingAt(QPointF(view.plotArea().width() - 40, y));
    };
    EXPECT_EQ(shortened(), view.heading().finding) << "all of it, where a shorter wording stands";
    view.resize(4000, 700);
    EXPECT_EQ(shortened(), QString()) << "where there is room, it is read there";
    view.resize(kTrackLabelWidth + 500, 700);
    EXPECT_EQ(shortened(), QString()) << "no wording fits, and none is cut";
    view.resize(1200, 700);
    view.setInFigure(true);
    view.setInFigure(false);
    EXPECT_EQ(shortened(), view.heading().finding);
}

TEST_F(TimelineBusyTest, UnderTheHostsOpsStandsWhatItDidWhileTheGpuWaited) {
    EXPECT_EQ(trackOf(TrackKind::kCpuThread).legendHeight, static_cast<int>(kLegendRow));
    const std::vector<LegendEntry> entries = view.body().legends().hostLegend();
    ASSERT_GT(entries.size(), 3u);
    EXPECT_EQ(entries.front().color.alpha(), 0) << "a color of the Busy lane, and of none here";
    // It waits 59.68 ms in the three steps: 23.15 in copies and casts, and 12.72 in no op.
    const QColor copy = Theme::instance().familyColor(OpFamily::kCopy);
    EXPECT_EQ(test::firstOf(entries, [&](const LegendEntry& e) { return e.color == copy; }).name, "copy 39%");
    EXPECT_EQ(entries.back().name, "no op 21%");
    for (const LegendEntry& entry : entries)
        EXPECT_TRUE(&entry == &entries.front() || entry.name.endsWith('%')) << entry.name.toStdString();
    EXPECT_NE(view.heading().finding.indexOf("while the host ran copy ops (39% of the wait)"), -1);
}

TEST_F(TimelineBusyTest, UnderTheKernelsStandWhatItsColorsMeanOfTheFamiliesInView) {
    const TimelineTrack kernels = trackOf(TrackKind::kGpuStream);
    ASSERT_EQ(kernels.legendHeight, static_cast<int>(kLegendRow));
    const TimelineRow& row = view.rows().rows()[kernels.firstRow];
    EXPECT_GE(kernels.legendTop(), row.top + row.height) << "over no data";
    const auto names = [&] {
        QStringList list;
        for (const LegendEntry& entry : view.body().legends().familiesLegend())
            list << entry.name;
        return list;
    };
    axis.fitAll();
    const QImage image = view.grab().toImage().convertToFormat(QImage::Format_RGB32);
    EXPECT_TRUE(names().contains(familyName(OpFamily::kMatmul)));
    EXPECT_TRUE(names().contains(familyName(OpFamily::kAttention)));
    const int top = view.plotArea().top() + view.viewport().shownTop(kernels.legendTop());
    const QRect under(view.plotArea().left(), top, view.width() - view.plotArea().left(),
                      kernels.legendHeight);
    for (const LegendEntry& entry : view.body().legends().familiesLegend())
        EXPECT_GE(test::countPixels(image, under, entry.color), 30) << entry.name.toStdString();
    // With one kernel in view the others' families are muted, and not there in a figure: the threads' rows
    // are hidden.
    RowArrangement arrangement;
    for (const TimelineTrack& track : view.rows().tracks()) {
        if (track.kind != TrackKind::kGpuStream || track.gpu)
            arrangement.setHidden(track.key, true);
    }
    view.setArrangement(arrangement);
    const SpanRef longest = *longestSpan(*snapshot, TrackKind::kGpuStream, std::nullopt, {}, 0);
    const auto kernel = snapshot->lane(longest.lane).row(longest.row);
    axis.setVisibleRange({Nanoseconds(kernel->start), Nanoseconds(kernel->end())});
    const QStringList all = names();
    view.grab();
    EXPECT_EQ(names(), all) << "it stays while the view moves";
    int bright = 0;
    for (std::size_t family = 0; family < kOpFamilyCount; ++family)
        bright += static_cast<int>(std::ranges::count(view.body().legends().familiesLegend(),
                                                      familyEntry(static_cast<OpFamily>(family))));
    EXPECT_EQ(bright, 1);
    view.setInFigure(true);
    EXPECT_EQ(names().size(), 1) << names().join(", ").toStdString();
    EXPECT_FALSE(view.hitTest({view.plotArea().center().x(), top})) << "it is no data";
}

TEST_F(TimelineBusyTest, IsPinnedAndHidden) {
    key(Qt::Key_Right);
    ASSERT_TRUE(axis.selectedSpan());
    EXPECT_TRUE(axis.selectedSpan()->lane.valid());
    const std::size_t tracks = view.rows().tracks().size();
    click({60, at(busyRow(), 0).y()});
    ASSERT_TRUE(view.labels().currentTrack());
    EXPECT_TRUE(view.rows().tracks()[*view.labels().currentTrack()].gpu);
    EXPECT_FALSE(view.rows().tracks()[*view.labels().currentTrack()].foldable());
    key(Qt::Key_P);
    EXPECT_TRUE(view.rows().tracks().front().gpu);
    view.grab();
    key(Qt::Key_H);
    EXPECT_EQ(view.rows().tracks().size(), tracks - 1);
    view.grab();
    view.labels().resetRows();
    EXPECT_EQ(view.rows().tracks().size(), tracks);
}

TEST_F(TimelineBusyTest, AFilterFadesStacksAndNotTheBusyLane) {
    TimelineGeometry geometry;
    const auto& rows = view.rows().rows();
    geometry.update(snapshot, rows, axis.visibleRange(), 1000);
    filter.setPhase(Phase::kBackward);
    FilterShade shade(filter, snapshot);
    std::size_t faded = 0, counting = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].gpu) {
            EXPECT_FALSE(shade.fades(rows[i], TimelineRect{.count = 5}));
            continue;
        }
        if (!isGpuTrack(rows[i].kind))
            continue;
        for (const ColumnStack& stack : geometry.stacks(i))
            ++(shade.fades(rows[i], geometry.rects(i)[stack.rect]) ? faded : counting);
    }
    EXPECT_GT(faded, 0u);
    EXPECT_GT(counting, 0u);
}

}  // namespace warpglass::ui::timeline_busy_test
