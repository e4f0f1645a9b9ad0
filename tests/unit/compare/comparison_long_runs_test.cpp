// A comparison of runs whose steps are long: what is looked for in them is found off the window's thread, and
// an answer that nobody waits for any more changes nothing.
#include "tests/support/trace_text.h"
#include "tests/unit/compare/comparison_fixture.h"

namespace warpglass::ui::comparison_long_runs_test {

struct ComparisonLongRunsTest : ComparisonViewTest {
    static LaneId laneOfOps(const ComparisonView::Side& side) {
        const TrackId track = side.snapshot->tracksOfKind(TrackKind::kCpuThread).front();
        return side.snapshot->lanesOf(track).front().id();
    }
};

/// Two steps of very many ops, each of its own place in the order of its like.
std::shared_ptr<const Snapshot> twoLongSteps(std::int64_t pace) {
    constexpr std::int64_t kOps = 130'000;
    const std::int64_t length = kOps * pace;
    return test::traceOf(test::filled(R"(
        info state finished steps.completed 2
        step 0 0-% | repeat % every % | op aten::mm 0-%
        step 1 %-% | repeat % every % | op aten::mm %-%
    )",
                                      length, kOps, pace, pace - 1, length, 2 * length, kOps, pace, length,
                                      length + pace - 1));
}

TEST_F(ComparisonLongRunsTest, AChosenStepIsAlignedWhateverIsAskedMeanwhile) {
    view.setRuns({"one", twoLongSteps(10), nullptr}, {"two", twoLongSteps(20), nullptr});
    view.refreshNow();
    Landmark op{.kind = Landmark::Kind::kOp, .op = "aten::mm", .nth = 100};
    view.alignAt(op);
    view.refreshNow();
    EXPECT_EQ(view.link().offset(), Nanoseconds(1000));
    const auto starts = [this](std::size_t a, std::size_t b) {
        return step(view.sideB(), b).range.begin - step(view.sideA(), a).range.begin;
    };
    view.chooseSteps(1, 0);
    // A click while the op is looked for in these steps.
    view.axisOfA().setSelectedSpan(SpanRef{laneOfOps(view.sideA()), 5});
    EXPECT_EQ(view.link().offset(), starts(1, 0));
    view.refreshNow();
    EXPECT_EQ(view.link().offset(), starts(1, 0));
    // Without one the op is found.
    view.alignAt(op);
    view.refreshNow();
    view.chooseSteps(1, 1);
    EXPECT_EQ(view.link().offset(), starts(1, 1));
    view.refreshNow();
    EXPECT_EQ(view.link().offset(), starts(1, 1) + Nanoseconds(1000));
}

TEST_F(ComparisonLongRunsTest, OtherRunsDoNotWaitForWhatWasLookedForInTheFormer) {
    const ComparisonView::Side a = view.sideA(), b = view.sideB();
    view.setRuns({"one", twoLongSteps(10), nullptr}, {"two", twoLongSteps(20), nullptr});
    view.refreshNow();
    view.axisOfA().setSelectedSpan(SpanRef{laneOfOps(view.sideA()), 100'000});
    EXPECT_FALSE(view.axisOfB().selectedSpan()) << "it is still looked for";
    view.setRuns(a, b);
    view.refreshNow();
    EXPECT_FALSE(view.axisOfA().selectedSpan() || view.axisOfB().selectedSpan());
    EXPECT_TRUE(label("comparisonMessage").startsWith("Click a block"))
        << label("comparisonMessage").toStdString();
    view.chooseSteps(1, 1);
    view.alignAt(landmark("backward"));
    expectAlignedAt(landmark("backward"));
}

/// One step of very many ops, each of its own place in the order of its like.
std::shared_ptr<const Snapshot> longStep(std::int64_t pace) {
    constexpr std::int64_t kOps = 260'000;
    return test::traceOf(test::filled(R"(
        info state finished
        step 0 0-% | repeat % every % | op aten::mm 0-%
    )",
                                      kOps * pace, kOps, pace, pace - 1));
}

TEST_F(ComparisonLongRunsTest, ALongStepIsLookedThroughOffTheWindowsThread) {
    view.setRuns({"one", longStep(10), nullptr}, {"two", longStep(20), nullptr});
    view.refreshNow();
    const LaneId ops = laneOfOps(view.sideA());
    view.axisOfA().setSelectedSpan(SpanRef{ops, 100'000});
    EXPECT_FALSE(view.axisOfB().selectedSpan()) << "it is still looked for";
    // What was asked before is of no interest any more.
    view.axisOfA().setSelectedSpan(SpanRef{ops, 200'000});
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.axisOfB().selectedSpan().has_value(); }, 20'000));
    EXPECT_EQ(view.axisOfB().selectedSpan(), (SpanRef{ops, 200'000}));
    EXPECT_TRUE(label("comparisonMessage").contains("2.11×")) << label("comparisonMessage").toStdString();
    // The list of what they can be aligned at comes when it is there.
    auto* chooser = view.findChild<LandmarkChooser*>();
    auto* list = chooser->findChild<QListWidget*>("landmarkList");
    chooser->openList();
    EXPECT_EQ(list->item(0)->text(), "Looking through both steps…");
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return list->item(0)->text() == QStringLiteral("step start"); }, 20'000));
}

}  // namespace warpglass::ui::comparison_long_runs_test
