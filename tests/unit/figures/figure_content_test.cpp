// What of a view is in its figure, and its height: no controls, tables with whole rows and columns.
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <set>

#include "engine/base/format.h"
#include "tests/support/show_unseen.h"
#include "tests/unit/figures/figure_fixture.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/refresh.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::figure_content_test {

/// A view with all that a figure leaves out.
class WithControls : public QWidget {
public:
    WithControls()
        : segments(new SegmentedControl({"Kernels", "Ops"}, this)),
          box(new ComboBox(this)),
          field(new QLineEdit(this)),
          button(new QPushButton("Go", this)),
          hidden(new QPushButton(this)),
          splitter(new QSplitter(Qt::Vertical, this)),
          chart(new Plain(Qt::red)),
          table(new QTableWidget(20, 8)) {
        segments->setCurrent(1);
        box->addItems({"Category", "Module"});
        setFigureWords(*box, "stacked by %1");
        hidden->hide();
        splitter->addWidget(chart);
        splitter->addWidget(table);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        for (QWidget* widget : std::initializer_list<QWidget*>{segments, box, field, button, hidden})
            layout->addWidget(widget);
        layout->addWidget(splitter, 1);
    }
    SegmentedControl* segments;
    ComboBox* box;
    QLineEdit* field;
    QPushButton *button, *hidden;
    QSplitter* splitter;
    Plain* chart;
    QTableWidget* table;
};

TEST_F(FigureTest, ControlsAreLeftOutAndSaidInWordsAndComeBack) {
    WithControls view;
    test::showUnseen(view, {800, 900});
    QCoreApplication::processEvents();
    const QList<QWidget*> controls{view.segments, view.box, view.field, view.button};
    const QList<int> sizes = view.splitter->sizes();
    const QByteArray svg = figureSvg({&view, nullptr, {}}, {QSize(800, 900), 96});
    EXPECT_TRUE(svg.contains("Ops · stacked by category")) << "what the choices say";
    EXPECT_FALSE(svg.contains(">Go<"));
    EXPECT_FALSE(svg.contains("Kernels"));
    QCoreApplication::processEvents();
    for (const QWidget* control : controls)
        EXPECT_TRUE(control->isVisible()) << control->metaObject()->className();
    EXPECT_TRUE(view.hidden->isHidden()) << "was hidden before";
    EXPECT_EQ(view.splitter->sizes(), sizes);
    EXPECT_EQ(view.table->verticalScrollBarPolicy(), Qt::ScrollBarAsNeeded);
    {
        FigureMode mode(view, {800, 900});
        EXPECT_TRUE(FigureMode::holds(*view.button));
        for (const QWidget* control : controls)
            EXPECT_FALSE(control->isVisible());
    }
    EXPECT_FALSE(FigureMode::holds(*view.button));
}

/// Shows a scroll bar by itself where it has little room.
class WithScrollBar : public QWidget {
public:
    QScrollBar* bar = new QScrollBar(Qt::Vertical, this);

protected:
    void resizeEvent(QResizeEvent*) override { bar->setVisible(height() < 400); }
};

TEST_F(FigureTest, AScrollBarShownForTheFiguresSizeIsGoneAfterwards) {
    for (const bool before : {false, true}) {
        WithScrollBar view;
        test::showUnseen(view, {800, before ? 300 : 900});
        QCoreApplication::processEvents();
        ASSERT_EQ(view.bar->isVisible(), before);
        for (const QSize size : {QSize(800, 300), QSize(800, 900)}) {
            figureImage({&view, nullptr, {}}, {size, 96}, 1);
            QCoreApplication::processEvents();
            EXPECT_EQ(view.bar->isVisible(), before) << size.height();
        }
    }
}

TEST_F(FigureTest, InLittleRoomTheTableUnderAChartIsLeftOut) {
    WithControls view;
    test::showUnseen(view, {800, 900});
    QCoreApplication::processEvents();
    figureImage({&view, nullptr, {}}, {QSize(413, 295), 125}, 1);
    EXPECT_GT(view.chart->painted.last().height(), 200) << "the chart has it all";
    EXPECT_TRUE(view.table->isVisible());
    figureImage({&view, nullptr, {}}, {QSize(800, 900), 96}, 1);
    EXPECT_LT(view.chart->painted.last().height(), 700) << "there is room for both";
}

/// A table in a layout, as views have them.
struct WithTable {
    WithTable(int rows, int columns) : table(new QTableWidget(rows, columns)) {
        for (int column = 0; column < columns; ++column)
            table->setHorizontalHeaderItem(column, new QTableWidgetItem(QStringLiteral("C%1").arg(column)));
        for (int row = 0; row < rows; ++row)
            table->setItem(row, 0, new QTableWidgetItem(QStringLiteral("row%1").arg(row)));
        auto* layout = new QVBoxLayout(&view);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(table);
    }
    QByteArray svg(const FigureSize& size) { return figureSvg({&view, nullptr, {}}, size); }
    int height(const FigureSize& size) { return fitted({&view, nullptr, {}}, size).pixels.height(); }
    QWidget view;
    QTableWidget* table;
};

