#include "ui/memory/treemap_layout.h"

#include <algorithm>
#include <numeric>

namespace warpglass::ui {

namespace {

/// The worst ratio of sides in a row of areas that sum to `sum`, along a side of that length (the paper's
/// worst()).
double worst(double largest, double smallest, double sum, double side) {
    const double s2 = sum * sum, w2 = side * side;
    return std::max(w2 * largest / s2, s2 / (w2 * smallest));
}

}  // namespace

std::vector<QRectF> squarify(const std::vector<double>& values, const QRectF& area) {
    std::vector<QRectF> rects;
    rects.reserve(values.size());
    const double all = std::accumulate(values.begin(), values.end(), 0.0);
    if (all <= 0 || area.isEmpty()) {
        rects.assign(values.size(), QRectF());
        return rects;
    }
    const double scale = area.width() * area.height() / all;
    QRectF left = area;
    std::size_t first = 0;
    while (first < values.size()) {
        const double side = std::max(1e-9, std::min(left.width(), left.height()));
        double sum = values[first] * scale;
        std::size_t last = first + 1;
        while (last < values.size()) {
            const double next = values[last] * scale;
            if (worst(values[first] * scale, next, sum + next, side) >
                worst(values[first] * scale, values[last - 1] * scale, sum, side))
                break;
            sum += next;
            ++last;
        }
        // The row stands along the shorter side.
        const bool upright = left.width() >= left.height();
        const double thickness = std::min(sum / side, upright ? left.width() : left.height());
        double at = upright ? left.top() : left.left();
        for (; first < last; ++first) {
            const double length = values[first] * scale / std::max(1e-12, thickness);
            rects.push_back(upright ? QRectF(left.left(), at, thickness, length)
                                    : QRectF(at, left.top(), length, thickness));
            at += length;
        }
        if (upright)
            left.setLeft(left.left() + thickness);
        else
            left.setTop(left.top() + thickness);
    }
    return rects;
}

}  // namespace warpglass::ui
