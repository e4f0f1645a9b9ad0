// How conditions of the filter and the selection follow upon one another: what takes whose place, and what
// Back and Esc undo.
#include <QMenu>
#include <QTest>
#include <QToolButton>

#include "engine/query/findings/finding.h"
#include "tests/unit/panels/tables_fixture.h"
#include "ui/panels/filter_bar.h"
#include "ui/panels/op_table.h"

namespace warpglass::ui::filter_history_test {

TEST_F(TablesTest, WhatCountsStaysUntilSomethingElseIsPicked) {
    const SpanRef phase = spanOf(TrackKind::kPhase, "backward"),
                  op = spanOf(TrackKind::kCpuThread, "aten::mm");
    const TimeRange range{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value / 3)};
    axis.setSelectedSpan(phase);
    axis.setSelectedRange(range);
    EXPECT_EQ(filter.state().range, range);
    EXPECT_FALSE(filter.state().span) << "a range takes the place of a span";
    filter.pick(op);
    EXPECT_EQ(filter.state().range, range);
    EXPECT_EQ(axis.selectedRange(), range);
    filter.pick(phase);
    EXPECT_EQ(filter.state().span, phase) << "and a span that of a range";
    EXPECT_FALSE(axis.selectedRange());
    filter.back();
    EXPECT_EQ(filter.state().range, range) << "in one step";
    EXPECT_EQ(axis.selectedRange(), range);
    filter.forward();
    EXPECT_EQ(filter.state().span, phase);

    // Looked at, it does not count until it is picked.
    filter.remove(RunFilter::Condition::kSelection);
    EXPECT_FALSE(axis.selectedSpan());
    filter.look(phase);
    EXPECT_FALSE(filter.usesSelection());
    filter.pick(phase);
    EXPECT_EQ(filter.state().span, phase);

    // The chip goes and what is looked at stays; so it does going back.
    filter.pick(op);
    filter.remove(RunFilter::Condition::kSelection);
    EXPECT_FALSE(filter.usesSelection());
    EXPECT_EQ(axis.selectedSpan(), op);
    filter.back();
    EXPECT_EQ(filter.state().span, phase);
    EXPECT_EQ(axis.selectedSpan(), op);
    filter.reset();
    EXPECT_EQ(filter.state(), RunFilter::State());
}

TEST_F(TablesTest, BackUndoesTheFilterAndTheSelection) {
    OpTable table(document, axis, filter);
    const std::int64_t all = instances(table);
    auto* back = table.findChild<QToolButton*>("filterBack");
    EXPECT_FALSE(back->isEnabled());
    filter.setModule("blocks.0");
    const std::int64_t inModule = instances(table);
    // Dragging a range is one step, however many positions it goes through.
    for (int i = 3; i < 8; ++i)
        axis.setSelectedRange(
            TimeRange{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value * i / 10)});
    EXPECT_NE(instances(table), inModule);
    QTest::mouseClick(back, Qt::LeftButton);
    EXPECT_FALSE(axis.selectedRange());
    EXPECT_EQ(instances(table), inModule);
    filter.forward();
    EXPECT_TRUE(axis.selectedRange());
    filter.back();
    filter.back();
    EXPECT_EQ(instances(table), all);
    EXPECT_FALSE(back->isEnabled());
    filter.setText("m");
    filter.setText("mm");
    filter.back();
    EXPECT_TRUE(filter.state().text.isEmpty());
    // Another run starts anew.
    filter.setModule("blocks.0");
    document.setSnapshot(test::makeSyntheticRun());
    EXPECT_EQ(filter.state(), RunFilter::State());
    EXPECT_FALSE(filter.canGoBack());
}