TEST_F(FigureTest, WhereNoHeightIsGivenItFollowsTheContent) {
    const FigureSize column = FigureSize::onPaper(84, 0, 7), page = FigureSize::onPaper(170, 0, 7);
    // A view without a height of its own is as wide as 8 to 5, whatever the caption takes.
    for (const FigureSize& size : {column, page}) {
        figureImage(m_source, size, 1);
        EXPECT_EQ(m_view.painted.last().height(), qRound(size.pixels.width() * 5.0 / 8));
        const QImage image = figureImage(m_source, size, 2);
        EXPECT_EQ(image.size(), fitted(m_source, size).pixels * 2);
        EXPECT_GT(image.height() / 2, m_view.painted.last().height()) << "the caption";
    }
    // Tables are as high as their rows, of which a small figure too has some.
    const int row = WithTable(1, 1).table->verticalHeader()->defaultSectionSize();
    EXPECT_EQ(WithTable(7, 2).height(page) - WithTable(4, 2).height(page), 3 * row);
    for (const FigureSize& size : {column, page}) {
        WithTable many(200, 2);
        const QByteArray svg = many.svg(size);
        EXPECT_TRUE(svg.contains(">row9<"));
        EXPECT_FALSE(svg.contains(">row100<")) << "a figure, not a report";
        const int shown = static_cast<int>(svg.count(">row"));
        EXPECT_TRUE(svg.contains(QStringLiteral(">%1 more rows<").arg(200 - shown).toUtf8()));
        const int line = many.height(size) - WithTable(3, 2).height(size) - (shown - 3) * row;
        EXPECT_GE(line, QFontMetrics(Theme::tableFont()).height()) << "of how many more there are";
        EXPECT_LT(line, 2 * row + 10) << "no strip left over";
        EXPECT_TRUE(many.table->findChildren<QLabel*>().isEmpty()) << "is gone with the figure";
    }
    EXPECT_FALSE(WithTable(7, 2).svg(page).contains("more row"));
    WithTable sized(200, 2);
    for (int i = 0; i < 200; ++i)
        sized.table->item(i, 0)->setData(kPlainRole, 1 << 20);
    sized.table->item(199, 0)->setData(kDepthRole, 1);  // within the row before it
    setFigureBytes(*sized.table, 0);
    const auto hold = [](qsizetype mebibytes) -> QByteArray {
        return QByteArray("more rows hold ") + formatBytes(Bytes(mebibytes << 20)).c_str() + "<";
    };
    const QByteArray held = sized.svg(page);
    const auto left = 200 - held.count(">row");
    EXPECT_TRUE(held.contains(">" + QByteArray::number(left) + " " + hold(left - 1)));
    // The rows of a node that is seen are left out one by one, and a list that is scrolled leaves out its
    // first ones.
    const int seen = static_cast<int>(held.count(">row"));
    for (int i = seen; i < 200; ++i)
        sized.table->item(i, 0)->setData(kDepthRole, 1);
    EXPECT_TRUE(sized.svg(page).contains(hold(200 - seen)));
    sized.table->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    for (int i = 0; i < 200; ++i)
        sized.table->item(i, 0)->setData(kDepthRole, 0);
    sized.table->scrollToItem(sized.table->item(50, 0), QAbstractItemView::PositionAtTop);
    const QByteArray scrolled = sized.svg(page);
    const auto rest = 200 - scrolled.count(">row");
    EXPECT_TRUE(scrolled.contains(">" + QByteArray::number(rest) + " " + hold(rest)));
    // Never more than a page; a height that is given stays.
    const FigureSize given = FigureSize::onPaper(84, 60, 7);
    EXPECT_EQ(WithTable(7, 2).height(given), given.pixels.height());
    m_view.setMinimumHeight(0);
    EXPECT_LE(fitted(m_source, FigureSize::onPaper(900, 0, 7)).heightMm(), kPageMm + 1);
}

TEST_F(FigureTest, UnderALowTableTheCaptionIsAllThere) {
    WithTable low(2, 2);
    const QString caption =
        QStringLiteral("a part of several words · ").repeated(22) + QStringLiteral("the end");
    const FigureSize follows = FigureSize::onPaper(84, 0, 8), page = FigureSize::onPaper(84, kPageMm, 8);
    const QImage image = figureImage({&low.view, nullptr, caption}, follows, 1);
    ASSERT_GT(image.height(), 2 * low.height(follows)) << "the caption is higher than the table";
    // A third of the figure, of which the caption has no more, is as it is in one with room for all.
    const QImage whole = figureImage({&low.view, nullptr, caption}, page, 1);
    ASSERT_EQ(image.width(), whole.width());
    ASSERT_GT(whole.height(), image.height());
    const auto endOf = [strip = image.height() / 3](const QImage& figure) {
        return figure.copy(0, figure.height() - strip, figure.width(), strip);
    };
    EXPECT_EQ(endOf(image), endOf(whole));
}

