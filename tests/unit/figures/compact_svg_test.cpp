// SVG made small: the same picture, in a fraction of the bytes.
#include "ui/figures/compact_svg.h"

#include <gtest/gtest.h>

#include <QBuffer>
#include <QImage>
#include <QLinearGradient>
#include <QPainter>
#include <QSvgGenerator>
#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <cmath>
#include <functional>
#include <random>

#include "ui/figures/svg_path.h"

namespace warpglass::ui::compact_svg_test {

constexpr QSize kSize(400, 300);

QByteArray drawn(const std::function<void(QPainter&)>& draw) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(kSize);
    svg.setViewBox(QRect(QPoint(), kSize));
    svg.setTitle("A title");
    svg.setDescription("A description");
    QPainter painter(&svg);
    draw(painter);
    painter.end();
    return buffer.data();
}

QImage rendered(const QByteArray& svg) {
    QImage image(kSize, QImage::Format_RGB32);
    image.fill(Qt::white);
    QSvgRenderer renderer(svg);
    EXPECT_TRUE(renderer.isValid()) << svg.left(500).toStdString();
    QPainter painter(&image);
    renderer.render(&painter, QRectF(QPointF(), QSizeF(kSize)));
    return image;
}

/// The most that a color of a pixel differs by, and of how many pixels by more than `few`.
std::pair<int, int> difference(const QImage& a, const QImage& b, int few) {
    int most = 0, many = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            const int by = std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)),
                                     std::abs(qBlue(p) - qBlue(q))});
            most = std::max(most, by);
            many += by > few ? 1 : 0;
        }
    }
    return {most, many};
}

QStringList textsOf(const QByteArray& svg) {
    QStringList texts;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text"))
            texts << xml.readElementText();
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    return texts;
}

qsizetype shapesOf(const QByteArray& svg) {
    return svg.count("<rect") + svg.count("<path") + svg.count("<poly") + svg.count("<text");
}

QColor someColor(std::mt19937& random, int alpha = 255) {
    constexpr QRgb kColors[] = {0x2f7fd0, 0xd6cbef, 0xbfe3d0, 0xe69f00, 0x93a0af};
    QColor color = QColor::fromRgb(kColors[random() % std::size(kColors)]);
    color.setAlpha(alpha);
    return color;
}

TEST(CompactSvg, SpacesBetweenTextsThatStandBesideEachOtherAreKept) {
    const QByteArray compact = compactSvg(drawn([](QPainter& painter) {
        painter.setPen(Qt::red);
        painter.drawText(10, 20, " · B ");
        painter.drawText(10, 60, "one word");
    }));
    EXPECT_EQ(textsOf(compact), (QStringList{" · B ", "one word"}));
    // On the text itself: what a group says of spaces a browser does not pass on to it.
    EXPECT_EQ(compact.count("xml:space=\"preserve\"> · B </text>"), 1);
    EXPECT_EQ(compact.count("xml:space=\"preserve\">one word"), 0);
}

TEST(CompactSvg, BlocksThatLieOverEachOtherAreAsTheyWere) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&random](int end) { return static_cast<int>(random() % end); };
        const QByteArray svg = drawn([&](QPainter& painter) {
            for (int i = 0; i < 400; ++i) {
                painter.fillRect(QRect(below(380), below(280), 1 + below(60), 1 + below(40)),
                                 someColor(random));
                if (i % 150 == 149)
                    painter.drawLine(below(400), below(300), below(400), below(300));
            }
        });
        const QByteArray compact = compactSvg(svg);
        EXPECT_EQ(difference(rendered(svg), rendered(compact), 0).second, 0) << seed;
        EXPECT_LT(compact.size(), svg.size() / 4) << seed;
    }
}

TEST(CompactSvg, RowsOfBlocksAreAPathAColor) {
    std::mt19937 random(1);
    const QByteArray svg = drawn([&](QPainter& painter) {
        for (int row = 0; row < 10; ++row) {
            for (int x = 0; x < 400; x += 2)
                painter.fillRect(QRectF(x + 0.25, row * 20, 1.5, 18), someColor(random));
        }
    });
    const QByteArray compact = compactSvg(svg);
    EXPECT_EQ(shapesOf(svg), 2000);
    EXPECT_EQ(shapesOf(compact), 5);
    EXPECT_LT(compact.size(), svg.size() / 10);
    EXPECT_LE(difference(rendered(svg), rendered(compact), 0).first, 2);
}

TEST(CompactSvg, NeighborsOfOneColorAreOneBlock) {
    const QByteArray compact = compactSvg(drawn([](QPainter& painter) {
        for (int i = 0; i < 100; ++i)
            painter.fillRect(QRectF(10 + i * 0.5, 20, 0.5, 30), Qt::red);
    }));
    EXPECT_TRUE(compact.contains("d=\"M10 20h50v30h-50z\"")) << compact.toStdString();
}

