#include "ui/timeline/timeline_rows.h"

#include <gtest/gtest.h>

#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "ui/timeline/timeline_metrics.h"

namespace warpglass::ui {
namespace {

TEST(TimelineRows, AnEmptyRunHasNone) {
    const TimelineRows rows(*warpglass::test::traceOf("track step steps ; end 5"));
    EXPECT_TRUE(rows.rows().empty());
    EXPECT_TRUE(rows.tracks().empty());
    EXPECT_EQ(rows.height(), 0);
    EXPECT_FALSE(rows.rowAt(3));
}

TEST(TimelineRows, StepsPhasesModulesThreadsInThisOrder) {
    const auto snapshot = warpglass::test::makeSyntheticRun();
    const TimelineRows rows(*snapshot);
    ASSERT_EQ(rows.tracks().size(), 5u);
    const std::vector<std::pair<std::string, std::string>> expected = {{"Step", ""},
                                                                       {"Phase", ""},
                                                                       {"Module", "blocks.0–1"},
                                                                       {"Host ops", "main thread"},
                                                                       {"Host ops", "autograd 1"}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(rows.tracks()[i].label, expected[i].first);
        EXPECT_EQ(rows.tracks()[i].sublabel, expected[i].second);
    }
    std::size_t lanes = 0;
    for (const TimelineTrack& track : rows.tracks())
        lanes += snapshot->lanesOf(track.track).size();
    EXPECT_EQ(rows.rows().size(), lanes) << "a row for every lane, and only one";
}

TEST(TimelineRows, TheProfilersLabelIsShortEnoughForItsColumn) {
    const TimelineRows rows(*warpglass::test::traceOf("profiler buffer 0-10"));
    ASSERT_EQ(rows.tracks().size(), 1u);
    EXPECT_EQ(rows.tracks()[0].label, "Profiler");
    EXPECT_EQ(rows.tracks()[0].sublabel, "CUPTI, driver");
}

TEST(TimelineRows, WaitsSayWhoWaitsForWhatAndKeepTheirKey) {
    const TimelineRows rows(*warpglass::test::traceOf("wait \"wait for a stream\" 0-10"));
    ASSERT_EQ(rows.tracks().size(), 1u);
    EXPECT_EQ(rows.tracks()[0].label, "Host waits");
    EXPECT_EQ(rows.tracks()[0].sublabel, "for the GPU");
    EXPECT_EQ(rows.tracks()[0].key, RowArrangement::keyOf(TrackKind::kGpuSync, "Waits · CUPTI"));
}

TEST(TimelineRows, RowsStackWithoutOverlapAndEveryPixelIsFound) {
    const TimelineRows rows(*warpglass::test::makeSyntheticRun());
    int bottom = 0;
    for (std::size_t i = 0; i < rows.rows().size(); ++i) {
        const TimelineRow& row = rows.rows()[i];
        EXPECT_GE(row.top, bottom);
        bottom = row.top + row.height;
        for (int y = row.top; y < bottom; ++y)
            EXPECT_EQ(rows.rowAt(y), i);
        EXPECT_FALSE(rows.rowAt(bottom)) << "a gap belongs to no row";
        EXPECT_EQ(rows.rowOf(row.lane), i);
    }
    EXPECT_GE(rows.height(), bottom);
    EXPECT_FALSE(rows.rowAt(-1));
    EXPECT_FALSE(rows.rowAt(rows.height() + 10));
    EXPECT_FALSE(rows.rowOf(LaneId(10'000)));
}

TEST(TimelineRows, ATrackIsTallEnoughForItsLabel) {
    const TimelineRows rows(
        *warpglass::test::traceOf("op aten::mm 0-5 ; op aten::mm 0-5 thread \"autograd 1\""));
    ASSERT_EQ(rows.tracks().size(), 2u);
    EXPECT_GE(rows.tracks()[0].height, kTwoLineLabelHeight);
    EXPECT_GE(rows.tracks()[1].top, rows.tracks()[0].top + rows.tracks()[0].height);
}

TEST(TimelineRows, AFoldedTrackIsOneRowAndItsDeepestLaneIsFound) {
    const auto snapshot = warpglass::test::makeSyntheticRun();
    const TimelineRows plain(*snapshot);
    const TimelineTrack main = plain.tracks()[3];
    ASSERT_GT(main.rowCount, 2u);
    RowArrangement arrangement;
    arrangement.setFolded(main.key, true);
    const TimelineRows rows(*snapshot, arrangement);
    const TimelineTrack& folded = rows.tracks()[3];
    EXPECT_TRUE(folded.folded);
    EXPECT_EQ(folded.rowCount, main.rowCount);
    EXPECT_LT(rows.height(), plain.height());
    for (std::size_t i = 0; i < folded.rowCount; ++i) {
        const TimelineRow& row = rows.rows()[folded.firstRow + i];
        EXPECT_TRUE(row.overlaid);
        EXPECT_EQ(row.top, folded.top);
        EXPECT_EQ(row.depth, i);
        EXPECT_EQ(rows.rowOf(row.lane), folded.firstRow + i);
    }
    EXPECT_EQ(rows.rowAt(folded.top), folded.firstRow + folded.rowCount - 1);
    // A track of one lane is as it was.
    arrangement.setFolded(plain.tracks()[0].key, true);
    EXPECT_EQ(TimelineRows(*snapshot, arrangement), rows);
}

TEST(TimelineRows, PinnedTracksComeFirstAndHiddenOnesNotAtAll) {
    const auto snapshot = warpglass::test::makeSyntheticRun();
    const TimelineRows plain(*snapshot);
    RowArrangement arrangement;
    arrangement.setPinned(plain.tracks()[4].key, true);
    arrangement.setHidden(plain.tracks()[2].key, true);
    const TimelineRows rows(*snapshot, arrangement);
    ASSERT_EQ(rows.tracks().size(), 4u);
    EXPECT_EQ(rows.hiddenTracks(), 1u);
    EXPECT_EQ(rows.pinnedTracks(), 1u);
    EXPECT_EQ(rows.tracks()[0].key, plain.tracks()[4].key);
    EXPECT_TRUE(rows.tracks()[0].pinned);
    EXPECT_EQ(rows.pinnedRows(), plain.tracks()[4].rowCount);
    EXPECT_EQ(rows.tracks()[1].top, rows.pinnedHeight());
    EXPECT_FALSE(rows.rowOf(plain.rows()[plain.tracks()[2].firstRow].lane));
    for (std::size_t i = 0; i < rows.tracks().size(); ++i) {
        EXPECT_EQ(rows.trackAt(rows.tracks()[i].top), i);
        EXPECT_EQ(rows.trackOf(rows.tracks()[i].key), i);
        EXPECT_EQ(rows.trackOf(rows.tracks()[i].track), i);
    }
    EXPECT_FALSE(rows.trackAt(0));
    EXPECT_FALSE(rows.trackAt(rows.height()));
    EXPECT_FALSE(rows.trackOf(plain.tracks()[2].key));
}

TEST(TimelineRows, TheFamiliesLegendIsUnderTheFirstLanesOfTheirColors) {
    constexpr LegendHeights kLegends{18, 20};
    const auto snapshot = warpglass::test::traceOf(
        "op aten::mm 0-5 | kernel gemm 5-9 stream 7 ; op aten::mm 0-5 thread \"autograd 1\"");
    const auto withLegend = [&](const RowArrangement& arrangement) {
        std::vector<std::string> labels;
        const TimelineRows rows(*snapshot, arrangement, kLegends);
        for (const TimelineTrack& track : rows.tracks()) {
            if (track.legendHeight == kLegends.families)
                labels.push_back(track.label + " " + track.sublabel);
        }
        return labels;
    };
    EXPECT_EQ(withLegend({}), (std::vector<std::string>{"GPU 0 stream 7", "Host ops main thread"}));
    RowArrangement arrangement;
    const TimelineRows plain(*snapshot);
    for (const TimelineTrack& track : plain.tracks()) {
        if (track.kind == TrackKind::kGpuStream && !track.gpu)
            arrangement.setHidden(track.key, true);
    }
    EXPECT_EQ(withLegend(arrangement), std::vector<std::string>{"Host ops main thread"});
}

TEST(TimelineRows, TwoTracksOfOneNameAreToldApart) {
    TraceWriter writer;
    const NameId name = writer.internName("aten::mm");
    for (int i = 0; i < 2; ++i)
        writer.appendSpan(writer.addTrack(TrackKind::kCpuThread, "main"), 0, {0, 5, 5, name, {}, 0, 0});
    writer.commit(Nanoseconds(5));
    const TimelineRows rows(*writer.feed()->latest());
    ASSERT_EQ(rows.keys().size(), 2u);
    EXPECT_NE(rows.keys()[0], rows.keys()[1]);
}

}  // namespace
}  // namespace warpglass::ui
