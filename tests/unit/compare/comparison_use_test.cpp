// A comparison as it is used: of a run that ended too early, by its rows of memory, by a name that is looked
// for, by a block that is clicked.
#include <QSignalSpy>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/query/summary/out_of_memory.h"
#include "tests/support/has_text.h"
#include "tests/support/span_of.h"
#include "tests/support/synthetic_trace.h"
#include "tests/unit/compare/comparison_fixture.h"
#include "ui/compare/comparison_text.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/compare/range_outline.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui::comparison_use_test {

struct ComparisonUseTest : ComparisonViewTest {
    int trend(int row, const char* column) { return data(row, column, kTrendRole).toInt(); }
    QString cell(int row, const char* column) { return data(row, column, Qt::DisplayRole).toString(); }
    int rowOf(const char* name) {
        for (int row = 0; row < view.model().rowCount(); ++row) {
            if (view.model().rowAt(row).name == name)
                return row;
        }
        ADD_FAILURE() << "no row " << name;
        return 0;
    }
    void clickRowOf(const char* name) {
        clickRow(table()->proxy()->mapFromSource(view.model().index(rowOf(name), 0)).row());
    }
    SpanRef spanOf(const ComparisonView::Side& side, const char* what) {
        return test::must(find(side, landmark(what)).span);
    }
    static std::optional<TimeRange> outlineOf(const TimelineView* timeline) {
        return timeline->findChild<RangeOutline*>("rangeOutline")->range();
    }
};

TEST_F(ComparisonUseTest, OfARunOutOfMemoryNothingThatItNeverReachedIsGood) {
    for (const bool failedIsB : {false, true}) {
        const char* failed = "large-fp32-out-of-memory";
        compare(failedIsB ? "small-bf16-flash" : failed, failedIsB ? failed : "small-bf16-flash");
        EXPECT_TRUE(label("comparisonSettings")
                        .contains(failedIsB ? QStringLiteral("memory limit no limit → 16.0")
                                            : QStringLiteral("→ no limit")))
            << label("comparisonSettings").toStdString();
        for (const int kind : {0, 1, 2, 3}) {
            chooseTable(kind);
            ASSERT_GT(view.model().rowCount(), 0) << kind;
            for (int row = 0; row < view.model().rowCount(); ++row) {
                EXPECT_EQ(trend(row, "difference"), 0) << kind << ' ' << row;
                EXPECT_EQ(trend(row, "ratio"), 0) << kind << ' ' << row;
                // What has memory alone has no time in either.
                const bool timed = view.model().rowAt(row).inA || view.model().rowAt(row).inB;
                EXPECT_EQ(cell(row, "ratio"),
                          timed ? QStringLiteral("no complete step") : QStringLiteral("–"));
                EXPECT_FALSE(cell(row, "name").contains("nothing"));
            }
        }
        chooseTable(4);
        // It had no state of an optimizer yet, and far more weights.
        EXPECT_EQ(trend(rowOf("optimizer"), "ratio"), 0);
        EXPECT_EQ(cell(rowOf("optimizer"), "difference"), "–");
        EXPECT_EQ(trend(rowOf("weights"), "ratio"), failedIsB ? 1 : -1);
        EXPECT_TRUE(cell(rowOf("weights"), "ratio")
                        .startsWith(failedIsB ? QStringLiteral("≥ ") : QStringLiteral("≤ ")));
        EXPECT_TRUE(label("comparisonHeadline")
                        .contains(failedIsB ? QStringLiteral("peak memory ≥ 5.2")
                                            : QStringLiteral("peak memory ≤ −81%")))
            << label("comparisonHeadline").toStdString();
        // What its failure freed is not shown as memory that it does without.
        const auto& run = failedIsB ? view.sideB().snapshot : view.sideA().snapshot;
        const auto moment = outOfMemoryTime(*run);
        ASSERT_TRUE(moment && *moment < run->range().end);
        const Nanoseconds offset = failedIsB ? view.link().offset() : Nanoseconds(0);
        const auto at = [&](Nanoseconds time) {
            return failedIsB ? chart()->memory().ofB(time - offset) : chart()->memory().ofA(time);
        };
        EXPECT_TRUE(at(*moment));
        EXPECT_FALSE(at(*moment + Nanoseconds(1)));
    }
}