/// As a widget in a figure: shifted, shrunk, with text, lines, curves and what lets through what is under it.
TEST(CompactSvg, AnyPictureLooksAsItDid) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const auto to = [&random](double most) { return most * static_cast<double>(random() % 1000) / 1000; };
        const QByteArray svg = drawn([&](QPainter& painter) {
            for (int i = 0; i < 60; ++i) {
                painter.save();
                painter.translate(std::floor(to(40)), std::floor(to(40)));
                if (random() % 3 == 0)
                    painter.scale(0.5, random() % 2 ? 0.5 : 0.75);
                if (random() % 8 == 0)
                    painter.rotate(-90 + to(5));
                if (random() % 6 == 0)
                    painter.setOpacity(0.5);
                QPen pen(someColor(random, random() % 2 ? 255 : 90), 1 + to(2));
                if (random() % 3 == 0)
                    pen.setDashPattern({3, 2});
                pen.setCosmetic(random() % 4 == 0);
                painter.setPen(random() % 4 == 0 ? QPen(Qt::NoPen) : pen);
                QLinearGradient gradient(0, 0, 100, 0);
                gradient.setColorAt(0, Qt::white);
                gradient.setColorAt(1, someColor(random));
                if (random() % 3 == 0)
                    painter.setBrush(random() % 5 == 0 ? QBrush(gradient)
                                                       : someColor(random, random() % 2 ? 255 : 60));
                const QRectF place(to(250), to(180), 2 + to(90), 2 + to(70));
                QPolygonF shape;
                for (int corner = 0; corner < 7; ++corner)
                    shape << QPointF(place.left() + to(90), corner % 2 ? place.top() : place.top() + to(70));
                switch (random() % 8) {
                    case 0:
                        painter.drawRect(place);
                        break;
                    case 1:
                        painter.drawRoundedRect(place, 3, 3);
                        break;
                    case 2:
                        painter.drawEllipse(place);
                        break;
                    case 3:
                        painter.drawPolygon(shape);
                        break;
                    case 4:
                        painter.drawPolyline(shape);
                        break;
                    case 5:
                        painter.drawLine(place.topLeft(), place.bottomRight());
                        break;
                    case 6:
                        painter.fillRect(place, someColor(random, 80));
                        break;
                    default:
                        painter.setPen(someColor(random));
                        painter.drawText(place.topLeft(), QStringLiteral("a < b  & “c” %1").arg(i));
                }
                painter.restore();
            }
        });
        const QByteArray compact = compactSvg(svg);
        EXPECT_LT(compact.size(), svg.size());
        EXPECT_EQ(textsOf(compact), textsOf(svg));
        // Places are rounded: an edge may be a little paler, a dash end a little later.
        const auto [most, many] = difference(rendered(svg), rendered(compact), 32);
        EXPECT_LE(many, 60) << most;
    }
}

TEST(CompactSvg, AStairOfThousandsOfStepsTakesFewBytesAStep) {
    const QByteArray svg = drawn([](QPainter& painter) {
        QPolygonF stair;
        stair << QPointF(0, 300);
        for (int i = 0; i < 1600; ++i) {
            const double y = 150 + 100 * std::sin(i / 40.0);
            stair << QPointF(i * 0.25, y) << QPointF((i + 1) * 0.25, y);
        }
        stair << QPointF(400, 300);
        painter.setPen(Qt::NoPen);
        painter.setBrush(Qt::blue);
        painter.drawPolygon(stair);
    });
    const QByteArray compact = compactSvg(svg);
    EXPECT_LT(compact.size(), 1600 * 12);
    EXPECT_LE(difference(rendered(svg), rendered(compact), 0).first, 4);
}

TEST(CompactSvg, WhatIsNotTheGeneratorsIsLeftAsItIs) {
    const QByteArray svg = drawn([](QPainter& painter) { painter.fillRect(10, 10, 50, 50, Qt::red); });
    ASSERT_TRUE(compactSvg(svg) != svg);
    const QByteArray others[] = {QByteArray(),
                                 "no SVG at all",
                                 "<svg><defs></defs>\n<g><g fill=\"#ff0000\"><star/></g></g></svg>",
                                 svg.left(svg.size() / 2),
                                 QByteArray(svg).replace("width=\"50\"", "width=\"wide\""),
                                 QByteArray(svg).replace("<rect", "<strange")};
    for (const QByteArray& other : others)
        EXPECT_TRUE(compactSvg(other) == other) << other.toStdString();
    // Twice is once.
    EXPECT_EQ(rendered(compactSvg(compactSvg(svg))), rendered(svg));
}

TEST(SvgPath, NumbersAreHundredthsInAsFewLettersAsThereAre) {
    EXPECT_EQ(svgNumber(svgLength(0)), "0");
    EXPECT_EQ(svgNumber(svgLength(-0.001)), "0");
    EXPECT_EQ(svgNumber(svgLength(12)), "12");
    EXPECT_EQ(svgNumber(svgLength(12.5)), "12.5");
    EXPECT_EQ(svgNumber(svgLength(-0.25)), "-.25");
    EXPECT_EQ(svgNumber(svgLength(0.05)), ".05");
    EXPECT_EQ(svgNumber(svgLength(1234.567)), "1234.57");
    EXPECT_EQ(svgLength(std::nan("")), 0);
    EXPECT_GT(svgLength(1e300), 0);
    EXPECT_LT(svgLength(-1e300), 0);
    std::mt19937 random(2);
    for (int i = 0; i < 1000; ++i) {
        const auto length = static_cast<SvgLength>(random() % 2'000'000) - 1'000'000;
        EXPECT_EQ(svgLength(svgNumber(length).toDouble()), length);
    }
}

TEST(SvgPath, LinesThatGoOnAreOneAndEachPointIsFromTheOneBefore) {
    SvgPath path;
    path.moveTo({1000, 2000});
    path.lineTo({1100, 2000});
    path.lineTo({1250, 2000});
    path.lineTo({1250, 1900});
    path.lineTo({1250, 1950});
    path.lineTo({1300, 2000});
    path.close();
    path.moveTo({1000, 1000});
    path.curveTo({1100, 1000}, {1200, 900}, {1200, 1100});
    path.addRect({0, 0, 100, 200});
    EXPECT_EQ(path.text(), "M10 20h2.5v-1v.5l.5 .5zm0-10c1 0 2-1 2 1m-12-11h1v2h-1z");
}

}  // namespace warpglass::ui::compact_svg_test
