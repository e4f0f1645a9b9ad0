// Where a label over a chart goes: among a few places, the one that covers the least.
#pragma once

#include <QRectF>
#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

class QPainter;
class QString;

namespace warpglass::ui {

/// A label on a chip of the canvas' color, so that it reads on any other.
void paintChip(QPainter& painter, const QRectF& chip, const QString& text);
/// The size of one in the painter's font.
QSizeF chipSize(const QPainter& painter, const QString& text);

class LabelPlace {
public:
    /// Labels stay within it.
    explicit LabelPlace(const QRectF& area) : m_area(area) {}

    /// Another label or a dot: not to be covered.
    void keepFree(const QRectF& box) { m_boxes.push_back(box); }
    /// A line across at y, as of a grid: better not covered.
    void addLine(double y) { m_lines.push_back(y); }
    /// Whether a curve goes through a box: better not covered, and a line of the grid rather than that.
    void addShape(std::function<bool(const QRectF&)> covers) { m_shapes.push_back(std::move(covers)); }

    /// The best of them, moved into the area; the first of equals. Kept free from then on.
    QRectF place(std::initializer_list<QRectF> candidates);
    /// The first of them that covers nothing; nothing without one.
    std::optional<QRectF> placeFree(std::initializer_list<QRectF> candidates);

private:
    int costOf(const QRectF& box) const;

    QRectF m_area;
    std::vector<QRectF> m_boxes;
    std::vector<double> m_lines;
    std::vector<std::function<bool(const QRectF&)>> m_shapes;
};

}  // namespace warpglass::ui
