// What the filter over the tables counts, by its chips, its text and a selection, and what Back undoes.
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QTest>
#include <QToolButton>
#include <set>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "engine/query/findings/finding.h"
#include "tests/unit/panels/tables_fixture.h"
#include "ui/panels/distribution_pane.h"
#include "ui/panels/duration_histogram.h"
#include "ui/panels/filter_bar.h"
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

TEST_F(TablesTest, SeveralNamesAreOneCondition) {
    OpTable table(document, axis, filter);
    SpanFilter one, other;
    one.measuredOnly = other.measuredOnly = true;
    one.name = "aten::mm";
    other.name = "aten::add";
    filter.setName("aten::mm|aten::add");
    EXPECT_EQ(instances(table), expected(one) + expected(other));
    EXPECT_GT(expected(one), 0);
    EXPECT_GT(expected(other), 0);
    ASSERT_NE(chip(table, RunFilter::Condition::kName), nullptr);
    EXPECT_EQ(chip(table, RunFilter::Condition::kName)->text(), QStringLiteral("aten::mm and 1 more"));
    EXPECT_TRUE(
        table.findChild<QLabel*>(QStringLiteral("opSummary"))->text().endsWith(QStringLiteral(" a step")));
}

TEST_F(TablesTest, ChosenAllocationsAreAConditionThatIsLetGoAndComesBack) {
    OpTable table(document, axis, filter);
    filter.setAllocations({AllocationId(3), AllocationId(5)});
    ASSERT_TRUE(filter.allocations().among);
    EXPECT_EQ(*filter.allocations().among, (std::vector{AllocationId(3), AllocationId(5)}));
    auto* shown = chip(table, RunFilter::Condition::kAllocations);
    ASSERT_NE(shown, nullptr);
    EXPECT_EQ(shown->text(), QStringLiteral("2 chosen allocations"));
    EXPECT_TRUE(shown->property("without").toBool()) << "it says nothing of ops";
    QTest::mouseClick(shown, Qt::LeftButton);
    EXPECT_FALSE(filter.allocations().among);
    filter.back();
    EXPECT_TRUE(filter.allocations().among);
    filter.reset();
    EXPECT_EQ(filter.state(), RunFilter::State());
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

TEST_F(TablesTest, ChipsWithoutRoomInTheBarStandOnALineOfTheirOwnAndCanBeRead) {
    OpTable table(document, axis, filter);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.show();
    auto* line = table.findChild<QWidget*>(QStringLiteral("filterLine"));
    const auto chips = [&](int width) {
        table.resize(width, 300);
        QCoreApplication::processEvents();
        QList<QToolButton*> shown;
        for (auto* found : table.findChildren<QToolButton*>()) {
            if (found->objectName().startsWith(QStringLiteral("chip")) && found->isVisible())
                shown << found;
        }
        return shown;
    };
    axis.setSelectedSpan(spanOf(TrackKind::kModule, "blocks.1.attn"));
    EXPECT_EQ(chips(1600).size(), 1);
    EXPECT_FALSE(line->isVisible());
    axis.setSelectedSpan(spanOf(TrackKind::kStep, "step 2"));
    filter.setModule("blocks.1.attn");
    filter.setPhase(Phase::kBackward);
    for (const int width : {730, 560, 1600, 730}) {
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
    QTest::mouseClick(chips(730).last(), Qt::LeftButton);
    EXPECT_EQ(chips(730).size(), 2);
    // To and fro: none is ever left over the field, before the layout has its say or after.
    const auto* field = table.findChild<QLineEdit*>(QStringLiteral("filterText"));
    for (const bool many : {false, true, false, true, false}) {
        filter.reset();
        if (many) {
            filter.setModule("blocks.1.attn");
            filter.setPhase(Phase::kBackward);
        }
        for (const bool laidOut : {false, true}) {
            if (laidOut)
                QCoreApplication::processEvents();
            for (auto* found : table.findChildren<QToolButton*>()) {
                if (!found->objectName().startsWith(QStringLiteral("chip")) || found->isHidden())
                    continue;
                const bool onLine = found->parentWidget() == line;
                EXPECT_TRUE(onLine || !found->geometry().intersects(field->geometry()));
                EXPECT_TRUE(!laidOut || onLine == many) << found->text().toStdString();
            }
        }
    }
}

TEST_F(TablesTest, TheLineOfChipsIsHiddenWithItsBarAndComesBackWhereItIsNeeded) {
    OpTable table(document, axis, filter);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.resize(520, 300);
    table.show();
    auto* bar = table.findChild<FilterBar*>();
    auto* line = table.findChild<QWidget*>(QStringLiteral("filterLine"));
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
    line->show();
    QCoreApplication::processEvents();
    EXPECT_FALSE(line->isVisible());
    filter.setModule("blocks.1.attn");
    filter.setPhase(Phase::kBackward);
    filter.setName("aten::mm");
    QCoreApplication::processEvents();
    EXPECT_TRUE(line->isVisible());
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
    EXPECT_EQ(filter.words(), QStringLiteral("measured steps, backward"));
    filter.back();
    EXPECT_EQ(filter.state().span, backward) << "in one step";

    // Of a module, what is within it is a part of it, and another is instead of it.
    filter.pick(spanOf(TrackKind::kModule, "blocks.1"));
    filter.setModule("blocks.1.attn");
    EXPECT_TRUE(filter.usesSelection());
    filter.back();
    EXPECT_EQ(offers("blocks.1", Phase::kNone), "Only in blocks.1, of Every Measured Step");
    filter.setModule("blocks.1");
    EXPECT_EQ(filter.words(), QStringLiteral("measured steps, blocks.1"));
    filter.back();
    filter.setModule("blocks.0");
    EXPECT_EQ(filter.words(), QStringLiteral("measured steps, blocks.0"));
    filter.back();
    filter.setPhase(Phase::kForward);
    EXPECT_EQ(filter.words(), QStringLiteral("measured steps, forward, blocks.1"));
}

TEST_F(TablesTest, WithoutAMeasuredStepThereIsNoChipOfMeasuredSteps) {
    OpTable table(document, axis, filter);
    EXPECT_NE(chip(table, RunFilter::Condition::kSteps), nullptr);
    test::SyntheticOptions options;
    options.config.steps = 0;
    document.setSnapshot(test::makeSyntheticRun(options));
    EXPECT_EQ(chip(table, RunFilter::Condition::kSteps), nullptr);
    EXPECT_EQ(filter.words(), QStringLiteral("set-up and warm-up steps"));
    EXPECT_FALSE(filter.spanFilter().measuredOnly);
}

TEST_F(TablesTest, BackAndAChipLeaveTheFocusWhereItIs) {
    OpTable table(document, axis, filter);
    auto* steps = chip(table, RunFilter::Condition::kSteps);
    table.activateWindow();
    table.table().setFocus();
    QTest::mouseClick(steps, Qt::LeftButton);
    EXPECT_EQ(table.focusWidget(), &table.table());
    auto* back = table.findChild<QToolButton*>(QStringLiteral("filterBack"));
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
    EXPECT_EQ(table.focusWidget()->objectName(), QStringLiteral("filterAdd"));
    // Esc empties the field before it lets go of anything.
    auto* field = table.findChild<QLineEdit*>(QStringLiteral("filterText"));
    QTest::keyClicks(field, QStringLiteral("mm"));
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_TRUE(filter.state().text.isEmpty());
}

TEST_F(TablesTest, TheTitlesOfOpsSayThatTheirTimeIsTheCpus) {
    OpTable table(document, axis, filter);
    const auto title = [&](int column, int role) {
        return table.model().headerData(column, Qt::Horizontal, role).toString();
    };
    EXPECT_EQ(title(SpanTableModel::kSelf, Qt::DisplayRole), QStringLiteral("Self CPU"));
    EXPECT_EQ(title(SpanTableModel::kTotal, Qt::DisplayRole), QStringLiteral("CPU total"));
    EXPECT_EQ(title(SpanTableModel::kTotal, kPlainTitleRole), QStringLiteral("CPU total (ns)"));
    EXPECT_TRUE(
        title(SpanTableModel::kSelf, Qt::ToolTipRole).contains(QStringLiteral("On the CPU's threads")));
    table.setSubject(OpTable::Subject::kKernels);
    EXPECT_EQ(title(SpanTableModel::kTotal, Qt::DisplayRole), QStringLiteral("Total time"));
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

TEST_F(TablesTest, TheTextAndTheSummaryAgree) {
    OpTable table(document, axis, filter);
    filter.setSteps(RunFilter::Steps::kAll);
    auto* field = table.findChild<QLineEdit*>(QStringLiteral("filterText"));
    for (const char* const typed : {"MM", "blocks.1.AT", "ATTN"}) {
        const QString text = QString::fromLatin1(typed);
        const auto holds = [&](std::string_view name) {
            return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))
                .contains(text, Qt::CaseInsensitive);
        };
        // Every op with it in its name or in the path of its module.
        std::set<std::string_view> names;
        std::int64_t sum = 0;
        for (const TrackId track : run->tracksOfKind(TrackKind::kCpuThread)) {
            for (const SpanLane& lane : run->lanesOf(track)) {
                for (std::uint64_t r = 0; r < lane.rows(); ++r) {
                    const SpanRow op = *lane.row(r);
                    const Place place = run->place(op.place);
                    if (!holds(run->name(op.name)) && !holds(run->name(place.module)) &&
                        !holds(run->name(place.part)))
                        continue;
                    names.insert(run->name(op.name));
                    ++sum;
                }
            }
        }
        ASSERT_GT(sum, 0) << typed;
        field->clear();
        QTest::keyClicks(field, text);
        EXPECT_EQ(instances(table), sum) << typed;
        EXPECT_EQ(table.table().shownRows(), std::ssize(names)) << typed;
        EXPECT_TRUE(table.findChild<QLabel*>(QStringLiteral("opSummary"))
                        ->text()
                        .startsWith(QString::fromStdString(formatGrouped(sum)) + QLatin1Char(' ')))
            << typed;
        // Grouped, the same ops in an open tree; and of a row, the durations that it counts.
        table.setGrouping(SpanGrouping::kModule);
        table.refreshNow();
        EXPECT_EQ(table.model().instances(), sum) << typed;
        for (int r = 0; r < table.model().rowCount(); ++r)
            EXPECT_TRUE(!table.model().rowAt(r).isGroup || table.model().rowAt(r).expanded);
        table.setGrouping(SpanGrouping::kFlat);
        table.setDistributionShown(true);
        table.refreshNow();
        table.table().setCurrentIndex(table.table().proxy()->index(0, 0));
        table.refreshNow();
        const int row = table.table().proxy()->mapToSource(table.table().currentIndex()).row();
        EXPECT_EQ(table.distribution().histogram().distribution().instances,
                  table.model().rowAt(row).row.figures.instances)
            << typed;
    }
    filter.setText(QStringLiteral("nothing like it"));
    table.refreshNow();
    EXPECT_EQ(table.table().emptyText(), QStringLiteral("No name and no module contains “nothing like it”"));
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
    Evidence third;
    third.range = range;

    filter.setModule("blocks.1");
    filter.pick(spanOf(TrackKind::kPhase, "backward"));
    filter.setText(QStringLiteral("mm"));
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

}  // namespace
}  // namespace warpglass::ui
