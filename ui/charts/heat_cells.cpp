#include "ui/charts/heat_cells.h"

#include <cmath>

#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

HeatCells::HeatCells(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPColorMap(keyAxis, valueAxis) {
    setInterpolate(false);
}

QCPColorGradient HeatCells::themeGradient() {
    const QColor hue = seriesColor(0), ground = Theme::instance().colors().background;
    const bool dark = Theme::instance().kind() == ThemeKind::kDark;
    QCPColorGradient gradient;
    gradient.clearColorStops();
    gradient.setColorStopAt(0, Theme::mixed(hue, ground, dark ? 0.7 : 0.86));
    gradient.setColorStopAt(0.6, hue);
    gradient.setColorStopAt(
        1, Theme::mixed(hue, dark ? QColor(Qt::white) : QColor(Qt::black), dark ? 0.75 : 0.6));
    return gradient;
}

QColor HeatCells::colorOf(double value) const {
    QCPColorGradient gradient = mGradient;  // it keeps a table of what it was asked
    return QColor::fromRgba(gradient.color(value, mDataRange, mDataScaleType == QCPAxis::stLogarithmic));
}

void HeatCells::draw(QCPPainter* painter) {
    const int columns = mMapData->keySize(), rows = mMapData->valueSize();
    if (columns <= 0 || rows <= 0)
        return;
    const bool logarithmic = mDataScaleType == QCPAxis::stLogarithmic;
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(Qt::NoPen);
    // Edges are those of the pixels, so that no cell shows its neighbor's color between them.
    QVector<double> x(columns + 1), y(rows + 1);
    for (int i = 0; i <= columns; ++i)
        x[i] = std::round(mKeyAxis->coordToPixel(i - 0.5));
    for (int i = 0; i <= rows; ++i)
        y[i] = std::round(mValueAxis->coordToPixel(i - 0.5));
    for (int i = 0; i < columns; ++i) {
        for (int j = 0; j < rows; ++j) {
            const double value = mMapData->cell(i, j);
            if (!std::isfinite(value))
                continue;
            const QColor color = QColor::fromRgba(mGradient.color(value, mDataRange, logarithmic));
            painter->fillRect(QRectF(QPointF(x[i], y[j + 1]), QPointF(x[i + 1], y[j])), color);
        }
    }
}

}  // namespace warpglass::ui
