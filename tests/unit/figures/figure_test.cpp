// Figures: their size on paper and in pixels, what is in each format, and what becomes of the view.
#include "ui/figures/figure.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QImageReader>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QSvgRenderer>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QVBoxLayout>
#include <QWidget>
#include <QXmlStreamReader>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <thread>

#include "ui/figures/caption_lines.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/refresh.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {
namespace {

/// Its whole area in one colour, and remembers the sizes that it was painted at.
class Plain : public QWidget {
public:
    explicit Plain(QColor color, QWidget* parent = nullptr) : QWidget(parent), m_color(color) {
        setAccessibleName(QStringLiteral("Plain"));
    }
    QList<QSize> painted;

protected:
    void paintEvent(QPaintEvent*) override {
        painted << size();
        QPainter(this).fillRect(rect(), m_color);
    }

private:
    QColor m_color;
};

class FigureTest : public ::testing::Test {
protected:
    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QByteArray bytes(const QString& path) const {
        QFile opened(path);
        EXPECT_TRUE(opened.open(QIODevice::ReadOnly));
        return opened.readAll();
    }
    QTemporaryDir m_folder;
    Plain m_view{Qt::red};
    FigureSource m_source{&m_view, nullptr, QStringLiteral("small · bf16 · NVIDIA H200"), false};
};

TEST(FigureSize, IsAsWideOnPaperAsAskedWithTextOfThatSize) {
    for (const double mm : {20.0, 84.0, 170.0, 420.0}) {
        for (const double pt : {5.0, 7.0, 8.0, 9.75, 12.0}) {
            const FigureSize size = FigureSize::onPaper(mm, mm / 2, pt);
            EXPECT_NEAR(size.widthMm(), mm, 25.4 / size.dotsPerInch);
            EXPECT_NEAR(size.heightMm(), qMax(mm / 2, kLeastMm), 25.4 / size.dotsPerInch);
            // 13 pixels of text, in points: within what a whole number of dots an inch allows.
            EXPECT_NEAR(kTextPixels / size.dotsPerInch * 72, pt, 0.5 / size.dotsPerInch * pt + 1e-9);
        }
    }
    EXPECT_TRUE(FigureSize::onPaper(160, 0, 8).heightFollows);
    EXPECT_FALSE(FigureSize::onPaper(160, 100, 8).heightFollows);
    EXPECT_EQ(FigureSize::onPaper(160, 0, 8).pixels.width(), FigureSize::onPaper(160, 100, 8).pixels.width());
    EXPECT_LE(FigureSize::onPaper(1e9, 1e9, 1e9).widthMm(), kMostMm + 1);
}

TEST_F(FigureTest, PngHasThePixelsAndSaysHowLargeTheyArePrinted) {
    const FigureSize size = FigureSize::onPaper(100, 60, 8);
    for (const double ratio : {1.0, 2.0, 4.0}) {
        ASSERT_TRUE(saveFigure(m_source, size, ratio, file("a.png")));
        const QImage image(file("a.png"));
        EXPECT_EQ(image.size(), size.pixels * ratio);
        EXPECT_NEAR(image.width() / (image.dotsPerMeterX() / 1000.0), 100, 0.3) << "millimetres";
        EXPECT_EQ(image.pixelColor(0, 0), QColor(Qt::red));
        EXPECT_EQ(image.pixelColor(image.width() - 1, image.height() - 1), Theme::instance().colors().panel)
            << "the caption's strip";
    }
}

TEST_F(FigureTest, WithoutACaptionTheViewHasItAll) {
    m_source.caption.clear();
    const QImage image = figureImage(m_source, {}, 1);
    EXPECT_EQ(image.pixelColor(image.width() - 1, image.height() - 1), QColor(Qt::red));
    EXPECT_EQ(m_view.painted.last(), QSize(1600, 1000));
}

TEST_F(FigureTest, WhatIsBelowStandsBetweenTheViewAndTheCaption) {
    Plain ruler(Qt::blue);
    ruler.setFixedHeight(24);
    m_source.below = &ruler;
    const QImage image = figureImage(m_source, {}, 1);
    const int viewHeight = m_view.painted.last().height();
    EXPECT_EQ(image.pixelColor(800, viewHeight - 1), QColor(Qt::red));
    EXPECT_EQ(image.pixelColor(800, viewHeight), QColor(Qt::blue));
    EXPECT_EQ(image.pixelColor(800, viewHeight + 23), QColor(Qt::blue));
    EXPECT_NE(image.pixelColor(800, viewHeight + 24), QColor(Qt::blue));
    EXPECT_LT(viewHeight + 24, 1000 - 12) << "the caption has its room";
}

TEST_F(FigureTest, ALongCaptionIsBrokenAndLeavesTheViewMostOfTheFigure) {
    m_source.caption = QStringLiteral("a word and another ").repeated(2000);
    figureImage(m_source, FigureSize::onPaper(60, 40, 10), 1);
    const FigureSize size = FigureSize::onPaper(60, 40, 10);
    EXPECT_GE(m_view.painted.last().height(), size.pixels.height() / 2);
}

/// The lines of text in a drawing that stand under its view.
QStringList captionLines(const QByteArray& svg) {
    QStringList lines;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text"))
            lines << xml.readElementText();
    }
    return lines;
}

