// Hatching: its lines lie in what they fill, go on in what touches it, and are as many at every resolution.
#include "ui/theme/hatch.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <cmath>

#include "ui/theme/legend.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::hatch_test {

TEST(Hatch, LinesLieInTheAreaAndGoOnInTheNext) {
    const QRectF area(3.5, 10, 41, 17);
    const QVector<QLineF> lines = hatchLines(area, 6);
    ASSERT_GT(lines.size(), 5);
    for (const QLineF& line : lines) {
        EXPECT_TRUE(
            area.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(QRectF(line.p1(), line.p2()).normalized()));
        const double sum = line.x1() + line.y1();
        EXPECT_NEAR(sum, line.x2() + line.y2(), 1e-9);
        EXPECT_NEAR(sum / 6, std::round(sum / 6), 1e-9) << "whatever the area";
    }
    EXPECT_TRUE(hatchLines({}, 6).isEmpty());
    EXPECT_TRUE(hatchLines(area, 0).isEmpty());
}

TEST(Hatch, HasAsManyLinesAtTwiceTheResolution) {
    const auto darkRuns = [](double scale) {
        QImage image(QSize(static_cast<int>(120 * scale), static_cast<int>(20 * scale)),
                     QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        image.fill(Qt::white);
        QPainter painter(&image);
        fillHatch(painter, QRectF(10, 2, 100, 16), Qt::black, 8);
        painter.end();
        const int y = static_cast<int>(10 * scale);
        int runs = 0;
        bool dark = false;
        for (int x = 0; x < image.width(); ++x) {
            const bool now = image.pixelColor(x, y).lightness() < 128;
            runs += now && !dark ? 1 : 0;
            dark = now;
        }
        EXPECT_EQ(image.pixelColor(static_cast<int>(5 * scale), y), QColor(Qt::white)) << "outside the area";
        return runs;
    };
    EXPECT_NEAR(darkRuns(1), 12, 1);
    EXPECT_EQ(darkRuns(1), darkRuns(2));
    EXPECT_EQ(darkRuns(1), darkRuns(3));
}

TEST(Hatch, TheLegendsSquareIsHatched) {
    QImage image(120, 20, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintLegend(painter, QRectF(0, 0, 120, 18), {freeEntry()});
    painter.end();
    int lines = 0, ground = 0;
    const int color = freeEntry().color.lightness();
    const int raised = Theme::instance().colors().raised.lightness();
    for (int y = 5; y < 13; ++y) {
        for (int x = 0; x < 8; ++x) {
            const int seen = image.pixelColor(x, y).lightness();
            if (image.pixelColor(x, y) != QColor(Qt::white))
                (std::abs(seen - color) < std::abs(seen - raised) ? lines : ground) += 1;
        }
    }
    EXPECT_GT(std::abs(color - raised), 30) << "is seen";
    EXPECT_GT(lines, 6);
    EXPECT_GT(ground, 20);
}

}  // namespace warpglass::ui::hatch_test
