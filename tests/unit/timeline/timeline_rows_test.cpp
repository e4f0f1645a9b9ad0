#include "ui/timeline/timeline_rows.h"

#include <gtest/gtest.h>

#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "ui/timeline/timeline_metrics.h"

namespace warpglass::ui::timeline_rows_test {

TEST(TimelineRows, AnEmptyRunHasNone) {
    const TimelineRows rows(*test::traceOf("track step steps ; end 5"));
    EXPECT_TRUE(rows.rows().empty());
    EXPECT_TRUE(rows.tracks().empty());
    EXPECT_EQ(rows.height(), 0);
    EXPECT_FALSE(rows.rowAt(3));
}

TEST(TimelineRows, StepsPhasesModulesThreadsInThisOrder) {
    const auto snapshot = test::makeSyntheticRun();
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
    const TimelineRows rows(*test::traceOf("profiler buffer 0-10"));
    ASSERT_EQ(rows.tracks().size(), 1u);
    EXPECT_EQ(rows.tracks()[0].label, "Profiler");
    EXPECT_EQ(rows.tracks()[0].sublabel, "CUPTI, driver");
}

TEST(TimelineRows, WaitsSayWhoWaitsForWhatAndKeepTheirKey) {
    const TimelineRows rows(*test::traceOf("wait \"wait for a stream\" 0-10"));
    ASSERT_EQ(rows.tracks().size(), 1u);
    EXPECT_EQ(rows.tracks()[0].label, "Host waits");
    EXPECT_EQ(rows.tracks()[0].sublabel, "for the GPU");
    EXPECT_EQ(rows.tracks()[0].key, RowArrangement::keyOf(TrackKind::kGpuSync, "Waits · CUPTI"));
}

TEST(TimelineRows, RowsStackWithoutOverlapAndEveryPixelIsFound) {
    const TimelineRows rows(*test::makeSyntheticRun());
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
    const TimelineRows rows(*test::traceOf("op aten::mm 0-5 ; op aten::mm 0-5 thread \"autograd 1\""));
    ASSERT_EQ(rows.tracks().size(), 2u);
    EXPECT_GE(rows.tracks()[0].height, kTwoLineLabelHeight);
    EXPECT_GE(rows.tracks()[1].top, rows.tracks()[0].top + rows.tracks()[0].height);
}

TEST(TimelineRows, AFoldedTrackIsOneRowOfAllItsLanes) {
    const auto snapshot = test::makeSyntheticRun();
    const TimelineRows plain(*snapshot);
    const TimelineTrack main = plain.tracks()[3];
    ASSERT_GT(main.laneCount, 2u);
    RowArrangement arrangement;
    arrangement.setFolded(main.key, true);
    const TimelineRows rows(*snapshot, arrangement);
    const TimelineTrack& folded = rows.tracks()[3];
    EXPECT_TRUE(folded.folded);
    EXPECT_EQ(folded.laneCount, main.laneCount);
    EXPECT_LT(rows.height(), plain.height());
    EXPECT_EQ(rows.rows().size() + main.laneCount, plain.rows().size() + 1);
    EXPECT_TRUE(rows.rows()[folded.firstRow].strip);
    for (const SpanLane& lane : snapshot->lanesOf(folded.track))
        EXPECT_EQ(rows.rowOf(lane.id()), folded.firstRow);
    EXPECT_EQ(rows.rowAt(folded.top), folded.firstRow);
    // A track of one lane is as it was.
    arrangement.setFolded(plain.tracks()[0].key, true);
    EXPECT_EQ(TimelineRows(*snapshot, arrangement), rows);
}

TEST(TimelineRows, FoldedModulesAreTheOutermostOnes) {
    const auto snapshot = test::makeSyntheticRun();
    const TimelineTrack modules = TimelineRows(*snapshot).tracks()[2];
    ASSERT_GT(modules.laneCount, 1u);
    RowArrangement arrangement;
    arrangement.setFolded(modules.key, true);
    const TimelineRows rows(*snapshot, arrangement);
    const TimelineRow& row = rows.rows()[rows.tracks()[2].firstRow];
    EXPECT_FALSE(row.strip);
    EXPECT_EQ(row.lane, snapshot->lanesOf(modules.track).front().id());
    EXPECT_EQ(rows.rowOf(snapshot->lanesOf(modules.track).back().id()), rows.tracks()[2].firstRow);
    EXPECT_NE(rows.rows()[rows.tracks()[2].firstRow + 1].track, modules.track);
}

TEST(TimelineRows, ThreadsAreFoldedAtFirstWhereAGpuDoesTheWork) {
    const std::string ops = "op aten::mm 0-5 | op aten::add 1-2";
    const TimelineRows ofCpu(*test::traceOf(ops));
    ASSERT_EQ(ofCpu.tracks().size(), 1u);
    EXPECT_FALSE(ofCpu.tracks()[0].folded) << "its ops are the work";
    const auto snapshot = test::traceOf(ops + "\nkernel gemm 5-9 stream 7");
    RowArrangement arrangement;
    const auto isFolded = [&] {
        const TimelineRows rows(*snapshot, arrangement);
        return rows.tracks()[*rows.trackOf(ofCpu.tracks()[0].key)].folded;
    };
    EXPECT_TRUE(isFolded());
    arrangement.setFolded(ofCpu.tracks()[0].key, false);
    EXPECT_FALSE(isFolded()) << "what the user unfolds stays so";
    arrangement = RowArrangement(arrangement.lists());
    EXPECT_FALSE(isFolded());
    arrangement.setFolded(ofCpu.tracks()[0].key, true);
    EXPECT_TRUE(isFolded());
    arrangement.reveal(ofCpu.tracks()[0].key);
    EXPECT_FALSE(isFolded()) << "while what is selected lies in it";
    EXPECT_TRUE(RowArrangement(arrangement.lists()).isFolded(ofCpu.tracks()[0].key)) << "which is not kept";
    arrangement.setRevealed({});
    EXPECT_TRUE(isFolded());
}

TEST(TimelineRows, ThreadsAreFoldedBeforeTheFirstKernelOfARunThatStatesAGpu) {
    const auto isFolded = [](const std::string& info) {
        const TimelineRows rows(
            *test::traceOf("info config.device " + info + "\nop aten::mm 0-5 | op aten::add 1-2"));
        return rows.tracks().at(0).folded;
    };
    EXPECT_TRUE(isFolded("cuda:0 config.record ops,memory,kernels"));
    EXPECT_FALSE(isFolded("cuda:0 config.record ops,memory")) << "its ops are all there will be";
    EXPECT_FALSE(isFolded("cuda:0 config.record ops,kernels capture.problem CUPTI"));
    EXPECT_FALSE(isFolded("cpu config.record ops,memory,kernels"));
}

TEST(TimelineRows, FoldedThreadsLeaveRoomForTheGpuAndTheCalls) {
    const auto snapshot = test::openSampleRun("xl-bf16-step");
    ASSERT_TRUE(snapshot);
    const TimelineRows folded(*snapshot);
    RowArrangement arrangement;
    for (const std::string& key : folded.keys())
        arrangement.setFolded(key, false);
    EXPECT_GT(TimelineRows(*snapshot, arrangement).height() - folded.height(), 120);
}

TEST(TimelineRows, PinnedTracksComeFirstAndHiddenOnesNotAtAll) {
    const auto snapshot = test::makeSyntheticRun();
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
    EXPECT_EQ(rows.pinnedRows(), plain.tracks()[4].laneCount);
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
    const auto snapshot =
        test::traceOf("op aten::mm 0-5 | kernel gemm 5-9 stream 7 ; op aten::mm 0-5 thread \"autograd 1\"");
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

TEST(TimelineRows, ATrackIsEmptyInARangeWithoutASpanThatHasEndedOrStillRuns) {
    const auto snapshot = test::traceOf("step 0 0-20 | forward 0-10\nstep 1 20-\nend 100");
    const TimelineRows rows(*snapshot);
    ASSERT_EQ(rows.tracks().size(), 2u);
    const auto emptyIn = [&](std::int64_t begin, std::int64_t end) {
        return emptyTracks(rows, *snapshot, {Nanoseconds(begin), Nanoseconds(end)});
    };
    const std::set<std::string> phases{rows.tracks()[1].key};
    EXPECT_EQ(emptyIn(5, 15), std::set<std::string>());
    EXPECT_EQ(emptyIn(10, 15), phases);
    EXPECT_EQ(emptyIn(40, 60), phases) << "the step still runs";
    EXPECT_EQ(emptyIn(200, 300), phases);
    const auto ended = test::traceOf("step 0 0-20 | forward 0-10\nend 100");
    EXPECT_EQ(emptyTracks(TimelineRows(*ended), *ended, {Nanoseconds(40), Nanoseconds(60)}),
              std::set<std::string>())
        << "nothing is in the range: then none is left out";
}

}  // namespace warpglass::ui::timeline_rows_test