TEST_F(FigureTest, TheCaptionIsAllThereAtEveryWidthAndBreaksBetweenItsParts) {
    m_source.caption = QStringLiteral(
        "xl, context 512, batch 4 · bf16 · sdpa-flash attention · training step, eager · NVIDIA H200 · "
        "LibTorch 2.11.0, CUDA 13.0, Warpglass 0.1.0 · 2026-11-21");
    const QString dot = QStringLiteral(" · ");
    for (const double mm : {70.0, 84.0, 120.0, 170.0, 240.0}) {
        SCOPED_TRACE(mm);
        const QStringList lines = captionLines(figureSvg(m_source, FigureSize::onPaper(mm, 0, 8)));
        EXPECT_EQ(lines.join(dot), m_source.caption) << "nothing is missing, and no dot stands at an end";
    }
    EXPECT_GT(captionLines(figureSvg(m_source, FigureSize::onPaper(84, 0, 8))).size(), 2);
    // Of two lines neither is a date alone.
    const QStringList page = captionLines(figureSvg(m_source, FigureSize::onPaper(170, 0, 8)));
    ASSERT_EQ(page.size(), 2);
    EXPECT_GT(page[1].size() * 2, page[0].size());
    const QByteArray large = figureSvg(m_source, FigureSize::onPaper(170, 0, 8)),
                     small = figureSvg(m_source, FigureSize::onPaper(84, 0, 8));
    const QByteArray type = "font-size=\"" + QByteArray::number(Theme::tableFont().pixelSize()) + '"';
    EXPECT_TRUE(large.contains(type));
    EXPECT_FALSE(small.contains(type)) << "many lines are set smaller";

    const FigureSize column = FigureSize::onPaper(84, 60, 8);
    ASSERT_TRUE(saveFigure(m_source, column, 1, file("a.png")));
    EXPECT_EQ(QImageReader(file("a.png")).text(QStringLiteral("Description")), m_source.caption);
    ASSERT_TRUE(saveFigure(m_source, column, 1, file("a.svg")));
    EXPECT_TRUE(QString::fromUtf8(bytes(file("a.svg"))).contains(m_source.caption));
}

/// Paints far beyond its place, as a chart does that trusts in a clip.
class Overflowing : public QWidget {
protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(-50, 0, 5000, 5000, Qt::red); }
};

TEST_F(FigureTest, WhatAViewPaintsBeyondItsPlaceIsUnderNoCaption) {
    Overflowing view;
    QByteArray svg = figureSvg({&view, nullptr, m_source.caption}, {QSize(400, 300), 96});
    QImage drawn(400, 300, QImage::Format_RGB32);
    drawn.fill(Qt::white);
    QPainter painter(&drawn);
    QSvgRenderer(svg).render(&painter);
    painter.end();
    EXPECT_EQ(drawn.pixelColor(200, 100), QColor(Qt::red));
    EXPECT_EQ(drawn.pixelColor(398, 298), Theme::instance().colors().panel);
}

TEST_F(FigureTest, APictureThatIsTooLargeIsRefusedBeforeAnythingIsPainted) {
    ASSERT_TRUE(saveFigure(m_source, {}, 1, file("a.png")));
    const QByteArray before = bytes(file("a.png"));
    m_view.painted.clear();
    const FigureSize large{QSize(16384, 16384), 96};
    EXPECT_TRUE(large.isWithinPicture(1));
    EXPECT_FALSE(large.isWithinPicture(2));
    EXPECT_TRUE(figureImage(m_source, large, 4).isNull());
    const Status saved = saveFigure(m_source, large, 4, file("a.png"));
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.message().find("more than 2\u202fGiB"), std::string::npos) << saved.message();
    EXPECT_TRUE(m_view.painted.isEmpty());
    EXPECT_EQ(bytes(file("a.png")), before);
    // As lines and letters it is like any other.
    EXPECT_TRUE(saveFigure(m_source, large, 4, file("a.svg")));
}

