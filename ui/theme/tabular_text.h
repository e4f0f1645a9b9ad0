// Numbers whose digits stand in columns. Inter has tabular figures, but Qt gained a way to ask for them only
// in 6.7: before, every digit is drawn in a cell as wide as the widest.
#pragma once

#include <QFontMetricsF>
#include <QString>

class QPainter;

namespace warpglass::ui {

/// How wide drawTabular() draws the text.
qreal tabularWidth(const QFontMetricsF& metrics, const QString& text);
/// One line, with the painter's font and pen; horizontal alignment as given, vertically centered.
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text);

}  // namespace warpglass::ui
