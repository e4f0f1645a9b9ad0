#include "ui/charts/stack_graph.h"

#include <qcustomplot.h>

#include <QPaintEngine>
#include <cmath>

namespace warpglass::ui {

namespace {

/// The first pixel whose middle is at or after x: what a fill without antialiasing covers.
int firstPixel(double x) {
    return static_cast<int>(std::ceil(x - 0.5));
}

class StackGraph : public QCPGraph {
public:
    using QCPGraph::QCPGraph;

protected:
    void drawFill(QCPPainter* painter, QVector<QPointF>* lines) const override;
};

/// `lines`: across, up or down, across …
void StackGraph::drawFill(QCPPainter* painter, QVector<QPointF>* lines) const {
    if (painter->paintEngine()->type() != QPaintEngine::Raster || mBrush.style() != Qt::SolidPattern)
        return QCPGraph::drawFill(painter, lines);
    applyFillAntialiasingHint(painter);
    // Whole device pixels, whatever the scale.
    const double scale = painter->deviceTransform().m11();
    painter->save();
    painter->scale(1 / scale, 1 / scale);
    const int bottom = firstPixel(mValueAxis->coordToPixel(0) * scale);
    QRect step;
    for (qsizetype i = 0; i + 1 < lines->size(); ++i) {
        const QPointF from = lines->at(i), to = lines->at(i + 1);
        const int left = firstPixel(from.x() * scale), right = firstPixel(to.x() * scale);
        const int top = firstPixel(from.y() * scale);
        if (right <= left)
            continue;  // up or down, or too narrow for a pixel
        if (!step.isEmpty() && step.top() == top && step.right() + 1 == left) {
            step.setRight(right - 1);
            continue;
        }
        if (!step.isEmpty())
            painter->fillRect(step, mBrush.color());
        step = QRect(left, top, right - left, bottom - top);
    }
    if (!step.isEmpty())
        painter->fillRect(step, mBrush.color());
    painter->restore();
}

}  // namespace

QCPGraph* addStackGraph(QCustomPlot& plot) {
    auto* graph = new StackGraph(plot.xAxis, plot.yAxis);  // the plot's
    graph->setLineStyle(QCPGraph::lsStepLeft);
    graph->setPen(Qt::NoPen);
    graph->setAdaptiveSampling(false);  // there is one point a column already
    // Steps stand on pixel columns already, and antialiased fills cost three times as much.
    graph->setAntialiasedFill(false);
    graph->setAntialiased(false);
    graph->setVisible(false);
    return graph;
}

}  // namespace warpglass::ui