TEST(CaptionLines, AreFewAndAllAboutAsLong) {
    const QFont font = Theme::tableFont();
    const QFontMetricsF metrics(font);
    const QString text = QStringLiteral("one, two · three · four and five · six · seven, eight, nine · ten");
    const QString dot = QStringLiteral(" · ");
    // As the sum of the parts, which letters that meet at a dot may differ from.
    const auto longest = [&](const QString& lines) {
        double width = 0;
        for (const QString& line : lines.split(QLatin1Char('\n'))) {
            double sum = -metrics.horizontalAdvance(dot);
            for (const QString& part : line.split(dot))
                sum += metrics.horizontalAdvance(part) + metrics.horizontalAdvance(dot);
            width = std::max(width, sum);
        }
        return width;
    };
    const QStringList parts = text.split(dot);
    for (int width = 150; width < 500; width += 7) {
        SCOPED_TRACE(width);
        const QString broken = brokenAtParts(text, font, width);
        EXPECT_EQ(QString(broken).replace(QLatin1Char('\n'), dot), text);
        EXPECT_LE(longest(broken), width + 0.01);
        // Against every way to break it: none has fewer lines, nor is narrower with as many.
        qsizetype fewest = parts.size();
        double narrowest = 1e9;
        for (unsigned breaks = 0; breaks < 1u << (parts.size() - 1); ++breaks) {
            QString lines = parts[0];
            for (qsizetype i = 1; i < parts.size(); ++i)
                lines += (breaks >> (i - 1) & 1u ? QStringLiteral("\n") : dot) + parts[i];
            const qsizetype count = lines.count(QLatin1Char('\n')) + 1;
            const double wide = longest(lines);
            if (wide > width || count > fewest)
                continue;
            narrowest = count < fewest ? wide : std::min(narrowest, wide);
            fewest = count;
        }
        EXPECT_EQ(broken.count(QLatin1Char('\n')) + 1, fewest);
        EXPECT_NEAR(longest(broken), narrowest, 2);
    }
    EXPECT_EQ(brokenAtParts(QStringLiteral("a\nb · c"), font, 1000), QStringLiteral("a\nb · c"));
    EXPECT_EQ(brokenAtParts(QString(), font, 100), QString());
    const QString words = brokenAtParts(QStringLiteral("many words in one part"), font, 60);
    EXPECT_EQ(QString(words).replace(QLatin1Char('\n'), QLatin1Char(' ')),
              QStringLiteral("many words in one part"));
    EXPECT_GT(words.count(QLatin1Char('\n')), 0) << "a part wider than the line breaks between its words";
}

TEST_F(FigureTest, SvgAndPdfAreOfThatSizeAndHoldNoPicture) {
    const FigureSize size = FigureSize::onPaper(120, 75, 8);
    ASSERT_TRUE(saveFigure(m_source, size, 1, file("a.svg")));
    const QByteArray svg = bytes(file("a.svg"));
    EXPECT_TRUE(QSvgRenderer(svg).isValid());
    EXPECT_FALSE(svg.contains("<image")) << "drawn, not pasted";
    EXPECT_TRUE(svg.contains("NVIDIA H200")) << "the caption";
    const auto width = QRegularExpression(QStringLiteral("width=\"([0-9.]+)mm\""))
                           .match(QString::fromUtf8(svg))
                           .captured(1)
                           .toDouble();
    EXPECT_NEAR(width, 120, 0.3);

    ASSERT_TRUE(saveFigure(m_source, size, 1, file("a.pdf")));
    const QByteArray pdf = bytes(file("a.pdf"));
    EXPECT_TRUE(pdf.startsWith("%PDF"));
    EXPECT_FALSE(pdf.contains("/Subtype /Image"));
    const auto box = QRegularExpression(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]"))
                         .match(QString::fromLatin1(pdf));
    EXPECT_NEAR(box.captured(1).toDouble(), 120 / 25.4 * 72, 1);
    EXPECT_NEAR(box.captured(2).toDouble(), 75 / 25.4 * 72, 1);
}

TEST_F(FigureTest, AnSvgIsSmallAndReadWhateverItsCaptionHas) {
    m_source.caption = QStringLiteral("a & b, x < y, \"quoted\"");
    const QByteArray svg = figureSvg(m_source, FigureSize::onPaper(120, 75, 8));
    QXmlStreamReader xml(svg);
    QString description;
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("desc"))
            description = xml.readElementText();
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    EXPECT_EQ(description, m_source.caption);
    // A field of one colour and a line of text.
    EXPECT_LT(svg.size(), 2000);
}

