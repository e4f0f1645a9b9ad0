// What the filter over the tables counts, by its chips, its text and a selection.
#include <QLineEdit>
#include <QTest>
#include <set>

#include "engine/base/format.h"
#include "tests/support/every_span.h"
#include "tests/support/has_text.h"
#include "tests/unit/panels/tables_fixture.h"
#include "ui/controls/data_table.h"
#include "ui/panels/distribution_pane.h"
#include "ui/panels/duration_histogram.h"
#include "ui/panels/op_table.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::table_filter_test {

TEST_F(TablesTest, OpsCountWhatTheFilterSays) {
    OpTable table(document, axis, filter);
    SpanFilter measured{.measuredOnly = true};
    EXPECT_EQ(instances(table), expected(measured));
    QTest::mouseClick(chip(table, RunFilter::Condition::kSteps), Qt::LeftButton);
    EXPECT_EQ(instances(table), expected({}));
    EXPECT_GT(expected({}), expected(measured));
    EXPECT_EQ(chip(table, RunFilter::Condition::kSteps), nullptr);
    filter.setSteps(RunFilter::Steps::kInView);
    const TimeRange view{Nanoseconds(run->range().end.value / 3), Nanoseconds(run->range().end.value / 2)};
    axis.setVisibleRange(view);
    EXPECT_EQ(instances(table), expected({.ranges = {view}}));
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
    EXPECT_TRUE(label(table, "opSummary").contains("in measured steps, backward, blocks.1, aten::mm"));
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
    EXPECT_EQ(chip(table, RunFilter::Condition::kName)->text(), "aten::mm and 1 more");
    EXPECT_TRUE(label(table, "opSummary").endsWith(" per step"));
}

TEST_F(TablesTest, ChosenAllocationsAreAConditionThatIsLetGoAndComesBack) {
    OpTable table(document, axis, filter);
    filter.setAllocations({AllocationId(3), AllocationId(5)});
    ASSERT_TRUE(filter.allocations().among);
    EXPECT_EQ(*filter.allocations().among, (std::vector{AllocationId(3), AllocationId(5)}));
    auto* shown = test::must(chip(table, RunFilter::Condition::kAllocations));
    EXPECT_EQ(shown->text(), "2 chosen allocations");
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
    SpanFilter selected{.ranges = {range}};
    EXPECT_EQ(instances(table), expected(selected));
    EXPECT_EQ(chip(table, RunFilter::Condition::kSteps), nullptr);
    auto* selection = test::must(chip(table, RunFilter::Condition::kSelection));
    EXPECT_TRUE(selection->text().endsWith(QString::fromStdString(formatMoment(range.end))));
    EXPECT_TRUE(label(table, "opSummary").contains(" ops begin in the selected "));
    QTest::keyClick(selection, Qt::Key_Delete);
    EXPECT_FALSE(axis.selectedRange());
    EXPECT_EQ(instances(table), all);
    EXPECT_EQ(chip(table, RunFilter::Condition::kSelection), nullptr);
}

TEST_F(TablesTest, ASelectedSpanIsNamedWithItsPlace) {
    const auto words = [&](TrackKind kind, const char* name) {
        axis.setSelectedSpan(spanOf(kind, name));
        EXPECT_EQ(filter.words().chips().front().text, filter.words().withoutText());
        return filter.words().withoutText();
    };
    const auto place = [&](TrackKind kind, const char* name) {
        return *describeSpan(*run, spanOf(kind, name));
    };
    const SpanDetails scores = place(TrackKind::kModule, "scores");
    ASSERT_TRUE(scores.module.ends_with(".attn")) << scores.module;
    EXPECT_EQ(words(TrackKind::kModule, "scores"),
              QStringLiteral("%1 scores, %2 of step %3")
                  .arg(toQString(scores.module), toQString(phaseName(scores.phase)))
                  .arg(scores.step));
    const SpanDetails module = place(TrackKind::kModule, "blocks.1.attn");
    EXPECT_EQ(words(TrackKind::kModule, "blocks.1.attn"), QStringLiteral("blocks.1.attn, %1 of step %2")
                                                              .arg(toQString(phaseName(module.phase)))
                                                              .arg(module.step));
    const SpanDetails phase = place(TrackKind::kPhase, "backward");
    EXPECT_EQ(words(TrackKind::kPhase, "backward"), QStringLiteral("backward of step %1").arg(phase.step));
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

TEST_F(TablesTest, WithoutAMeasuredStepThereIsNoChipOfMeasuredSteps) {
    OpTable table(document, axis, filter);
    EXPECT_NE(chip(table, RunFilter::Condition::kSteps), nullptr);
    test::SyntheticOptions options;
    options.config.steps = 0;
    document.setSnapshot(test::makeSyntheticRun(options));
    EXPECT_EQ(chip(table, RunFilter::Condition::kSteps), nullptr);
    EXPECT_EQ(filter.words().withoutText(), "set-up and warm-up steps");
    EXPECT_FALSE(filter.spanFilter().measuredOnly);
}

TEST_F(TablesTest, TheTitlesOfOpsSayThatTheirTimeIsTheCpus) {
    OpTable table(document, axis, filter);
    const auto title = [&](const char* key, int role) {
        return table.model().headerData(spansTable(true).place(key), Qt::Horizontal, role).toString();
    };
    EXPECT_EQ(title("self_ns", Qt::DisplayRole), "Self CPU");
    EXPECT_EQ(title("total_ns", Qt::DisplayRole), "CPU total");
    EXPECT_EQ(title("total_ns", kPlainTitleRole), "CPU total (ns)");
    EXPECT_TRUE(title("self_ns", Qt::ToolTipRole).contains("This is time on CPU threads"));
    table.setSubject(OpTable::Subject::kKernels);
    EXPECT_EQ(title("total_ns", Qt::DisplayRole), "Total time");
}

TEST_F(TablesTest, TheTextAndTheSummaryAgree) {
    OpTable table(document, axis, filter);
    filter.setSteps(RunFilter::Steps::kAll);
    auto* field = table.findChild<QLineEdit*>("filterText");
    for (const char* const typed : {"MM", "blocks.1.AT", "ATTN"}) {
        const QString text = QString::fromLatin1(typed);
        const auto holds = [&](std::string_view name) {
            return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))
                .contains(text, Qt::CaseInsensitive);
        };
        // Every op with it in its name or in the path of its module.
        std::set<std::string_view> names;
        std::int64_t sum = 0;
        for (const test::FoundSpan& op : test::spansOfKind(*run, TrackKind::kCpuThread)) {
            const Place place = run->place(op.row.place);
            if (!holds(run->name(op.row.name)) && !holds(run->name(place.module)) &&
                !holds(run->name(place.part)))
                continue;
            names.insert(run->name(op.row.name));
            ++sum;
        }
        ASSERT_GT(sum, 0) << typed;
        field->clear();
        QTest::keyClicks(field, text);
        EXPECT_EQ(instances(table), sum) << typed;
        EXPECT_EQ(table.table().shownRows(), std::ssize(names)) << typed;
        EXPECT_THAT(label(table, "opSummary"),
                    test::BeginsWith(QString::fromStdString(formatGrouped(sum)) + ' '))
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
        makeCurrent(table.table(), 0);
        table.refreshNow();
        EXPECT_EQ(table.distribution().histogram().distribution().instances,
                  table.model().rowAt(currentRow(table.table())).row.figures.instances)
            << typed;
    }
    filter.setText("nothing like it");
    table.refreshNow();
    EXPECT_EQ(table.table().emptyText(), "No name and no module contains “nothing like it”");
}

}  // namespace warpglass::ui::table_filter_test
