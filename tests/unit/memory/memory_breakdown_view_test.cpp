#include "ui/memory/memory_breakdown_view.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "engine/base/format.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::memory_breakdown_view_test {

struct MemoryBreakdownViewTest : testing::Test {
    MemoryBreakdownViewTest() : run(test::makeSyntheticRun()), view(document, axis, filter) {
        document.setSnapshot(run);
        axis.setFullRange(run->range());
        view.refreshNow();
    }
    /// Those that are within no other.
    QList<QModelIndex> outerRows() const {
        QList<QModelIndex> rows;
        for (int r = 0; r < view.table().shownRows(); ++r) {
            const QModelIndex name = view.table().proxy()->index(r, breakdownTable().place("name"));
            if (name.data(kDepthRole).toInt() <= 0)
                rows << name;
        }
        return rows;
    }
    static std::int64_t bytesOf(const QModelIndex& row) {
        return row.siblingAtColumn(breakdownTable().place("size_bytes")).data(kPlainRole).toLongLong();
    }
    std::int64_t shownBytes() const {
        std::int64_t sum = 0;
        for (const QModelIndex& row : outerRows())
            sum += bytesOf(row);
        return sum;
    }
    std::shared_ptr<const Snapshot> run;
    RunDocument document;
    TimeAxis axis;
    RunFilter filter{document, axis};
    MemoryBreakdownView view;
};

TEST_F(MemoryBreakdownViewTest, ShowsThePeakUntilThereIsACursor) {
    EXPECT_EQ(shownBytes(), sumOf(document.memory().peak()->bytes));
    const Nanoseconds t(run->range().end.value / 5);
    axis.setCursor(t);
    view.refreshNow();
    EXPECT_EQ(shownBytes(), sumOf(document.memory().at(t)));
    axis.setPinnedCursor(Nanoseconds(run->range().end.value / 3));
    axis.setCursor(std::nullopt);
    view.refreshNow();
    EXPECT_EQ(shownBytes(), sumOf(document.memory().at(*axis.pinnedCursor())));
}

TEST_F(MemoryBreakdownViewTest, TheControlChoosesTheGroups) {
    auto* keys = test::must(view.findChild<SegmentedControl*>("breakdownKey"));
    const std::int64_t all = shownBytes();
    for (int i = 0; i < keys->count(); ++i) {
        QTest::mouseClick(keys->button(i), Qt::LeftButton);
        view.refreshNow();
        const auto rows =
            breakdownAt(document.memory(), document.memory().peak()->time, static_cast<BreakdownKey>(i));
        EXPECT_EQ(view.key(), static_cast<BreakdownKey>(i));
        ASSERT_EQ(outerRows().size(), static_cast<qsizetype>(rows.size()));
        EXPECT_EQ(shownBytes(), all);
        // Largest first.
        EXPECT_EQ(bytesOf(outerRows().front()), rows.front().bytes.value);
    }
}

TEST_F(MemoryBreakdownViewTest, TheLargestCategoriesStandOpenAndTheirPartsAddUp) {
    const DataTable& table = view.table();
    std::int64_t left = 0;  // of the open one, before its parts
    int open = 0;
    for (int r = 0; r < table.shownRows(); ++r) {
        const QModelIndex row = table.proxy()->index(r, breakdownTable().place("name"));
        if (row.data(kDepthRole).toInt() == 1) {
            left -= bytesOf(row);
            continue;
        }
        EXPECT_EQ(left, 0);
        const bool expanded = row.data(kExpansionRole).toInt() == kExpanded;
        open += expanded ? 1 : 0;
        left = expanded ? bytesOf(row) : 0;
    }
    EXPECT_EQ(left, 0);
    EXPECT_GT(open, 0);
}

TEST_F(MemoryBreakdownViewTest, AFilteredLargeRunIsAskedElsewhereAndSaysTheSame) {
    const auto large = test::makeManyMemoryEvents(60'000, 3);
    document.setSnapshot(large);
    axis.setFullRange(large->range());
    filter.setCategory(Category::kGradients);
    axis.setCursor(Nanoseconds(large->range().end.value / 3));
    view.refreshNow();
    EXPECT_EQ(shownBytes(),
              document.memory().at(*axis.cursor())[static_cast<std::size_t>(Category::kGradients)]);
    const auto labels = view.findChildren<QLabel*>();
    const QString moment = QString::fromStdString(formatMoment(*axis.cursor()));
    EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
        return label->text().startsWith(QStringLiteral("at the cursor, ") + moment);
    }));
    view.setKey(BreakdownKey::kOp);
    view.refreshNow();
    EXPECT_EQ(
        view.table().shownRows(),
        static_cast<int>(
            breakdownAt(document.memory(), *axis.cursor(), BreakdownKey::kOp, filter.allocations()).size()));
}

TEST_F(MemoryBreakdownViewTest, TheHeadStatesWhatIsReservedWhereSegmentsAreKnown) {
    const auto headSays = [&](const QString& text) {
        for (const QLabel* label : view.findChildren<QLabel*>()) {
            if (label->text().contains(text))
                return true;
        }
        return false;
    };
    EXPECT_FALSE(headSays("reserved"));
    const auto onGpu = test::makeSyntheticRun({.allocatorEvents = 800});
    document.setSnapshot(onGpu);
    axis.setFullRange(onGpu->range());
    view.refreshNow();
    MemorySegments segments;
    segments.update(onGpu);
    for (const Nanoseconds t : {Nanoseconds(90000), document.memory().peak()->time}) {
        axis.setPinnedCursor(t);
        view.refreshNow();
        const Bytes reserved = segments.at(document.memory(), t).totals.reserved;
        EXPECT_TRUE(headSays(toQString(formatBytes(reserved)) + QStringLiteral(" reserved")));
    }
}

TEST_F(MemoryBreakdownViewTest, NothingOfTheFormerRunIsLeftBeforeTheAnswerOfThisOne) {
    ASSERT_GT(view.table().shownRows(), 0);
    document.setSnapshot(test::makeManyMemoryEvents(2000, 3));
    EXPECT_EQ(view.table().shownRows(), 0);
    for (const QLabel* label : view.findChildren<QLabel*>())
        EXPECT_FALSE(label->text().startsWith("at the peak")) << label->text().toStdString();
    view.refreshNow();
    EXPECT_EQ(shownBytes(), sumOf(document.memory().peak()->bytes));
}

TEST_F(MemoryBreakdownViewTest, WithoutARunItIsEmptyAndSaysSo) {
    document.clear();
    view.refreshNow();
    EXPECT_EQ(view.table().shownRows(), 0);
    const QImage image = renderWidget(view, {500, 200}, 1);
    EXPECT_EQ(image.size(), QSize(500, 200));
}

}  // namespace warpglass::ui::memory_breakdown_view_test
