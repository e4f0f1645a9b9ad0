#include "ui/controls/data_table.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTest>
#include <QToolTip>
#include <functional>

#include "tests/support/gestures.h"
#include "ui/controls/cell_delegate.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/fitting_text.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::data_table_test {

struct DataTableTest : testing::Test {
    DataTableTest() : model(3, 2) {
        const std::pair<const char*, int> rows[] = {{"mm", 300}, {"add\tin place", 20}, {"copy", 1000}};
        for (int r = 0; r < 3; ++r) {
            auto* name = new QStandardItem(QString::fromLatin1(rows[r].first));
            name->setData(name->text(), kSortRole);
            name->setData(name->text(), kPlainRole);
            auto* time = new QStandardItem(QStringLiteral("%1 ns").arg(rows[r].second));
            time->setData(rows[r].second, kSortRole);
            time->setData(rows[r].second, kPlainRole);
            model.setItem(r, 0, name);
            model.setItem(r, 1, time);
        }
        model.setHeaderData(0, Qt::Horizontal, "Name", kPlainTitleRole);
        model.setHeaderData(1, Qt::Horizontal, "Time (ns)", kPlainTitleRole);
        model.setHeaderData(0, Qt::Horizontal, 90, kWidthRole);
        table.resize(400, 200);
        table.setTable(&model, 1, Qt::DescendingOrder);
    }
    /// In the middle of the title, clear of the edges that resize.
    void clickTitle(int column) {
        const QHeaderView& header = *table.horizontalHeader();
        QTest::mouseClick(
            header.viewport(), Qt::LeftButton, {},
            {header.sectionViewportPosition(column) + header.sectionSize(column) / 2, header.height() / 2});
    }
    QString shown(int row) const { return table.proxy()->index(row, 0).data().toString(); }

    QStandardItemModel model;
    DataTable table;
};

TEST_F(DataTableTest, WhatItSaysStandsBesideTheFirstTitleWhereThereIsRoom) {
    table.setFinding({"copy takes most of the time, mm some and add little of it", "copy takes most"});
    table.show();
    QWidget& header = *table.horizontalHeader()->viewport();
    const auto toolTipAt = [&](int x) {
        QToolTip::showText({}, "another");
        return test::toolTipAt(header, {x, header.height() / 2});
    };
    for (const int width : {300, 110}) {
        table.setColumnWidth(0, width);
        header.grab();
        EXPECT_NE(toolTipAt(10), table.finding()) << "the title's own";
        EXPECT_EQ(toolTipAt(100) == table.finding(), width == 300);
    }
    // Not over the title of a column of numbers that was moved there.
    model.setHeaderData(1, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter), Qt::TextAlignmentRole);
    table.horizontalHeader()->moveSection(1, 0);
    table.setColumnWidth(1, 300);
    header.grab();
    EXPECT_NE(toolTipAt(100), table.finding());
}

TEST(FittingText, IsTheLongestThatFitsAndNeverCut) {
    const QFontMetricsF metrics(Theme::tableFont());
    const QStringList wordings{"copy takes most of the time", "copy takes most"};
    EXPECT_EQ(fittingText(wordings, metrics, metrics.horizontalAdvance(wordings[0])), wordings[0]);
    EXPECT_EQ(fittingText(wordings, metrics, metrics.horizontalAdvance(wordings[0]) - 1), wordings[1]);
    EXPECT_EQ(fittingText(wordings, metrics, metrics.horizontalAdvance(wordings[1]) - 1), QString());
    EXPECT_EQ(fittingText({}, metrics, 100), QString());
}

TEST_F(DataTableTest, SortsByNumbersNotByText) {
    EXPECT_EQ(shown(0), "copy");
    EXPECT_EQ(shown(2), "add\tin place");
    table.sortByColumn(1, Qt::AscendingOrder);
    EXPECT_EQ(shown(0), "add\tin place");
    EXPECT_EQ(table.columnWidth(0), 90);
    EXPECT_EQ(table.rowHeight(0), Metrics::kTableRow);
}

TEST_F(DataTableTest, OnAWideScreenNumbersStayNearTheirNamesAndRowsReachTheEdge) {
    model.setHeaderData(1, Qt::Horizontal, 100, kWidthRole);
    table.setColumnPriority({0, 1});
    table.resize(500, 200);
    table.grab();
    EXPECT_EQ(table.columnWidth(0) + table.columnWidth(1), table.viewport()->width());
    table.resize(3000, 200);
    const QImage image = table.viewport()->grab().toImage();
    EXPECT_LE(table.columnWidth(0), 640);
    const int line = table.rowViewportPosition(1) + table.rowHeight(1) - 1;
    for (const int x : {20, table.columnWidth(0) + 200, table.viewport()->width() - 1})
        EXPECT_EQ(image.pixelColor(x, line), Theme::instance().colors().grid) << x;
}

