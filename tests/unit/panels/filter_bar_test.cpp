// The filter bar and its chips in little room, and where the keyboard goes from them.
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "tests/support/show_unseen.h"
#include "tests/unit/panels/tables_fixture.h"
#include "ui/controls/data_table.h"
#include "ui/panels/filter_bar.h"
#include "ui/panels/op_table.h"

namespace warpglass::ui::filter_bar_test {

QList<QToolButton*> chipsOf(const OpTable& table) {
    return table.findChildren<QToolButton*>(QRegularExpression("^chip"));
}

QList<QToolButton*> shownChips(const OpTable& table) {
    QList<QToolButton*> chips = chipsOf(table);
    chips.removeIf([](const QToolButton* one) { return !one->isVisible(); });
    return chips;
}

TEST_F(TablesTest, ManyConditionsGoUnderOneChipWhereThereIsNoRoom) {
    OpTable table(document, axis, filter);
    test::showUnseen(table, {720, 300});
    filter.setModule("blocks.1.attn");
    filter.setPhase(Phase::kBackward);
    filter.setName("aten::_scaled_dot_product_attention_math");
    QCoreApplication::processEvents();
    EXPECT_LE(table.minimumSizeHint().width(), 720);
    auto* more = table.findChild<QToolButton*>("filterMore");
    const auto shown = shownChips(table).size();
    EXPECT_EQ(more->isVisible(), shown < 4);
    if (more->isVisible()) {
        EXPECT_EQ(more->text(), QStringLiteral("%1 more").arg(4 - shown));
        emit more->menu()->aboutToShow();
        ASSERT_EQ(more->menu()->actions().size(), 4 - shown);
        more->menu()->actions().last()->trigger();
        EXPECT_TRUE(filter.state().name.empty());
    }
}

TEST_F(TablesTest, ChipsOfANarrowTableStandOnALineOfTheirOwnAndCanBeRead) {
    OpTable table(document, axis, filter);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.show();
    auto* line = table.findChild<QWidget*>("filterLine");
    const auto chips = [&](int width) {
        table.resize(width, 300);
        QCoreApplication::processEvents();
        return shownChips(table);
    };
    axis.setSelectedSpan(spanOf(TrackKind::kModule, "blocks.1.attn"));
    EXPECT_EQ(chips(1600).size(), 1);
    EXPECT_FALSE(line->isVisible());
    axis.setSelectedSpan(spanOf(TrackKind::kStep, "step 2"));
    filter.setModule("blocks.1.attn");
    filter.setPhase(Phase::kBackward);
    for (const int width : {640, 560, 1600, 640}) {
        const auto shown = chips(width);
        ASSERT_EQ(shown.size(), 3) << width;
        EXPECT_EQ(line->isVisible(), width < 1000) << width;
        for (const QToolButton* chip : shown) {
            EXPECT_GE(chip->width(), std::min(chip->sizeHint().width(), 132)) << chip->text().toStdString();
            EXPECT_EQ(chip->parentWidget() == line, line->isVisible());
            EXPECT_TRUE(chip->parentWidget()->rect().contains(chip->geometry())) << width;
        }
        EXPECT_LE(line->isVisible() ? line->geometry().bottom() : 0, table.table().geometry().top());
    }
    QTest::mouseClick(chips(640).last(), Qt::LeftButton);
    EXPECT_EQ(chips(640).size(), 2);
    // To and fro: none is ever left over the field, before the layout has its say or after.
    const auto* field = table.findChild<QLineEdit*>("filterText");
    for (const bool many : {false, true, false, true, false}) {
        filter.reset();
        if (many) {
            filter.setModule("blocks.1.attn");
            filter.setPhase(Phase::kBackward);
        }
        for (const bool laidOut : {false, true}) {
            if (laidOut)
                QCoreApplication::processEvents();
            for (auto* found : chipsOf(table)) {
                if (found->isHidden())
                    continue;
                const bool onLine = found->parentWidget() == line;
                EXPECT_TRUE(onLine || !found->geometry().intersects(field->geometry()));
                EXPECT_TRUE(!laidOut || onLine) << found->text().toStdString();
            }
        }
    }
}

TEST_F(TablesTest, NoConditionThatComesOrGoesMovesTheTable) {
    OpTable table(document, axis, filter);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.refreshNow();
    table.show();
    const auto* line = table.findChild<QWidget*>("filterLine");
    bool below = false, inBar = false;
    for (int width = 500; width <= 1500; width += 50) {
        table.resize(width, 300);
        filter.reset();
        filter.setSteps(RunFilter::Steps::kAll);  // not a chip is left
        QCoreApplication::processEvents();
        const QRect rows = table.table().geometry();
        const bool hasLine = line->isVisible();
        (hasLine ? below : inBar) = true;
        const auto expectStill = [&](const char* with) {
            QCoreApplication::processEvents();
            EXPECT_EQ(table.table().geometry(), rows) << width << with;
            EXPECT_EQ(line->isVisible(), hasLine) << width << with;
        };
        filter.setPhase(Phase::kBackward);
        expectStill(" one");
        filter.setModule("blocks.1.attn");
        filter.setName("aten::_scaled_dot_product_attention_math");
        expectStill(" three");
        axis.setSelectedSpan(spanOf(TrackKind::kStep, "step 2"));
        expectStill(" four");
        filter.reset();
        expectStill(" none");
    }
    EXPECT_TRUE(below && inBar);
}

TEST_F(TablesTest, TheCountAtTheEndOfTheBarGivesWayToTheChips) {
    OpTable table(document, axis, filter);
    table.refreshNow();
    filter.setPhase(Phase::kBackward);
    filter.setModule("blocks.1.attn");
    test::showUnseen(table, {FilterBar::kLeastWidthForChips, 300});
    QCoreApplication::processEvents();
    const auto* more = table.findChild<QToolButton*>("filterMore");
    EXPECT_FALSE(more->isVisible());
    const auto* columns = table.findChild<QWidget*>("opColumns");
    for (const auto* found : chipsOf(table))
        EXPECT_LE(found->mapTo(&table, found->rect().topRight()).x(), columns->x());
    table.resize(1500, 300);
    QCoreApplication::processEvents();
    EXPECT_GT(table.findChild<QWidget*>("opSummary")->width(), 300);
}

TEST_F(TablesTest, TheLineOfChipsIsHiddenWithItsBarAndComesBackWhereItIsNeeded) {
    OpTable table(document, axis, filter);
    test::showUnseen(table, {520, 300});
    auto* bar = table.findChild<FilterBar*>();
    auto* line = table.findChild<QWidget*>("filterLine");
    axis.setSelectedSpan(spanOf(TrackKind::kStep, "step 2"));
    filter.setModule("blocks.1.attn");
    filter.setPhase(Phase::kBackward);
    QCoreApplication::processEvents();
    ASSERT_TRUE(line->isVisible());
    // As around a view that is alone.
    bar->hide();
    line->hide();
    filter.setName("aten::mm");
    QCoreApplication::processEvents();
    EXPECT_FALSE(line->isVisible());
    filter.reset();
    filter.setSteps(RunFilter::Steps::kAll);  // not a chip is left
    bar->show();
    QCoreApplication::processEvents();
    EXPECT_TRUE(line->isVisible()) << "its room is kept for the next chip";
    table.resize(1200, 300);
    QCoreApplication::processEvents();
    EXPECT_FALSE(line->isVisible());
    table.resize(520, 300);
    filter.setModule("blocks.1.attn");
    filter.setPhase(Phase::kBackward);
    filter.setName("aten::mm");
    QCoreApplication::processEvents();
    EXPECT_TRUE(line->isVisible());
}

TEST_F(TablesTest, TheMenuTicksTheStepsThatCountAndChoosingThemTakesTheSelectionsPlace) {
    OpTable table(document, axis, filter);
    auto* menu = table.findChild<QToolButton*>("filterAdd")->menu();
    const auto steps = [menu](const QString& title) {
        emit menu->aboutToShow();
        return entryOf(*menu, title);
    };
    const QString measured = "Measured Steps";
    EXPECT_TRUE(steps(measured)->isChecked());
    filter.pick(spanOf(TrackKind::kStep, "step 2"));
    ASSERT_TRUE(filter.state().span);
    EXPECT_FALSE(steps(measured)->isChecked()) << "it is one step that counts";
    steps(measured)->trigger();
    EXPECT_FALSE(filter.state().span);
    EXPECT_EQ(filter.words().chips().front().condition, RunFilter::Condition::kSteps);
    EXPECT_TRUE(steps(measured)->isChecked());
}

TEST_F(TablesTest, BackAndAChipLeaveTheFocusWhereItIs) {
    OpTable table(document, axis, filter);
    auto* steps = chip(table, RunFilter::Condition::kSteps);
    table.activateWindow();
    table.table().setFocus();
    QTest::mouseClick(steps, Qt::LeftButton);
    EXPECT_EQ(table.focusWidget(), &table.table());
    auto* back = table.findChild<QToolButton*>("filterBack");
    QTest::mouseClick(back, Qt::LeftButton);
    EXPECT_FALSE(filter.canGoBack());
    EXPECT_EQ(table.focusWidget(), &table.table());
    // By keys, to a chip beside it: never into the field, where keys are text.
    filter.setPhase(Phase::kBackward);
    back->setFocus();
    QTest::keyClick(back, Qt::Key_Space);
    EXPECT_FALSE(filter.state().phase);
    EXPECT_EQ(table.focusWidget(), chip(table, RunFilter::Condition::kSteps));
    QTest::keyClick(table.focusWidget(), Qt::Key_Delete);
    EXPECT_EQ(table.focusWidget()->objectName(), "filterAdd");
    // Esc empties the field before it lets go of anything.
    auto* field = table.findChild<QLineEdit*>("filterText");
    QTest::keyClicks(field, "mm");
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_TRUE(filter.state().text.isEmpty());
}

}  // namespace warpglass::ui::filter_bar_test