TEST_F(ComparisonUseTest, ARowOfMemoryLeadsToThePeaksInTheChart) {
    MemoryTimeline a, b;
    a.update(view.sideA().snapshot);
    b.update(view.sideB().snapshot);
    const MemoryPoint peakA = *a.peak(), peakB = *b.peak();
    for (const QSize size : {kLow, kRoomy}) {
        resize(size);
        chooseTable(4);
        clickRowOf("activations");
        EXPECT_EQ(view.link().offset(), peakB.time - peakA.time);
        EXPECT_EQ(view.axisOfA().pinnedCursor(), peakA.time);
        EXPECT_EQ(view.axisOfB().pinnedCursor(), peakB.time);
        EXPECT_TRUE(view.axisOfA().visibleRange().contains(peakA.time));
        EXPECT_EQ(chart()->memory().category(), Category::kActivations);
        EXPECT_EQ(chart()->memory().ofA(peakA.time),
                  peakA.bytes[static_cast<std::size_t>(Category::kActivations)]);
        EXPECT_EQ(chart()->memory().ofB(peakA.time),
                  peakB.bytes[static_cast<std::size_t>(Category::kActivations)]);
        EXPECT_TRUE(chart()->legend()[0].contains("activations"));
        EXPECT_THAT(label("comparisonMessage"), test::BeginsWith("activations at the peak of each run: A "));
        EXPECT_TRUE(view.findChild<LandmarkChooser*>()->accessibleName().contains("memory peak"));
        // The steps that are named are those that the peaks are in.
        const auto isNamed = [this](const char* combo, const ComparisonView::Side& side, Nanoseconds peak) {
            const auto steps = comparedSteps(*side.snapshot);
            const int chosen = view.findChild<QComboBox*>(QLatin1String(combo))->currentIndex();
            const auto around = std::find_if(steps.begin(), steps.end(), [peak](const ComparedStep& step) {
                return step.span.range.contains(peak);
            });
            return around == steps.end() || around - steps.begin() == chosen;
        };
        EXPECT_TRUE(isNamed("stepOfA", view.sideA(), peakA.time));
        EXPECT_TRUE(isNamed("stepOfB", view.sideB(), peakB.time));
        // The whole of it, and another table's rows, are of no category.
        clickRowOf("peak");
        EXPECT_EQ(chart()->memory().ofA(peakA.time), sumOf(peakA.bytes));
        chooseTable(0);
        EXPECT_FALSE(chart()->memory().category());
    }
}

TEST_F(ComparisonUseTest, ANameOfEitherRunIsFoundAndShownInBoth) {
    chooseTable(1);
    const int all = table()->shownRows();
    view.openFind();
    auto* field = view.findChild<QLineEdit*>("comparisonFilter");
    QTest::keyClicks(field, "SoftMax");
    ASSERT_GE(table()->shownRows(), 2);
    EXPECT_LT(table()->shownRows(), all);
    QTest::keyClick(field, Qt::Key_Return);
    const auto first = view.axisOfA().selectedSpan();
    ASSERT_TRUE(first && view.axisOfB().selectedSpan());
    EXPECT_EQ(table()->currentIndex().row(), 0);
    view.findNext();
    EXPECT_EQ(table()->currentIndex().row(), 1);
    EXPECT_NE(view.axisOfA().selectedSpan(), first);
    view.findPrevious();
    EXPECT_EQ(view.axisOfA().selectedSpan(), first);
    // One that only another table has is told of.
    field->setText("blocks.7.attn");
    EXPECT_EQ(table()->shownRows(), 0);
    EXPECT_THAT(table()->emptyText(), test::HasText("in Modules"));
    field->setText("no such name");
    EXPECT_EQ(table()->emptyText(), "Neither run has this name");
    QSignalSpy closed(&view, &ComparisonView::closeRequested);
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_EQ(table()->shownRows(), all);
    EXPECT_EQ(closed.count(), 0) << "Esc leaves the field, not the comparison";
}

