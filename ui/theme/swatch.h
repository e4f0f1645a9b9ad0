// The small areas of color that stand for a category or a phase. A color that is faint on what it lies on
// has a border of its own hue, so that the area ends somewhere.
#pragma once

#include <QColor>
#include <QPointF>
#include <QRectF>

class QPainter;

namespace warpglass::ui {

/// The color itself where it has contrast enough to the surface, otherwise a stronger one of its hue.
QColor borderOf(const QColor& color, const QColor& surface);

/// Paints a rounded swatch of size Metrics::kSwatch; `at` is its upper left corner.
void paintSwatch(QPainter& painter, QPointF at, const QColor& color, const QColor& surface);
/// A part of a bar, bordered where it is wide enough to keep its color.
void paintBarPiece(QPainter& painter, const QRectF& piece, const QColor& color, const QColor& surface);

}  // namespace warpglass::ui
