// The caption under a figure: all of it at every width, in few lines of about one length, over what the view
// paints.
#include <QImageReader>
#include <QPainter>
#include <QSvgRenderer>
#include <QWidget>
#include <QXmlStreamReader>
#include <algorithm>

#include "tests/unit/figures/figure_fixture.h"
#include "ui/figures/caption_lines.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::figure_caption_test {

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
    const QString dot = " · ";
    for (const double mm : {70.0, 84.0, 120.0, 170.0, 240.0}) {
        SCOPED_TRACE(mm);
        const QStringList lines = captionLines(figureSvg(m_source, FigureSize::onPaper(mm, 0, 8)));
        EXPECT_EQ(lines.join(dot), m_source.caption) << "nothing is missing, and no dot stands at an end";
    }
    EXPECT_GT(captionLines(figureSvg(m_source, FigureSize::onPaper(84, 0, 8))).size(), 2);
    // Neither of two lines is a date alone.
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
    EXPECT_EQ(QImageReader(file("a.png")).text("Description"), m_source.caption);
    ASSERT_TRUE(saveFigure(m_source, column, 1, file("a.svg")));
    EXPECT_TRUE(QString::fromUtf8(bytes(file("a.svg"))).contains(m_source.caption));
}

/// Paints far beyond its place, as a chart does that trusts in a clip.
struct Overflowing : QWidget {
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

TEST(CaptionLines, AreFewAndAllAboutAsLong) {
    const QFont font = Theme::tableFont();
    const QFontMetricsF metrics(font);
    const QString text = "one, two · three · four and five · six · seven, eight, nine · ten";
    const QString dot = " · ";
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
    EXPECT_EQ(brokenAtParts("a\nb · c", font, 1000), "a\nb · c");
    EXPECT_EQ(brokenAtParts(QString(), font, 100), QString());
    const QString words = brokenAtParts("many words in one part", font, 60);
    EXPECT_EQ(QString(words).replace(QLatin1Char('\n'), QLatin1Char(' ')), "many words in one part");
    EXPECT_GT(words.count(QLatin1Char('\n')), 0) << "a part wider than the line breaks between its words";
}

}  // namespace warpglass::ui::figure_caption_test