TEST_F(ComparisonUseTest, ABlockThatIsClickedHasItsRowAndItsCounterpart) {
    // A kernel of the attention in A's fifth block.
    const Snapshot& run = *view.sideA().snapshot;
    const TimeRange range = step(view.sideA(), 1).range;
    std::optional<SpanRef> kernel;
    std::string module;
    for (const TrackId track : run.tracksOfKind(TrackKind::kGpuStream)) {
        const SpanLane lane = run.lanesOf(track).front();
        for (std::uint64_t row = lane.firstStartingAt(range.begin); row < lane.rows() && !kernel; ++row) {
            const auto span = lane.row(row);
            const auto detail = span ? run.detail(span->detail) : std::nullopt;
            if (!detail || run.name(detail->op) != "aten::mm")
                continue;
            module = run.name(run.place(span->place).module);
            if (module.starts_with("blocks.5.attn"))
                kernel = SpanRef{lane.id(), row};
        }
    }
    ASSERT_TRUE(kernel);
    const std::pair<int, std::string> tables[] = {{0, "aten::mm"}, {1, "aten::mm"}, {2, module}};
    for (const auto& [kind, row] : tables) {
        chooseTable(kind);
        view.axisOfA().setSelectedSpan(std::nullopt);
        view.axisOfA().setSelectedSpan(kernel);
        ASSERT_TRUE(view.axisOfB().selectedSpan());
        EXPECT_TRUE(label("comparisonMessage").contains("×)")) << label("comparisonMessage").toStdString();
        ASSERT_EQ(table()->selectedRows().size(), 1) << kind;
        EXPECT_TRUE(view.model().rowAt(table()->selectedRows()[0]).name.starts_with(row)) << row;
    }
    // B's selection does so as well; a phase's row is in the table of phases alone.
    chooseTable(3);
    view.axisOfB().setSelectedSpan(spanOf(view.sideB(), "backward"));
    ASSERT_EQ(table()->selectedRows().size(), 1);
    EXPECT_EQ(view.model().rowAt(table()->selectedRows()[0]).name, "backward");
    view.axisOfA().setSelectedSpan(test::spanOf(run, TrackKind::kStep, 1));
    ASSERT_EQ(table()->selectedRows().size(), 1);
    EXPECT_EQ(view.model().rowAt(table()->selectedRows()[0]).name, "all phases");
    view.axisOfA().setSelectedSpan(std::nullopt);
    chooseTable(0);
    view.axisOfB().setSelectedSpan(std::nullopt);
    view.axisOfB().setSelectedSpan(spanOf(view.sideB(), "backward"));
    EXPECT_TRUE(table()->selectedRows().isEmpty());
}

TEST_F(ComparisonUseTest, AProductThatClearsItsResultFirstHasItsCounterpart) {
    // In fp32 a fill comes before it, in bf16 none.
    Landmark product{.kind = Landmark::Kind::kKernel,
                     .phase = Phase::kForward,
                     .module = "blocks.3.ffn.w2",
                     .op = "aten::mm"};
    find(view.sideB(), product);
    view.axisOfA().setSelectedSpan(find(view.sideA(), product).span);
    view.refreshNow();
    EXPECT_TRUE(view.axisOfB().selectedSpan());
    EXPECT_THAT(label("comparisonMessage"), testing::Not(test::HasText("not in B")));
}

TEST_F(ComparisonUseTest, TheLegendReadsNoCursorThatTheViewHasLeft) {
    view.axisOfA().setPinnedCursor(step(view.sideA(), 1).range.begin + Nanoseconds(1000));
    ASSERT_EQ(chart()->legend().size(), 3) << "both are read";
    chooseTable(2);
    clickRowOf("blocks.7");
    ASSERT_FALSE(view.axisOfA().visibleRange().contains(*view.axisOfA().pinnedCursor()));
    EXPECT_EQ(chart()->legend(), (QStringList{"A  one", "B  two", "− B uses less", "+ B uses more"}));
}

