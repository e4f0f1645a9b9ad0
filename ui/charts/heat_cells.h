// A color map of QCustomPlot whose cells are drawn as rectangles: sharp at every scale, and in a vector
// figure shapes and not a picture. Values that are not numbers are left out.
#pragma once

#include <qcustomplot.h>

namespace warpglass::ui {

class HeatCells : public QCPColorMap {
    Q_OBJECT
public:
    HeatCells(QCPAxis* keyAxis, QCPAxis* valueAxis);

    QColor colorOf(double value) const;
    /// From pale to strong on a light ground, from dim to bright on a dark one: one hue, of which everyone
    /// sees the lightness.
    static QCPColorGradient themeGradient();

protected:
    void draw(QCPPainter* painter) override;
};

}  // namespace warpglass::ui
