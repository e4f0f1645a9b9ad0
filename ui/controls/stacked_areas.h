// Areas that lie on one another over one scale, with a value for each column of a plot: memory by category,
// by how much two runs' memory differs, the phases that a kernel's warpgroups are in.
//
// They are painted over what is there. Steps on a bitmap are written pixel by pixel into a picture of the
// plot, each pixel once: what ten thousand rectangles of a curve that jumps would cost is most of a frame.
// Elsewhere an area is a polygon of all that lies below its top, the topmost first, which leaves no seam
// between neighbors. GUI thread.
#pragma once

#include <QColor>
#include <QPen>
#include <QPolygonF>
#include <QRectF>
#include <vector>

#include "ui/controls/kept_x.h"

class QPainter;

namespace warpglass::ui {

class StackedAreas {
public:
    using Values = std::vector<double>;
    /// Whether a value holds for the whole of its column, or in the middle, with slopes between middles.
    enum class Shape { kSteps, kSlopes };

    /// `plot`: logical pixels; its lower edge stands for 0 and its upper one for `top`.
    StackedAreas(const QRectF& plot, double top, Shape shape = Shape::kSteps)
        : m_plot(plot), m_top(top), m_shape(shape) {}

    /// Where the lowest area begins, instead of at 0.
    void setBase(Values base) { m_base = std::move(base); }
    /// Lays an area on those that are there, up to `tops`: as many values as the others have, and none below
    /// theirs. The color is opaque.
    void add(Values tops, const QColor& color) { m_areas.push_back({std::move(tops), color}); }
    /// A line of a logical pixel along the topmost area, inside, where it is above 0.
    void setEdge(const QColor& color) { m_edge = color; }
    /// What lies beside it is drawn muted (Theme::muted).
    void setKept(KeptX kept) { m_kept = kept; }
    double yOf(double value) const { return m_plot.bottom() - value * m_plot.height() / m_top; }

    void paint(QPainter& painter) const;
    /// A line over the same scale, interrupted where a value is negative.
    void paintLine(QPainter& painter, const Values& values, QPen pen, Shape shape) const;

private:
    struct Area {
        Values tops;
        QColor color;
    };
    double xOf(double column, std::size_t columns) const {
        return m_plot.left() + column * m_plot.width() / static_cast<double>(columns);
    }
    /// Along the values of columns [first, last).
    QPolygonF outline(const Values& values, std::size_t first, std::size_t last, Shape shape) const;
    void paintPixels(QPainter& painter) const;
    void paintPolygons(QPainter& painter, bool kept) const;
    void paintEdge(QPainter& painter, bool kept) const;

    QRectF m_plot;
    double m_top = 1;
    Shape m_shape = Shape::kSteps;
    Values m_base;
    std::vector<Area> m_areas;
    QColor m_edge;  // invalid for none
    KeptX m_kept;
};

}  // namespace warpglass::ui
