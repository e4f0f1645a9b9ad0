#include "ui/theme/veil.h"

#include <QPaintEngine>
#include <QPainter>
#include <algorithm>

namespace warpglass::ui {

namespace {

/// In logical pixels: below 96 lines at three device pixels each, and whole ones at every quarter of a scale.
constexpr double kSlice = 28;

}  // namespace

QColor withAlpha(QColor color, float alpha) {
    color.setAlphaF(alpha);
    return color;
}

void fillVeil(QPainter& painter, const QRectF& area, const QColor& color) {
    if (!painter.paintEngine() || painter.paintEngine()->type() != QPaintEngine::Raster)
        return painter.fillRect(area, color);
    for (double top = area.top(); top < area.bottom(); top += kSlice)
        painter.fillRect(QRectF(area.left(), top, area.width(), std::min(kSlice, area.bottom() - top)),
                         color);
}

}  // namespace warpglass::ui
