// A graph of steps, filled down to zero, that costs one rectangle per step.
//
// QCustomPlot fills one polygon, and Qt's scan converter takes time that grows with the square of the edges
// that cross a line of pixels: 15 ms for a saw tooth over 1,000 columns, where the rectangles take less than
// one. What is on screen is the same to the pixel. On vector devices the polygon stays: it is the smaller
// drawing.
#pragma once

#include <qcustomplot.h>

namespace warpglass::ui {

/// Line style lsStepLeft; its steps never go back in time.
class StackGraph : public QCPGraph {
public:
    StackGraph(QCPAxis* keyAxis, QCPAxis* valueAxis);

protected:
    void drawFill(QCPPainter* painter, QVector<QPointF>* lines) const override;
};

}  // namespace warpglass::ui