TEST_F(ComparisonUseTest, OfAGpuAgainstACpuTheOpsAreShownFirst) {
    const auto* tables = view.findChild<SegmentedControl*>("comparisonTables");
    ASSERT_EQ(tables->current(), 0) << "two runs on a GPU";
    compare(open("small-fp32-naive"), test::makeSyntheticRun());
    EXPECT_EQ(tables->current(), 1);
    EXPECT_THAT(label("comparedWords"), test::BeginsWith("GPU time of A, CPU time of B"));
    EXPECT_THAT(label("comparisonNotes"), test::HasText("kernels do not compare"));
    // In very little room the CPU's ops stand above the modules, as the GPU's do.
    resize(kLow);
    const auto topOf = [this](TrackKind kind) {
        for (const TimelineTrack& track : view.timelineOfB()->rows().tracks()) {
            if (track.kind == kind)
                return track.top;
        }
        return -1;
    };
    ASSERT_GE(topOf(TrackKind::kCpuThread), 0);
    EXPECT_LT(topOf(TrackKind::kPhase), topOf(TrackKind::kCpuThread));
    EXPECT_LT(topOf(TrackKind::kCpuThread), topOf(TrackKind::kModule));
    // Who wants them has them, swapped too.
    chooseTable(0);
    view.swap();
    view.refreshNow();
    EXPECT_EQ(tables->current(), 0);
}

TEST_F(ComparisonUseTest, TheLineOfARowSaysWhatItIsOfAndThatIsOutlined) {
    chooseTable(2);
    for (const char* module : {"blocks.0", "blocks"}) {
        clickRowOf(module);
        EXPECT_TRUE(label("comparisonMessage")
                        .startsWith(QLatin1String(module) +
                                    QStringLiteral(", forward of step 1 on the GPU, begin to end: A ")))
            << label("comparisonMessage").toStdString();
        Landmark landmark{.kind = Landmark::Kind::kModule, .onGpu = true, .module = module};
        const TimeRange inA = find(view.sideA(), landmark).range, inB = find(view.sideB(), landmark).range;
        EXPECT_EQ(outlineOf(view.timelineOfA()), inA) << module;
        EXPECT_EQ(outlineOf(view.timelineOfB()), inB) << module;
        EXPECT_TRUE(label("comparisonMessage").endsWith(durationsText(inA.duration(), inB.duration())));
    }
    // Another step's is said to be that step's.
    chooseStep("stepOfB", 2);
    view.refreshNow();
    EXPECT_TRUE(label("comparisonMessage")
                    .startsWith("blocks, forward of step 1 of A and 2 of B on the GPU, begin to end: A "))
        << label("comparisonMessage").toStdString();
    const Landmark blocks{.kind = Landmark::Kind::kModule, .onGpu = true, .module = "blocks"};
    EXPECT_EQ(outlineOf(view.timelineOfB()), find(view.sideB(), blocks, 2).range);
    // What is a span is outlined as one, and what is clicked takes its place.
    view.axisOfA().setSelectedSpan(spanOf(view.sideA(), "backward"));
    EXPECT_FALSE(outlineOf(view.timelineOfA()) || outlineOf(view.timelineOfB()));
    chooseTable(3);
    clickRowOf("forward");
    EXPECT_FALSE(outlineOf(view.timelineOfA()) || outlineOf(view.timelineOfB()));
    EXPECT_THAT(label("comparisonMessage"), test::HasText(" on the GPU, begin to end: A "));
}

TEST_F(ComparisonUseTest, SwappingTurnsTheOutlinesRoundToo) {
    chooseTable(2);
    clickRowOf("blocks");
    const auto inA = outlineOf(view.timelineOfA()), inB = outlineOf(view.timelineOfB());
    ASSERT_TRUE(inA && inB);
    ASSERT_NE(inA, inB) << "or either would do";
    view.swap();
    EXPECT_EQ(outlineOf(view.timelineOfA()), inB);
    EXPECT_EQ(outlineOf(view.timelineOfB()), inA);
}

