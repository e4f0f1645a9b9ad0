// The part of a plot on the time axis that the filter keeps; all of it by default. What lies beside it is
// drawn in muted colors (Theme::muted).
#pragma once

#include <QPainter>
#include <QRectF>
#include <algorithm>
#include <limits>

namespace warpglass::ui {

/// [from, to) in the units of what is painted: logical pixels, or pixel columns of the timeline.
struct KeptX {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();

    bool operator==(const KeptX&) const = default;
    bool contains(double x) const { return x >= from && x < to; }
    /// Calls paint(part, kept) for each part of `area` that is kept as a whole or not at all, from left to
    /// right.
    template <class Paint>
    void split(const QRectF& area, const Paint& paint) const {
        const double begin = std::clamp(from, area.left(), area.right());
        const double end = std::clamp(to, begin, area.right());
        const auto part = [&](double left, double right, bool kept) {
            if (right > left)
                paint(QRectF(left, area.top(), right - left, area.height()), kept);
        };
        part(area.left(), begin, false);
        part(begin, end, true);
        part(end, area.right(), false);
    }
    /// Calls paint(kept) for each part of `area`, with the painter clipped to it where the area is cut.
    template <class Paint>
    void paintParts(QPainter& painter, const QRectF& area, const Paint& paint) const {
        split(area, [&](const QRectF& part, bool kept) {
            if (part == area)
                return paint(kept);
            painter.save();
            painter.setClipRect(part, Qt::IntersectClip);
            paint(kept);
            painter.restore();
        });
    }
};

}  // namespace warpglass::ui
