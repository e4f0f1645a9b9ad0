// Translucent rectangles over a view: selections, cursors.
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace warpglass::ui {

/// The color, so much of it: 0 nothing, 1 opaque.
QColor withAlpha(QColor color, float alpha);

/// As QPainter::fillRect. On a bitmap in slices: Qt spreads a translucent fill of 96 lines and more over a
/// pool of threads and waits for them, which takes longer than to fill a cursor's line, and longer by far
/// where the processors are busy. Whole pixels: `area` has integer top and bottom.
void fillVeil(QPainter& painter, const QRectF& area, const QColor& color);

}  // namespace warpglass::ui