TEST_F(ComparisonUseTest, OpsModulesAndPhasesHaveTheirMemoryBesideTheirTime) {
    resize(kLow);
    const RunComparison expected = compareRuns(view.sideA().snapshot, view.sideB().snapshot);
    const std::pair<int, const std::vector<ComparisonRow>*> tables[] = {
        {1, &expected.opMemory}, {2, &expected.moduleMemory}, {3, &expected.phaseMemory}};
    for (const auto& [kind, rows] : tables) {
        chooseTable(kind);
        ASSERT_FALSE(rows->empty());
        for (const ComparisonRow& row : *rows) {
            // A step's stands beside the GPU's time of all its phases.
            const std::string shown(kind == 3 && row.name == kStepRow ? kAllPhasesRow : row.name);
            const int place = rowOf(shown.c_str());
            ASSERT_GE(place, 0) << row.name;
            EXPECT_EQ(value(place, "memory_a_bytes"), row.inA ? row.a : 0) << row.name;
            EXPECT_EQ(value(place, "memory_b_bytes"), row.inB ? row.b : 0) << row.name;
        }
        EXPECT_TRUE(label("comparedWords").contains("memory: ")) << kind;
        for (int column = 0; column < ComparisonModel::places(); ++column)
            EXPECT_FALSE(table()->isColumnHidden(column)) << kind << ' ' << column;
        EXPECT_TRUE(table()->asTsv().startsWith("Name\tA (ns)\tB (ns)\t"));
        EXPECT_TRUE(table()->asTsv().contains("Memory difference (bytes)"));
        // By memory as by time: the largest change first.
        table()->sortByColumn(ComparisonModel::place("memory_difference_bytes"), Qt::DescendingOrder);
        EXPECT_EQ(table()->proxy()->index(0, 0).data().toString().toStdString(),
                  std::max_element(rows->begin(), rows->end(), [](const auto& x, const auto& y) {
                      return std::abs(x.difference()) < std::abs(y.difference());
                  })->name);
        table()->sortByColumn(ComparisonModel::place("difference"), Qt::DescendingOrder);
    }
    for (const int kind : {0, 4}) {
        chooseTable(kind);
        QTest::qWait(0);  // beside the chart there is room for all of it too
        for (int column = 0; column < ComparisonModel::places(); ++column)
            EXPECT_EQ(table()->isColumnHidden(column), column >= ComparisonModel::place("memory_a_bytes"))
                << kind << ' ' << column;
    }
}

TEST_F(ComparisonUseTest, TheLineOfASelectionIsOfTheStepsThatAreChosen) {
    const auto line = [this] { return label("comparisonMessage"); };
    const auto stepOf = [](const ComparisonView::Side& side, SpanRef span) {
        return side.snapshot->lane(span.lane).row(span.row)->step;
    };
    view.axisOfA().setSelectedSpan(spanOf(view.sideA(), "backward"));
    const QString before = line();
    ASSERT_TRUE(before.startsWith("backward")) << before.toStdString();
    // Another step: the same in it, of both runs.
    chooseStep("stepOfA", 2);
    chooseStep("stepOfB", 3);
    view.refreshNow();
    EXPECT_NE(line(), before);
    ASSERT_TRUE(view.axisOfA().selectedSpan() && view.axisOfB().selectedSpan());
    EXPECT_EQ(stepOf(view.sideA(), *view.axisOfA().selectedSpan()), step(view.sideA(), 2).step);
    EXPECT_EQ(stepOf(view.sideB(), *view.axisOfB().selectedSpan()), step(view.sideB(), 3).step);
    const auto duration = [](const ComparisonView::Side& side, SpanRef span) {
        return durationText(Nanoseconds(side.snapshot->lane(span.lane).row(span.row)->duration));
    };
    EXPECT_TRUE(line().contains(duration(view.sideA(), *view.axisOfA().selectedSpan())))
        << line().toStdString();
    EXPECT_TRUE(line().contains(duration(view.sideB(), *view.axisOfB().selectedSpan())))
        << line().toStdString();
    // Swapped it says the same the other way round.
    QTest::keyClick(&view, Qt::Key_X);
    EXPECT_THAT(line(), test::BeginsWith("backward"));
    EXPECT_TRUE(
        line().contains(QStringLiteral("A ") + duration(view.sideA(), *view.axisOfA().selectedSpan())));
    // A step is called by its number in each run.
    view.axisOfA().setSelectedSpan(std::nullopt);
    const Snapshot& run = *view.sideA().snapshot;
    view.axisOfA().setSelectedSpan(test::spanOf(run, TrackKind::kStep, 1));
    EXPECT_THAT(line(), test::BeginsWith("Step 1 of A, step 2 of B: A "));
    // Nothing is selected: nothing is said.
    view.axisOfA().setSelectedSpan(std::nullopt);
    chooseStep("stepOfB", 1);
    EXPECT_THAT(line(), test::BeginsWith("Click a block"));
}

}  // namespace warpglass::ui::comparison_use_test
