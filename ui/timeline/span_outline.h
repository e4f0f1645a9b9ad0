// The outline of a stretch of time in the timeline's plot: of a span in its row, or of many over all rows.
#pragma once

#include <QRect>

#include "engine/base/units.h"

class QColor;
class QPainter;

namespace warpglass::ui {

/// The outline of the visible part of `range`, as high as `plot`, and never too narrow to be seen. An edge
/// beyond the plot stays beyond it, so that the outline is open there: the painter clips to the plot.
QRect outlineBox(TimeRange range, TimeRange visible, const QRect& plot);
/// Lines of `width` pixels within the box.
void paintOutline(QPainter& painter, const QRect& box, const QColor& color, int width);

}  // namespace warpglass::ui