TEST_F(DataTableTest, TitlesThatWereChosenAreFoundWhateverTheirCase) {
    model.setHorizontalHeaderLabels({"Name", "Total time"});
    table.setColumnPriority({0, 1});
    table.setChosenColumns({"Total Time"});
    EXPECT_EQ(table.chosenColumns(), QStringList{"Total time"});
}

TEST_F(DataTableTest, AnotherThanTheFirstColumnTakesWhatIsLeftWhereItIsShown) {
    model.setHeaderData(1, Qt::Horizontal, 150, kWidthRole);
    table.setColumnPriority({0, 1}, 1);
    table.resize(500, 200);
    table.grab();
    EXPECT_EQ(table.columnWidth(0), 90);
    EXPECT_EQ(table.columnWidth(0) + table.columnWidth(1), table.viewport()->width());
    table.resize(200, 200);
    table.grab();
    EXPECT_TRUE(table.isColumnHidden(1)) << "there is no room for it";
    EXPECT_EQ(table.columnWidth(0), table.viewport()->width());
    table.resize(500, 200);
    table.grab();
    EXPECT_EQ(table.columnWidth(0), 90) << "as before";
}

TEST_F(DataTableTest, ATextAtTheEndIsReadWholeBeforeNamesGetMoreThanTheyNeed) {
    model.setColumnCount(3);
    const QString place = "forward · blocks.0.attn.output_proj, of which all is to be read";
    for (int r = 0; r < 3; ++r)
        model.setItem(r, 2, new QStandardItem(place));
    model.setHeaderData(1, Qt::Horizontal, 60, kWidthRole);
    model.setHeaderData(2, Qt::Horizontal, 50, kWidthRole);
    model.setHeaderData(1, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter), Qt::TextAlignmentRole);
    table.setTable(&model, 1, Qt::DescendingOrder);
    table.resize(1000, 200);
    table.show();
    table.setColumnPriority({0, 1, 2});
    const int needs = table.columnWidth(2);
    EXPECT_GT(needs, QFontMetrics(Theme::tableFont()).horizontalAdvance(place));
    EXPECT_EQ(table.columnWidth(0) + table.columnWidth(1) + needs, table.viewport()->width());
    table.resize(300, 200);
    EXPECT_EQ(table.columnWidth(0), 90) << "names keep what they have";
    EXPECT_LT(table.columnWidth(2), needs);
    EXPECT_EQ(table.columnWidth(0) + table.columnWidth(1) + table.columnWidth(2), table.viewport()->width());
}

TEST_F(DataTableTest, ColumnsOfAnyTableCanBeLeftOutAndComeBack) {
    model.setHorizontalHeaderLabels({"Name", "Total time"});
    const auto choose = [this](const QString& title) {
        QMenu menu;
        table.fillColumnMenu(menu);
        for (QAction* action : menu.actions()) {
            if (action->text() == title)
                return action->trigger();
        }
        ADD_FAILURE() << title.toStdString() << " is not offered";
    };
    choose("Total time");
    EXPECT_TRUE(table.isColumnHidden(1));
    EXPECT_EQ(table.chosenColumns(), QStringList{"Name"});
    table.resize(500, 200);
    EXPECT_TRUE(table.isColumnHidden(1));
    choose("Total time");
    EXPECT_FALSE(table.isColumnHidden(1));
    choose("Total time");
    choose("All of Them");
    EXPECT_FALSE(table.isColumnHidden(1));
    // What the view itself leaves out is not offered.
    table.setColumnHidden(1, true);
    QMenu menu;
    table.fillColumnMenu(menu);
    for (const QAction* action : menu.actions())
        EXPECT_NE(action->text(), "Total time");
}

TEST_F(DataTableTest, SortsByAnyColumnWithoutTheMouse) {
    table.sortBy(0);
    EXPECT_EQ(shown(0), "add\tin place");
    table.sortBy(0);
    EXPECT_EQ(shown(0), "mm");
}

TEST_F(DataTableTest, AFirstClickBringsWhatTheModelSaysToTheTopAndTheNextTurnsItOver) {
    model.setHeaderData(1, Qt::Horizontal, int(Qt::DescendingOrder), Qt::InitialSortOrderRole);
    table.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&table));
    const auto expect = [this](const char* first, const char* last) {
        EXPECT_EQ(shown(0), QString::fromLatin1(first));
        EXPECT_EQ(shown(2), QString::fromLatin1(last));
    };
    const std::function<void(int)> ways[] = {[this](int column) { clickTitle(column); },
                                             [this](int column) { table.sortBy(column); }};
    for (const auto& sortBy : ways) {
        sortBy(0);
        expect("add\tin place", "mm");
        sortBy(1);
        expect("copy", "add\tin place");
        sortBy(1);
        expect("add\tin place", "copy");
        sortBy(1);
        expect("copy", "add\tin place");
        sortBy(0);
        expect("add\tin place", "mm");
        sortBy(1);  // so that the other way begins anew
    }
}

