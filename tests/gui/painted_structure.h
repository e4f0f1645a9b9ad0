// What a widget paints, as structure: its labels, filled areas, lines and pictures with their colors and
// places, taken from the painter's own commands. So a test compares what is drawn and not pixels, which
// differ from one font rasterizer to the next.
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <functional>
#include <string>
#include <vector>

class QPainter;

namespace warpglass::test {

/// One command, in logical pixels of the device. Commands of one shape each: many rectangles' path is one.
struct PaintedItem {
    enum class Kind { kText, kFill, kStroke, kPicture };
    Kind kind = Kind::kFill;
    /// Where its shape is; of text its baseline's start, and its width.
    QRectF box;
    /// The pen's for text and strokes, the brush's for fills (the first color of a gradient).
    QColor color;
    /// Covered by a fill.
    double area = 0;
    QString text;  // kText only
    int pixels = 0, weight = 0;
};

/// In the order of painting; what lies outside the device is left out.
std::vector<PaintedItem> paintedBy(QSize size, const std::function<void(QPainter&)>& paint);

/// The labels alone.
QStringList textOf(const std::vector<PaintedItem>& items);

/// A text of lines, the same on every machine: labels one by one, the other items by color.
std::string structureText(const std::vector<PaintedItem>& items);

/// The first lines in which two structures differ by more than fonts may (a few pixels of place, where a
/// label was cut off), at most ten; empty when they agree.
std::string structureDifference(const std::string& expected, const std::string& painted);

}  // namespace warpglass::test
