// What a comparison makes of a window's size and of a figure's width: the chart's share, the table of memory
// beside the others, the ratio before the difference.
#include <QSet>

#include "tests/unit/compare/comparison_fixture.h"
#include "ui/controls/figure_mode.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::comparison_width_test {

/// What a window of 3840 × 2160 leaves a comparison; of 2560 × 1440.
constexpr QSize kWall(3555, 2064), kWide(2275, 1344);
/// A column of a journal, 84 mm, with the text at 8 points.
constexpr QSize kOneColumn(387, 1000);

struct ComparisonWidthTest : ComparisonViewTest {
    DataTable* memory() { return view.findChild<DataTable*>("comparisonMemoryRows"); }
    void clickMemory(const QString& name) {
        for (int row = 0; row < memory()->shownRows(); ++row) {
            const QModelIndex index = memory()->proxy()->index(row, ComparisonModel::place("name"));
            if (index.data().toString() == name)
                return QTest::mouseClick(memory()->viewport(), Qt::LeftButton, {},
                                         memory()->visualRect(index).center());
        }
        ADD_FAILURE() << "no row " << name.toStdString();
    }
    /// Draws nothing: calls `check` while the view is laid out as in a figure of that size.
    template <class Check>
    void inFigure(QSize size, Check&& check) {
        FigureMode figure(view, size, true);
        withWidgetAt(view, size, [&] {
            figure.fit();
            check();
        });
    }
};

TEST_F(ComparisonWidthTest, TheChartGrowsWithTheWindowAndTheTableKeepsItsRows) {
    int before = 90;
    for (const QSize size : {kRoomy, kWide, kWall}) {
        resize(size);
        EXPECT_GT(chart()->height(), before) << size.height();
        EXPECT_GE(wholeRows(), 8) << size.height();
        before = chart()->height();
    }
}

TEST_F(ComparisonWidthTest, MemoryStandsBesideTheOthersWhereThereIsRoomForBoth) {
    resize(kRoomy);
    EXPECT_FALSE(memory()->isVisible());
    for (const QSize size : {kWide, kWall}) {
        resize(size);
        chooseTable(4);
        EXPECT_FALSE(memory()->isVisible()) << "it is the table that is chosen";
        const QString rows = table()->asTsv();
        EXPECT_TRUE(rows.contains("\nactivations\t")) << rows.toStdString();
        chooseTable(0);
        EXPECT_TRUE(memory()->isVisible());
        EXPECT_TRUE(table()->isVisible());
        EXPECT_EQ(memory()->asTsv(), rows);
        for (const DataTable* shown : {table(), memory()}) {
            for (const int column : {ComparisonModel::place("a"), ComparisonModel::place("b"),
                                     ComparisonModel::place("difference"), ComparisonModel::place("ratio")})
                EXPECT_FALSE(shown->isColumnHidden(column)) << column;
        }
        view.setInFigure(true);
        EXPECT_FALSE(memory()->isVisible());
        view.setInFigure(false);
        EXPECT_TRUE(memory()->isVisible());
    }
}

TEST_F(ComparisonWidthTest, ARowOfMemoryBesideLeadsToThePeaksUntilAnotherRowIsChosen) {
    resize(kWall);
    chooseTable(1);
    clickMemory("activations");
    EXPECT_EQ(chart()->memory().category(), Category::kActivations);
    EXPECT_TRUE(label("comparisonMessage").startsWith("activations at the peak of each run: A "))
        << label("comparisonMessage").toStdString();
    clickRow(0);
    EXPECT_FALSE(chart()->memory().category());
    EXPECT_TRUE(memory()->selectedRows().isEmpty());
    clickMemory("weights");
    EXPECT_EQ(chart()->memory().category(), Category::kWeights);
    resize(kRoomy);
    EXPECT_FALSE(chart()->memory().category()) << "nothing here would take it back";
}

TEST_F(ComparisonWidthTest, ANarrowFigureKeepsTheRatioAndNamesThatAreToldApart) {
    inFigure(kOneColumn, [this] {
        ASSERT_GT(wholeRows(), 2);
        EXPECT_FALSE(table()->isColumnHidden(ComparisonModel::place("ratio")));
        int width = 0;
        for (int column = 0; column < ComparisonModel::places(); ++column)
            width += table()->columnWidth(column);
        EXPECT_LE(width, table()->viewport()->width());
        // As the cells have them, between their margins.
        const QFontMetricsF metrics(Theme::monoFont());
        const int room =
            table()->columnWidth(ComparisonModel::place("name")) - Metrics::kSpace3 - Metrics::kSpace2;
        QSet<QString> names;
        const int rows = std::min(8, table()->shownRows());
        for (int row = 0; row < rows; ++row)
            names << elidedName(
                metrics, table()->proxy()->index(row, ComparisonModel::place("name")).data().toString(),
                room);
        EXPECT_EQ(names.size(), rows);
    });
    for (const int kind : {1, 2, 3, 4}) {
        chooseTable(kind);
        inFigure(kOneColumn,
                 [&] { EXPECT_FALSE(table()->isColumnHidden(ComparisonModel::place("ratio"))) << kind; });
    }
    resize(kRoomy);
    for (const int column : {ComparisonModel::place("a"), ComparisonModel::place("b"),
                             ComparisonModel::place("difference"), ComparisonModel::place("ratio")})
        EXPECT_FALSE(table()->isColumnHidden(column)) << column;
}

TEST_F(ComparisonWidthTest, AHighFigureHasMoreRowsAndNotTheChartAlone) {
    int low = 0, chartOfLow = 0;
    inFigure(QSize(1600, 900), [&] {
        low = wholeRows();
        chartOfLow = chart()->height();
    });
    inFigure(QSize(1600, 1500), [&] {
        EXPECT_GT(wholeRows(), low);
        EXPECT_GT(chart()->height(), chartOfLow);
    });
}

}  // namespace warpglass::ui::comparison_width_test
