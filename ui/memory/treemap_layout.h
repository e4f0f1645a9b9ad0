// Rectangles with areas proportional to given numbers, as square as possible: squarified treemaps (Bruls,
// Huizing, van Wijk: Squarified Treemaps, Proc. Joint Eurographics and IEEE TCVG Symposium on Visualization,
// 2000; the algorithm of its section 3).
//
// Pure; no pixels of its own.
#pragma once

#include <QRectF>
#include <cstddef>
#include <vector>

namespace warpglass::ui {

/// One rectangle a value, in their order, that together fill `area`. Precondition: values are positive and do
/// not rise. O(n).
std::vector<QRectF> squarify(const std::vector<double>& values, const QRectF& area);

}  // namespace warpglass::ui
