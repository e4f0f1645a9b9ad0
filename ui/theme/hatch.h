// Hatching in logical pixels: lines clipped to what they fill, so that a picture of twice the resolution has
// as many of them (Qt's own brush patterns are device pixels). And how free memory looks, which is hatched.
//
// Pure but for the painting; GUI thread.
#pragma once

#include <QColor>
#include <QLineF>
#include <QRectF>
#include <QVector>

class QPainter;

namespace warpglass::ui {

struct LegendEntry;

/// Rising lines, each `period` logical pixels beside the next, of those that pass the origin: areas that
/// touch have lines that go on.
QVector<QLineF> hatchLines(const QRectF& area, double period);
/// `width`: of a line, logical pixels. Leaves the painter as it was.
void fillHatch(QPainter& painter, const QRectF& area, const QColor& color, double period, double width = 1);

/// Memory that nothing is allocated in: of no category's color.
void fillFree(QPainter& painter, const QRectF& area);
/// "free", for a legend.
LegendEntry freeEntry();

}  // namespace warpglass::ui
