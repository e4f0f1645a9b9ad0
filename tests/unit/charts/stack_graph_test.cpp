#include "ui/charts/stack_graph.h"

#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QImage>

#include "tests/support/synthetic_trace.h"

namespace warpglass::ui {
namespace {

constexpr QSize kSize(400, 120);

QCPGraph* addPolygon(QCustomPlot& plot) {
    QCPGraph* graph = plot.addGraph();
    graph->setLineStyle(QCPGraph::lsStepLeft);
    graph->setAdaptiveSampling(false);
    graph->setAntialiasedFill(false);
    graph->setPen(Qt::NoPen);
    return graph;
}

/// The graph alone, over the whole picture.
QImage drawn(QCPGraph* add(QCustomPlot&), const QVector<QCPGraphData>& points, double from, double to,
             double highest, double scale) {
    QCustomPlot plot;
    plot.resize(kSize);
    plot.axisRect()->setAutoMargins(QCP::msNone);
    plot.axisRect()->setMargins({});
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis})
        axis->setVisible(false);
    QCPGraph* graph = add(plot);
    graph->setVisible(true);
    graph->setBrush(QColor(200, 80, 20));
    graph->data()->set(points, true);
    plot.xAxis->setRange(from, to);
    plot.yAxis->setRange(0, highest);
    QImage image(kSize * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QCPPainter painter(&image);
    plot.toPainter(&painter, kSize.width(), kSize.height());
    return image;
}

/// QCustomPlot's polygon is the oracle.
TEST(StackGraph, CoversThePixelsOfThePolygon) {
    std::uint64_t random = 5;
    const auto next = [&random](std::uint64_t below) {
        return static_cast<double>(warpglass::test::nextRandom(random) % below);
    };
    for (int round = 0; round < 24; ++round) {
        // From a step a column to many a column, with stretches that stay level.
        const int steps = round % 3 == 0 ? 400 : static_cast<int>(20 + next(1500));
        QVector<QCPGraphData> points;
        double value = next(1000);
        for (int i = 0; i < steps; ++i) {
            if (next(3) != 0)
                value = next(4) == 0 ? 0 : next(1000) + 0.37;
            points.append({static_cast<double>(i), value});
        }
        points.append({static_cast<double>(steps), value});
        const double from = round % 2 == 0 ? 0 : steps * 0.213;
        for (const double scale : {1.0, 2.0}) {
            const QImage expected = drawn(addPolygon, points, from, steps, 1100, scale);
            const QImage seen = drawn(addStackGraph, points, from, steps, 1100, scale);
            ASSERT_EQ(seen.size(), expected.size());
            int different = 0, filled = 0;
            for (int y = 0; y < seen.height(); ++y) {
                for (int x = 0; x < seen.width(); ++x) {
                    different += seen.pixel(x, y) != expected.pixel(x, y);
                    filled += expected.pixel(x, y) != qRgb(255, 255, 255);
                }
            }
            EXPECT_GT(filled, seen.width());
            // Qt's own edges are in 64ths of a pixel: a middle that lies as near to one may fall on either
            // side, and of a thousand edges anywhere some do. The chart's own lie on pixels.
            const bool onPixels = steps == kSize.width() && from == 0;
            EXPECT_LE(different, filled / (onPixels ? 500 : 33)) << "round " << round << ", scale " << scale;
        }
    }
}

}  // namespace
}  // namespace warpglass::ui
