#include "ui/charts/label_room.h"

#include <algorithm>

namespace warpglass::ui {

/// Whether some of the line is within the box: what is left of it after each of the four sides has cut
/// (Liang, Barsky 1984).
bool LabelRoom::meets(const QRectF& box, const QLineF& line) {
    double from = 0, to = 1;
    const auto cut = [&](double along, double room) {
        if (along == 0)
            return room >= 0;
        const double at = room / along;
        (along < 0 ? from : to) = along < 0 ? std::max(from, at) : std::min(to, at);
        return from <= to;
    };
    return cut(-line.dx(), line.x1() - box.left()) && cut(line.dx(), box.right() - line.x1()) &&
           cut(-line.dy(), line.y1() - box.top()) && cut(line.dy(), box.bottom() - line.y1());
}

bool LabelRoom::isFree(const QRectF& box) const {
    return m_area.contains(box) &&
           std::ranges::none_of(m_boxes, [&](const QRectF& other) { return other.intersects(box); }) &&
           std::ranges::none_of(m_lines, [&](const QLineF& line) { return meets(box, line); });
}

bool LabelRoom::isFree(const QLineF& line) const {
    return std::ranges::none_of(m_boxes, [&](const QRectF& box) { return meets(box, line); });
}

}  // namespace warpglass::ui
