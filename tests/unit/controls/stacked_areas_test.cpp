// Stacked areas against asking each pixel by itself what it shows.
#include "ui/controls/stacked_areas.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "ui/theme/theme.h"

namespace warpglass::ui::stacked_areas_test {

constexpr std::size_t kAreas = 4;
const QRectF kPlot(20, 10, 100, 60);
const QColor kGround(1, 2, 3), kEdge(250, 251, 252);
constexpr double kTop = 50;

QColor colorOf(std::size_t area) {
    return QColor(60 + static_cast<int>(area) * 40, 200 - static_cast<int>(area) * 30, 90);
}

struct Stack {
    StackedAreas::Values base;
    std::array<StackedAreas::Values, kAreas> tops;

    explicit Stack(std::size_t columns, std::uint32_t seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> step(0, 9);
        for (std::size_t c = 0; c < columns; ++c) {
            base.push_back(step(random));
            double sum = base.back();
            for (StackedAreas::Values& top : tops) {
                // Nothing of an area in every third column.
                sum += random() % 3 == 0 ? 0 : step(random);
                top.push_back(sum);
            }
        }
    }
    StackedAreas areas(StackedAreas::Shape shape = StackedAreas::Shape::kSteps) const {
        StackedAreas areas(kPlot, kTop, shape);
        areas.setBase(base);
        for (std::size_t i = 0; i < kAreas; ++i)
            areas.add(tops[i], colorOf(i));
        return areas;
    }
};

QImage paint(double ratio, const std::function<void(QPainter&)>& draw) {
    QImage image(QSize(140, 90) * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(kGround);
    QPainter painter(&image);
    draw(painter);
    return image;
}

TEST(StackedAreas, EveryPixelShowsTheAreaThatIsThereAndMutedWhereItIsNotKept) {
    for (const double ratio : {1.0, 1.5, 2.0}) {
        const Stack stack(100, 7);
        StackedAreas areas = stack.areas();
        areas.setEdge(kEdge);
        const KeptX kept{50, 80};
        areas.setKept(kept);
        const QImage image = paint(ratio, [&](QPainter& painter) { areas.paint(painter); });
        for (int row = 0; row < image.height(); ++row) {
            for (int column = 0; column < image.width(); ++column) {
                const double x = (column + 0.5) / ratio, y = (row + 0.5) / ratio;
                QColor wanted = kGround;
                if (kPlot.contains(x, y)) {
                    const auto c = static_cast<std::size_t>(x - kPlot.left());
                    const double value = (kPlot.bottom() - y) / kPlot.height() * kTop;
                    for (std::size_t i = kAreas; i-- > 0;) {
                        if (value > (i > 0 ? stack.tops[i - 1] : stack.base)[c] && value <= stack.tops[i][c])
                            wanted = colorOf(i);
                    }
                    // The edge is as high as a logical pixel, inside.
                    const int top =
                        static_cast<int>(std::ceil(areas.yOf(stack.tops.back()[c]) * ratio - 0.5));
                    if (row >= top && row < top + qRound(ratio))
                        wanted = kEdge;
                    if (!kept.contains(x) && wanted != kGround)
                        wanted = Theme::instance().muted(wanted);
                }
                ASSERT_EQ(image.pixelColor(column, row), wanted) << ratio << ": " << column << ", " << row;
            }
        }
    }
}

/// Level areas look alike as pixels and as polygons, which is what slopes and vector devices have.
TEST(StackedAreas, PolygonsAreThatOfThePixels) {
    Stack stack(1, 3);
    stack.base.resize(40, stack.base[0]);
    for (StackedAreas::Values& top : stack.tops)
        top.resize(40, top[0]);
    for (const KeptX kept : {KeptX(), KeptX{40, 70}}) {
        const auto drawn = [&](StackedAreas::Shape shape) {
            StackedAreas areas = stack.areas(shape);
            areas.setKept(kept);
            return paint(2, [&](QPainter& painter) { areas.paint(painter); });
        };
        EXPECT_EQ(drawn(StackedAreas::Shape::kSteps), drawn(StackedAreas::Shape::kSlopes));
    }
}

TEST(StackedAreas, ALineIsInterruptedWhereThereIsNothing) {
    StackedAreas::Values values(100, 25);
    std::fill(values.begin() + 40, values.begin() + 60, -1);
    const QImage image = paint(1, [&](QPainter& painter) {
        StackedAreas(kPlot, kTop).paintLine(painter, values, QPen(kEdge, 1), StackedAreas::Shape::kSteps);
    });
    const auto drawn = [&](int x) {
        for (int y = 0; y < image.height(); ++y) {
            if (image.pixelColor(x, y) == kEdge)
                return true;
        }
        return false;
    };
    for (const int x : {25, 55, 85, 115})
        EXPECT_TRUE(drawn(x)) << x;
    for (const int x : {10, 65, 75, 130})
        EXPECT_FALSE(drawn(x)) << x;
}

TEST(StackedAreas, NothingIsDrawnOfNothing) {
    const QImage image = paint(1, [](QPainter& painter) {
        StackedAreas(kPlot, kTop).paint(painter);
        StackedAreas none(kPlot, 0);
        none.add({1, 2, 3}, kEdge);
        none.paint(painter);
    });
    EXPECT_EQ(image, paint(1, [](QPainter&) {}));
}

}  // namespace warpglass::ui::stacked_areas_test