TEST_F(TablesTest, AConditionThatWhatIsPickedSaysAlreadyTakesItsPlace) {
    const auto offers = [this](const char* module, Phase phase) {
        QMenu menu;
        addFilterActions(menu, filter, module, phase, {});
        QStringList texts;
        for (const QAction* action : menu.actions())
            texts << action->text();
        return texts.join(QLatin1Char('|')).toStdString();
    };
    const SpanRef backward = spanOf(TrackKind::kPhase, "backward");
    filter.pick(spanOf(TrackKind::kStep, "step 2"));
    EXPECT_EQ(offers("", Phase::kBackward), "Only in backward") << "of that step";
    filter.setPhase(Phase::kBackward);
    EXPECT_TRUE(filter.usesSelection());
    filter.back();

    filter.pick(backward);
    EXPECT_EQ(offers("blocks.0", Phase::kBackward),
              "Only in blocks.0|Only in backward, of Every Measured Step");
    filter.setModule("blocks.0");
    EXPECT_EQ(filter.state().span, backward);
    filter.back();
    filter.setPhase(Phase::kBackward);
    EXPECT_FALSE(filter.usesSelection());
    EXPECT_FALSE(axis.selectedSpan());
    EXPECT_EQ(filter.words().withoutText(), "measured steps, backward");
    filter.back();
    EXPECT_EQ(filter.state().span, backward) << "in one step";

    // What is within a module is a part of it, and another module is instead of it.
    filter.pick(spanOf(TrackKind::kModule, "blocks.1"));
    filter.setModule("blocks.1.attn");
    EXPECT_TRUE(filter.usesSelection());
    filter.back();
    EXPECT_EQ(offers("blocks.1", Phase::kNone), "Only in blocks.1, of Every Measured Step");
    filter.setModule("blocks.1");
    EXPECT_EQ(filter.words().withoutText(), "measured steps, blocks.1");
    filter.back();
    filter.setModule("blocks.0");
    EXPECT_EQ(filter.words().withoutText(), "measured steps, blocks.0");
    filter.back();
    filter.setPhase(Phase::kForward);
    EXPECT_EQ(filter.words().withoutText(), "measured steps, forward, blocks.1");
}

TEST_F(TablesTest, EscLetsGoOfWhatIsLookedAtBeforeWhatCounts) {
    const SpanRef phase = spanOf(TrackKind::kPhase, "backward"),
                  op = spanOf(TrackKind::kCpuThread, "aten::mm");
    filter.pick(phase);
    filter.pick(op);
    axis.setPinnedCursor(Nanoseconds(5));
    EXPECT_TRUE(filter.letGo());
    EXPECT_FALSE(axis.selectedSpan());
    EXPECT_FALSE(axis.pinnedCursor());
    EXPECT_EQ(filter.state().span, phase);
    EXPECT_TRUE(filter.letGo());
    EXPECT_FALSE(filter.usesSelection());
    EXPECT_FALSE(filter.letGo());
    const TimeRange range{Nanoseconds(10), Nanoseconds(1000)};
    axis.setSelectedRange(range);
    filter.pick(op);
    EXPECT_TRUE(filter.letGo());
    EXPECT_EQ(axis.selectedRange(), range);
    EXPECT_TRUE(filter.letGo());
    EXPECT_FALSE(axis.selectedRange());
    EXPECT_FALSE(filter.letGo());
    filter.pick(op);
    EXPECT_TRUE(filter.letGo());
    EXPECT_FALSE(axis.selectedSpan());
}

TEST_F(TablesTest, WhatAFindingCountedIsOneStepBack) {
    const TimeRange range{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value / 3)};
    const TimeRange other{range.begin, range.end + Nanoseconds(range.duration().value / 2)};
    Evidence first, second;
    first.range = range;
    first.names = "aten::mm";
    first.phase = Phase::kBackward;
    first.allocations = {AllocationId(3), AllocationId(5)};
    second.range = other;
    Evidence third{.range = range};

    filter.setModule("blocks.1");
    filter.pick(spanOf(TrackKind::kPhase, "backward"));
    filter.setText("mm");
    const RunFilter::State before = filter.state();
    int changes = 0;
    QObject::connect(&filter, &RunFilter::changed, &filter, [&changes] { ++changes; });
    filter.setEvidence(first);
    EXPECT_EQ(changes, 1);
    const RunFilter::State shown = filter.state();
    EXPECT_EQ(shown.range, range);
    EXPECT_EQ(axis.selectedRange(), range);
    EXPECT_FALSE(axis.selectedSpan());
    EXPECT_EQ(shown.name, "aten::mm");
    EXPECT_EQ(shown.phase, Phase::kBackward);
    ASSERT_TRUE(shown.allocations);
    EXPECT_EQ(*shown.allocations, first.allocations);
    EXPECT_TRUE(shown.module.empty() && shown.text.isEmpty() && !shown.span) << "nothing of before";

    // From one to the next, also where only the range is another.
    filter.setEvidence(second);
    const RunFilter::State ofSecond = filter.state();
    filter.setEvidence(third);
    EXPECT_EQ(axis.selectedRange(), range);
    filter.back();
    EXPECT_EQ(filter.state(), ofSecond);
    EXPECT_EQ(axis.selectedRange(), other);
    filter.back();
    EXPECT_EQ(filter.state(), shown);
    filter.back();
    EXPECT_EQ(filter.state(), before);
    EXPECT_EQ(axis.selectedSpan(), before.span);
    filter.forward();
    EXPECT_EQ(filter.state(), shown);
    filter.setEvidence({});
    EXPECT_EQ(filter.state(), RunFilter::State());
    EXPECT_FALSE(axis.selectedRange());
    filter.back();
    EXPECT_EQ(filter.state(), shown);
}

}  // namespace warpglass::ui::filter_history_test