TEST_F(FigureTest, TheViewIsPutBackWhereItWas) {
    QWidget outer;
    auto* layout = new QHBoxLayout(&outer);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* view = new Plain(Qt::red, &outer);
    layout->addWidget(view);
    layout->addWidget(new Plain(Qt::blue, &outer));
    outer.resize(400, 200);
    outer.setAttribute(Qt::WA_DontShowOnScreen);
    outer.show();
    QCoreApplication::processEvents();
    const QRect before = view->geometry();
    EXPECT_EQ(figureImage({view, nullptr, {}}, {}, 1).pixelColor(1599, 999), QColor(Qt::red));
    EXPECT_EQ(view->geometry(), before);
    EXPECT_EQ(outer.size(), QSize(400, 200));
}

TEST_F(FigureTest, WhatCannotBeWrittenIsSaidAndNothingIsLost) {
    for (const char* name : {"/nowhere/at/all.png", "/nowhere/at/all.svg", "/nowhere/at/all.pdf"}) {
        const Status saved = saveFigure(m_source, {}, 1, QString::fromLatin1(name));
        ASSERT_FALSE(saved);
        EXPECT_NE(saved.message().find(name), std::string::npos) << saved.message();
    }
    const Status other = saveFigure(m_source, {}, 1, file("a.bmp"));
    ASSERT_FALSE(other);
    EXPECT_NE(other.message().find(".png, .svg or .pdf"), std::string::npos);
    EXPECT_FALSE(QFile::exists(file("a.bmp")));
}

/// No two pixels alike, so that its PNG takes many writes.
class Noise : public QWidget {
protected:
    void paintEvent(QPaintEvent*) override {
        QImage image(size(), QImage::Format_RGB32);
        std::uint32_t state = 1;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                image.setPixel(x, y, (state = state * 1664525u + 1013904223u) | 0xff000000u);
        }
        QPainter(this).drawImage(0, 0, image);
    }
};

TEST_F(FigureTest, OneThatIsCancelledWhileItIsWrittenLeavesWhatWasThere) {
    Noise noise;
    for (const char* name : {"a.png", "a.svg", "a.pdf"}) {
        SCOPED_TRACE(name);
        ASSERT_TRUE(saveFigure(m_source, {}, 1, file(name)));
        const QByteArray before = bytes(file(name));
        const FigureSource other{&noise, nullptr, QStringLiteral("another"), false};
        const PaintedFigure figure(other, FigureSize::onPaper(120, 80, 8), 2, file(name));
        int asked = 0;
        ASSERT_TRUE(PaintedFigure(other, FigureSize::onPaper(120, 80, 8), 2, file("b") + name).write([&] {
            ++asked;
            return false;
        }));
        // Before a byte is written, between two, and when all of them are.
        const int all = asked;
        EXPECT_GE(all, QLatin1String(name) == QLatin1String("a.png") ? 4 : 2);
        for (const int yesAt : {1, 2, all / 2 + 1, all}) {
            SCOPED_TRACE(yesAt);
            asked = 0;
            const Status cancelled = figure.write([&] { return ++asked >= yesAt; });
            ASSERT_FALSE(cancelled);
            EXPECT_NE(cancelled.message().find("cancelled"), std::string::npos) << cancelled.message();
            EXPECT_EQ(bytes(file(name)), before);
        }
        bool written = false;
        std::thread([&] { written = figure.write([] { return false; }).ok(); }).join();
        EXPECT_TRUE(written);
        EXPECT_NE(bytes(file(name)), before);
    }
    EXPECT_EQ(QDir(m_folder.path()).entryList(QDir::Files).size(), 6) << "nothing is left beside them";
}

/// A view with all that a figure leaves out.
class WithControls : public QWidget {
public:
    WithControls()
        : segments(new SegmentedControl({QStringLiteral("Kernels"), QStringLiteral("Ops")}, this)),
          box(new ComboBox(this)),
          field(new QLineEdit(this)),
          button(new QPushButton(QStringLiteral("Go"), this)),
          hidden(new QPushButton(this)),
          splitter(new QSplitter(Qt::Vertical, this)),
          chart(new Plain(Qt::red)),
          table(new QTableWidget(20, 8)) {
        segments->setCurrent(1);
        box->addItems({QStringLiteral("Category"), QStringLiteral("Module")});
        setFigureWords(*box, QStringLiteral("stacked by %1"));
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
    view.resize(800, 900);
    view.setAttribute(Qt::WA_DontShowOnScreen);
    view.show();
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
        view.resize(800, before ? 300 : 900);
        view.setAttribute(Qt::WA_DontShowOnScreen);
        view.show();
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
    view.resize(800, 900);
    view.setAttribute(Qt::WA_DontShowOnScreen);
    view.show();
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
        m_button = new QPushButton(QStringLiteral("Show"), this);
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
        view.resize(800, 900);
        view.setAttribute(Qt::WA_DontShowOnScreen);
        view.show();
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
    table.setItem(0, 0, new QTableWidgetItem(QStringLiteral("first")));
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

}  // namespace
}  // namespace warpglass::ui