TEST_F(DataTableTest, OnlyPlainLettersLookForAName) {
    table.setCurrentIndex(table.proxy()->index(0, 0));
    QTest::keyClick(&table, Qt::Key_M, Qt::ShiftModifier);
    EXPECT_EQ(table.currentIndex().row(), 0);
    QTest::keyClick(&table, Qt::Key_M);
    EXPECT_EQ(table.currentIndex().data().toString(), "mm");
}

TEST_F(DataTableTest, FilterKeepsWhatContainsTheText) {
    table.setFilter(0, "OP");
    EXPECT_EQ(table.shownRows(), 1);
    EXPECT_EQ(shown(0), "copy");
    table.setFilter(0, "m.*");
    EXPECT_EQ(table.shownRows(), 0) << "the text is not a pattern";
    table.setFilter(0, {});
    EXPECT_EQ(table.shownRows(), 3);
}

TEST_F(DataTableTest, CopiesPlainNumbersAsTabSeparatedText) {
    EXPECT_EQ(table.asTsv(), "Name\tTime (ns)\ncopy\t1000\nmm\t300\nadd in place\t20\n");
    table.selectRow(1);
    EXPECT_EQ(table.asTsv(), "Name\tTime (ns)\nmm\t300\n");
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), table.asTsv());
    // The order on the screen, also after a column was moved.
    table.horizontalHeader()->moveSection(1, 0);
    EXPECT_EQ(table.asTsv(), "Time (ns)\tName\n300\tmm\n");
}

TEST_F(DataTableTest, CopiesMarkdownAsItIsRead) {
    model.setHeaderData(0, Qt::Horizontal, "Name");
    model.setHeaderData(1, Qt::Horizontal, "Time");
    model.setHeaderData(1, Qt::Horizontal, int(Qt::AlignRight), Qt::TextAlignmentRole);
    model.item(0, 0)->setText("a|b");
    EXPECT_EQ(table.asMarkdown(),
              "| Name | Time |\n| --- | ---: |\n| copy | 1000 ns |\n| a\\|b | 300 ns |\n"
              "| add in place | 20 ns |\n");
    table.selectRow(0);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), "| Name | Time |\n| --- | ---: |\n| copy | 1000 ns |\n");
    // Esc lets go of what is selected: then all of it is copied.
    QTest::keyClick(&table, Qt::Key_Escape);
    EXPECT_EQ(table.asMarkdown().count(QLatin1Char('\n')), 5);
}

TEST_F(DataTableTest, EnterActivatesTheModelsRow) {
    QSignalSpy activated(&table, &DataTable::rowActivated);
    table.setCurrentIndex(table.proxy()->index(0, 0));
    QTest::keyClick(&table, Qt::Key_Return);
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].toInt(), 2);
}

/// A cell of code in the text's color, as wide as asked for, else as it asks for itself.
QImage cellOf(const QString& text, int width = 0) {
    QStandardItemModel model(1, 1);
    const QModelIndex cell = model.index(0, 0);
    model.setData(cell, text, Qt::DisplayRole);
    model.setData(cell, true, kMonoRole);
    model.setData(cell, kCollapsed, kExpansionRole);
    const CellDelegate delegate;
    QStyleOptionViewItem option;
    if (width == 0)
        width = delegate.sizeHint(option, cell).width();
    QImage image(width, Metrics::kTableRow, QImage::Format_RGB32);
    image.fill(Theme::instance().colors().panel);
    option.rect = image.rect();
    QPainter painter(&image);
    delegate.paint(&painter, option, cell);
    return image;
}

TEST(CellDelegate, OfTwoNamesTheFirstIsElidedWhereItHasNoRoomAndNothingFollows) {
    const QString op = "scaled_dot_product_flash_attention";
    const QString both = op + kAfterFirstName + QStringLiteral("flash_fwd_kernel");
    const int whole = cellOf(op).width();
    for (const int width : {40, 80, whole / 2})
        EXPECT_EQ(cellOf(both, width), cellOf(op, width)) << width;
    EXPECT_NE(cellOf(both, whole + 100), cellOf(op, whole + 100));
    EXPECT_EQ(cellOf(both, whole + 30), cellOf(op, whole + 30)) << "two letters of it";
    const QImage asked = cellOf(both);
    EXPECT_EQ(asked, cellOf(both, asked.width() + 100).copy(asked.rect())) << "has room for all of it";
}

}  // namespace warpglass::ui::data_table_test