/// Makes what is in it when it is first computed, as a page that was never in front.
class Late : public QWidget, public Refreshable {
public:
    Late() {
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        m_text = new QLabel(QStringLiteral("A sentence that is as wide as the figure. ").repeated(3), this);
        m_text->setWordWrap(true);
        layout->addWidget(m_text, 1);
    }
    void refreshNow() override {
        if (m_button)
            return;
        m_button = new QPushButton("Show", this);
        m_button->setFixedSize(160, 120);
        layout()->addWidget(m_button);
        m_button->show();
    }

private:
    QLabel* m_text;
    QPushButton* m_button = nullptr;
};

TEST_F(FigureTest, TheFirstFigureOfAViewNeverSeenIsAsHighAsTheNext) {
    QScrollArea view;
    view.setWidgetResizable(true);
    view.setWidget(new Late);
    const FigureSource source{&view, nullptr, {}, false};
    FigureSize size{QSize(400, 250), 96};
    size.heightFollows = true;
    const int first = fitted(source, size).pixels.height();
    EXPECT_EQ(first, fitted(source, size).pixels.height());
    EXPECT_LT(first, 120) << "without the button";
}

TEST_F(FigureTest, UnderAChartATableTakesWhatItsRowsNeedAndTheChartTheRest) {
    for (const int rows : {3, 200}) {
        WithControls view;
        view.table->setRowCount(rows);
        test::showUnseen(view, {800, 900});
        QCoreApplication::processEvents();
        const FigureSize size = FigureSize::onPaper(170, 0, 7);
        const int height = fitted({&view, nullptr, {}}, size).pixels.height();
        figureImage({&view, nullptr, {}}, size, 1);
        const int row = view.table->verticalHeader()->defaultSectionSize();
        const int table = height - view.chart->painted.last().height();
        EXPECT_NEAR(table, std::min(rows, 24) * row, 120) << "with its header and the words";
        EXPECT_GT(view.chart->painted.last().height(), 150);
    }
}

TEST_F(FigureTest, WhatStandsBesideATableGivesItTheWidthOfANarrowFigure) {
    QWidget view;
    auto* split = new QSplitter(Qt::Horizontal, &view);
    auto* layout = new QVBoxLayout(&view);
    layout->addWidget(split);
    auto* table = new QTableWidget(4, 1);
    auto* side = new Plain(Qt::blue);
    split->addWidget(table);
    split->addWidget(side);
    split->setSizes({200, 200});
    figureImage({&view, nullptr, {}}, FigureSize::onPaper(84, 0, 7), 1);
    EXPECT_TRUE(side->painted.isEmpty());
    EXPECT_FALSE(side->isHidden());
    figureImage({&view, nullptr, {}}, FigureSize::onPaper(170, 0, 7), 1);
    EXPECT_FALSE(side->painted.isEmpty());
}

TEST_F(FigureTest, ATableShowsColumnsAndRowsWhole) {
    QTableWidget table(40, 8);
    for (int column = 0; column < 8; ++column)
        table.setHorizontalHeaderItem(column, new QTableWidgetItem(QStringLiteral("Column%1").arg(column)));
    table.setItem(0, 0, new QTableWidgetItem("first"));
    QWidget view;
    auto* layout = new QVBoxLayout(&view);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(&table);
    const QByteArray svg = figureSvg({&view, nullptr, {}}, {QSize(450, 290), 125});
    EXPECT_TRUE(svg.contains("Column3"));
    EXPECT_FALSE(svg.contains("Column7")) << "as narrow as their titles not all of them fit";
    for (int column = 0; column < 8; ++column)
        EXPECT_FALSE(table.isColumnHidden(column));
    // A row is there whole or not at all, and none is left out before one that is.
    for (int row = 0; row < 40; ++row)
        table.setItem(row, 1, new QTableWidgetItem(QStringLiteral("row%1").arg(row)));
    table.verticalHeader()->setDefaultSectionSize(30);
    for (int height = 150; height < 190; ++height) {
        const QByteArray rows = figureSvg({&view, nullptr, {}}, {QSize(450, height), 125});
        int last = -1;
        for (int row = 0; row < 40 && rows.contains(QStringLiteral(">row%1<").arg(row).toUtf8()); ++row)
            last = row;
        EXPECT_FALSE(rows.contains(QStringLiteral(">row%1<").arg(last + 2).toUtf8())) << height;
        const QImage image = figureImage({&view, nullptr, {}}, {QSize(450, height), 125}, 1);
        std::set<QRgb> atTheEdge;
        for (int x = 110; x < 190; ++x)
            atTheEdge.insert(image.pixel(x, height - 3));
        EXPECT_EQ(atTheEdge.size(), 1u) << "letters are cut at a height of " << height;
    }
    EXPECT_TRUE(table.viewport()->mask().isEmpty());
    layout->removeWidget(&table);
    table.setParent(nullptr);
}

}  // namespace warpglass::ui::figure_content_test
