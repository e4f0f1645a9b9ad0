// What the filter over the tables counts, by its chips, its text and a selection, and what Back undoes.
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QToolButton>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "tests/unit/panels/tables_fixture.h"
#include "ui/panels/op_table.h"
#include "ui/theme/data_table.h"

namespace warpglass::ui {
namespace {

TEST_F(TablesTest, OpsCountWhatTheFilterSays) {
    OpTable table(document, axis, filter);
    SpanFilter measured;
    measured.measuredOnly = true;
    EXPECT_EQ(instances(table), expected(measured));
    QTest::mouseClick(chip(table, RunFilter::Condition::kSteps), Qt::LeftButton);
    EXPECT_EQ(instances(table), expected({}));
    EXPECT_GT(expected({}), expected(measured));
    EXPECT_EQ(chip(table, RunFilter::Condition::kSteps), nullptr);
    filter.setSteps(RunFilter::Steps::kInView);
    const TimeRange view{Nanoseconds(run->range().end.value / 3), Nanoseconds(run->range().end.value / 2)};
    axis.setVisibleRange(view);
    SpanFilter inView;
    inView.ranges = {view};
    EXPECT_EQ(instances(table), expected(inView));
    filter.setSteps(RunFilter::Steps::kMeasured);
    filter.setModule("blocks.1");
    filter.setPhase(Phase::kBackward);
    measured.modulePath = "blocks.1";
    measured.phase = Phase::kBackward;
    EXPECT_EQ(instances(table), expected(measured));
    EXPECT_GT(expected(measured), 0);
    filter.setName("aten::mm");
    measured.name = "aten::mm";
    EXPECT_EQ(instances(table), expected(measured));
    EXPECT_TRUE(table.findChild<QLabel*>(QStringLiteral("opSummary"))
                    ->text()
                    .contains(QStringLiteral("in measured steps, backward, blocks.1, aten::mm")));
}

TEST_F(TablesTest, ASelectionOverrulesTheStepsUntilItsChipIsClicked) {
    OpTable table(document, axis, filter);
    const std::int64_t all = instances(table);
    EXPECT_EQ(chip(table, RunFilter::Condition::kSelection), nullptr);
    const TimeRange range{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value / 3)};
    axis.setSelectedRange(range);
    SpanFilter selected;
    selected.ranges = {range};
    EXPECT_EQ(instances(table), expected(selected));
    EXPECT_EQ(chip(table, RunFilter::Condition::kSteps), nullptr);
    auto* selection = chip(table, RunFilter::Condition::kSelection);
    ASSERT_NE(selection, nullptr);
    EXPECT_TRUE(selection->text().endsWith(QString::fromStdString(formatMoment(range.end))));
    EXPECT_TRUE(table.findChild<QLabel*>(QStringLiteral("opSummary"))
                    ->text()
                    .contains(QStringLiteral(" ops begin in the selected ")));
    QTest::keyClick(selection, Qt::Key_Delete);
    EXPECT_FALSE(axis.selectedRange());
    EXPECT_EQ(instances(table), all);
    EXPECT_EQ(chip(table, RunFilter::Condition::kSelection), nullptr);
}

TEST_F(TablesTest, ASelectedPhaseOrModuleFiltersAndASelectedOpDoesNot) {
    OpTable table(document, axis, filter);
    const std::int64_t all = instances(table);
    SpanFilter selected;
    for (const auto& [kind, name] :
         {std::pair{TrackKind::kPhase, "backward"}, std::pair{TrackKind::kModule, "blocks.1.attn"}}) {
        const SpanRef span = spanOf(kind, name);
        axis.setSelectedSpan(span);
        selected.ranges = {describeSpan(*run, span)->range()};
        EXPECT_EQ(instances(table), expected(selected)) << name;
        EXPECT_LT(expected(selected), all);
    }
    // An op is looked at, and letting go of it lets go of nothing else.
    axis.setSelectedSpan(spanOf(TrackKind::kCpuThread, "aten::mm"));
    EXPECT_EQ(instances(table), expected(selected));
    EXPECT_TRUE(filter.isLooking());
    axis.setSelectedSpan(std::nullopt);
    EXPECT_EQ(instances(table), expected(selected));
    QTest::keyClick(chip(table, RunFilter::Condition::kSelection), Qt::Key_Delete);
    EXPECT_EQ(instances(table), all);
    axis.setSelectedSpan(spanOf(TrackKind::kCpuThread, "aten::mm"));
    EXPECT_EQ(instances(table), all);
}

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
    auto* back = table.findChild<QToolButton*>(QStringLiteral("filterBack"));
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
    filter.setText(QStringLiteral("m"));
    filter.setText(QStringLiteral("mm"));
    filter.back();
    EXPECT_TRUE(filter.state().text.isEmpty());
    // Another run starts anew.
    filter.setModule("blocks.0");
    document.setSnapshot(test::makeSyntheticRun());
    EXPECT_EQ(filter.state(), RunFilter::State());
    EXPECT_FALSE(filter.canGoBack());
}

TEST_F(TablesTest, ManyConditionsGoUnderOneChipWhereThereIsNoRoom) {
    OpTable table(document, axis, filter);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.resize(720, 300);
    table.show();
    filter.setModule("blocks.1.attn");
    filter.setPhase(Phase::kBackward);
    filter.setName("aten::_scaled_dot_product_attention_math");
    QCoreApplication::processEvents();
    EXPECT_LE(table.minimumSizeHint().width(), 720);
    auto* more = table.findChild<QToolButton*>(QStringLiteral("filterMore"));
    int shown = 0;
    for (auto* found : table.findChildren<QToolButton*>())
        shown += found->objectName().startsWith(QStringLiteral("chip")) && found->isVisible() ? 1 : 0;
    EXPECT_EQ(more->isVisible(), shown < 4);
    if (more->isVisible()) {
        EXPECT_EQ(more->text(), QStringLiteral("%1 more").arg(4 - shown));
        emit more->menu()->aboutToShow();
        ASSERT_EQ(more->menu()->actions().size(), 4 - shown);
        more->menu()->actions().last()->trigger();
        EXPECT_TRUE(filter.state().name.empty());
    }
}

TEST_F(TablesTest, TheTextAndTheSummaryAgree) {
    OpTable table(document, axis, filter);
    table.refreshNow();
    std::int64_t sum = 0;
    int rows = 0;
    for (int r = 0; r < table.model().rowCount(); ++r) {
        const StatisticsRow& row = table.model().rowAt(r).row.figures;
        if (QString::fromStdString(row.name).contains(QStringLiteral("mm"), Qt::CaseInsensitive)) {
            ++rows;
            sum += row.instances;
        }
    }
    ASSERT_GT(rows, 0);
    QTest::keyClicks(table.findChild<QLineEdit*>(QStringLiteral("filterText")), QStringLiteral("MM"));
    EXPECT_EQ(table.table().shownRows(), rows);
    EXPECT_TRUE(table.findChild<QLabel*>(QStringLiteral("opSummary"))
                    ->text()
                    .startsWith(QString::fromStdString(formatGrouped(sum)) + QLatin1Char(' ')));
    filter.setText(QStringLiteral("nothing like it"));
    table.refreshNow();
    EXPECT_EQ(table.table().emptyText(), QStringLiteral("No name contains “nothing like it”"));
}

}  // namespace
}  // namespace warpglass::ui
