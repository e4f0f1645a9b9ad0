// Figures: their size on paper and in pixels, what is in each format, and what becomes of the view.
#include <QCoreApplication>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QWidget>
#include <QXmlStreamReader>
#include <cstdint>
#include <set>
#include <thread>

#include "tests/support/show_unseen.h"
#include "tests/unit/figures/figure_fixture.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::figure_test {

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
        EXPECT_NEAR(image.width() / (image.dotsPerMeterX() / 1000.0), 100, 0.3) << "millimeters";
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

TEST_F(FigureTest, APictureThatIsTooLargeIsRefusedBeforeAnythingIsPainted) {
    ASSERT_TRUE(saveFigure(m_source, {}, 1, file("a.png")));
    const QByteArray before = bytes(file("a.png"));
    m_view.painted.clear();
    const FigureSize large{QSize(16384, 16384), 96};
    EXPECT_TRUE(large.isWithinPicture(1));
    EXPECT_FALSE(large.isWithinPicture(2));
    EXPECT_TRUE(figureImage(m_source, large, 4).isNull());
    expectRefused(saveFigure(m_source, large, 4, file("a.png")), "more than 2\u202fGiB");
    EXPECT_TRUE(m_view.painted.isEmpty());
    EXPECT_EQ(bytes(file("a.png")), before);
    // As lines and letters it is like any other.
    EXPECT_TRUE(saveFigure(m_source, large, 4, file("a.svg")));
}

TEST_F(FigureTest, SvgAndPdfAreOfThatSizeAndHoldNoPicture) {
    const FigureSize size = FigureSize::onPaper(120, 75, 8);
    ASSERT_TRUE(saveFigure(m_source, size, 1, file("a.svg")));
    const QByteArray svg = bytes(file("a.svg"));
    EXPECT_TRUE(QSvgRenderer(svg).isValid());
    EXPECT_FALSE(svg.contains("<image")) << "drawn, not pasted";
    EXPECT_TRUE(svg.contains("NVIDIA H200")) << "the caption";
    const auto width =
        QRegularExpression("width=\"([0-9.]+)mm\"").match(QString::fromUtf8(svg)).captured(1).toDouble();
    EXPECT_NEAR(width, 120, 0.3);

    ASSERT_TRUE(saveFigure(m_source, size, 1, file("a.pdf")));
    const QByteArray pdf = bytes(file("a.pdf"));
    EXPECT_TRUE(pdf.startsWith("%PDF"));
    EXPECT_FALSE(pdf.contains("/Subtype /Image"));
    const auto box =
        QRegularExpression("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]").match(QString::fromLatin1(pdf));
    EXPECT_NEAR(box.captured(1).toDouble(), 120 / 25.4 * 72, 1);
    EXPECT_NEAR(box.captured(2).toDouble(), 75 / 25.4 * 72, 1);
}

/// Words in the fonts that tables have; the one's size is in points.
struct Written : QWidget {
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setFont(Theme::tableFont());
        painter.drawText(10, 20, "backward");
        painter.setFont(Theme::monoFont());
        painter.drawText(10, 40, "aten::mm");
    }
};

std::set<QString> fontSizesIn(const QByteArray& svg) {
    std::set<QString> sizes;
    auto matches = QRegularExpression("font-size=\"([^\"]*)\"").globalMatch(svg);
    while (matches.hasNext())
        sizes.insert(matches.next().captured(1));
    return sizes;
}

TEST_F(FigureTest, AnSvgsLettersAreOfOneSizeWhateverThePapers) {
    Written view;
    const FigureSource source{&view, nullptr, {}};
    const std::set<QString> sizes = fontSizesIn(figureSvg(source, {QSize(600, 400), 96}));
    EXPECT_EQ(sizes, (std::set<QString>{"11.5", "12"}));
    for (const double mm : {84.0, 170.0}) {
        for (const double pt : {6.0, 8.0, 12.0}) {
            SCOPED_TRACE(pt);
            const QByteArray svg = figureSvg(source, FigureSize::onPaper(mm, 60, pt));
            EXPECT_EQ(fontSizesIn(svg), sizes);
            const auto paper = QRegularExpression("width=\"([0-9.]+)mm\" height=\"([0-9.]+)mm\"")
                                   .match(QString::fromUtf8(svg));
            EXPECT_NEAR(paper.captured(1).toDouble(), mm, 0.4);
            EXPECT_NEAR(paper.captured(2).toDouble(), 60, 0.4);
            EXPECT_TRUE(QSvgRenderer(svg).isValid());
        }
    }
}

TEST_F(FigureTest, AViewThatIsNotLaidOutSoSmallIsDrawnSmallerAndFillsTheFigure) {
    m_view.setMinimumSize(1280, 720);
    m_source.caption.clear();
    m_source.asItIs = true;
    for (const QSize size : {QSize(783, 489), QSize(387, 242), QSize(800, 300)}) {
        const QImage image = figureImage(m_source, {size, 96}, 1);
        for (const QPoint corner : {QPoint(1, 1), QPoint(size.width() - 2, 1), QPoint(1, size.height() - 2),
                                    QPoint(size.width() - 2, size.height() - 2)})
            EXPECT_EQ(image.pixelColor(corner), QColor(Qt::red)) << corner.x() << ", " << corner.y();
        const QSize laidOut = m_view.painted.last();
        EXPECT_NEAR(static_cast<double>(laidOut.width()) / laidOut.height(),
                    static_cast<double>(size.width()) / size.height(), 0.01);
    }
    figureImage(m_source, {QSize(1600, 1000), 96}, 1);
    EXPECT_EQ(m_view.painted.last(), QSize(1600, 1000));
}

TEST_F(FigureTest, CapitalsOfAFontAreWrittenInAnSvg) {
    QWidget view;
    QLabel head("Model", &view);
    head.setFont(Theme::headFont());
    head.adjustSize();
    for (const bool asItIs : {false, true}) {
        const QByteArray svg = figureSvg({&view, nullptr, {}, asItIs}, {QSize(300, 200), 96});
        EXPECT_TRUE(svg.contains(">MODEL<")) << svg.constData();
        EXPECT_FALSE(svg.contains(">Model<"));
        EXPECT_EQ(head.text(), "Model");
    }
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
    // A field of one color and a line of text.
    EXPECT_LT(svg.size(), 2000);
}

TEST_F(FigureTest, TheViewIsPutBackWhereItWas) {
    QWidget outer;
    auto* layout = new QHBoxLayout(&outer);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* view = new Plain(Qt::red, &outer);
    layout->addWidget(view);
    layout->addWidget(new Plain(Qt::blue, &outer));
    test::showUnseen(outer, {400, 200});
    QCoreApplication::processEvents();
    const QRect before = view->geometry();
    EXPECT_EQ(figureImage({view, nullptr, {}}, {}, 1).pixelColor(1599, 999), QColor(Qt::red));
    EXPECT_EQ(view->geometry(), before);
    EXPECT_EQ(outer.size(), QSize(400, 200));
}

TEST_F(FigureTest, WhatCannotBeWrittenIsSaidAndNothingIsLost) {
    for (const char* name : {"/nowhere/at/all.png", "/nowhere/at/all.svg", "/nowhere/at/all.pdf"})
        expectRefused(saveFigure(m_source, {}, 1, QString::fromLatin1(name)), name);
    expectRefused(saveFigure(m_source, {}, 1, file("a.bmp")), ".png, .svg or .pdf");
    EXPECT_FALSE(QFile::exists(file("a.bmp")));
}

/// No two pixels alike, so that its PNG takes many writes.
struct Noise : QWidget {
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

TEST_F(FigureTest, OneThatIsCanceledWhileItIsWrittenLeavesWhatWasThere) {
    Noise noise;
    for (const char* name : {"a.png", "a.svg", "a.pdf"}) {
        SCOPED_TRACE(name);
        ASSERT_TRUE(saveFigure(m_source, {}, 1, file(name)));
        const QByteArray before = bytes(file(name));
        const FigureSource other{&noise, nullptr, "another", false};
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
            expectRefused(figure.write([&] { return ++asked >= yesAt; }), "canceled");
            EXPECT_EQ(bytes(file(name)), before);
        }
        bool written = false;
        std::thread([&] { written = figure.write([] { return false; }).ok(); }).join();
        EXPECT_TRUE(written);
        EXPECT_NE(bytes(file(name)), before);
    }
    EXPECT_EQ(QDir(m_folder.path()).entryList(QDir::Files).size(), 6) << "nothing is left beside them";
}

}  // namespace warpglass::ui::figure_test
