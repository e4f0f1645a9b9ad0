#include "ui/timeline/span_outline.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/timeline/timeline_coordinates.h"

namespace warpglass::ui {

namespace {

constexpr int kBeyond = 10, kLeastWidth = 3;

}  // namespace

QRect outlineBox(TimeRange range, TimeRange visible, const QRect& plot) {
    const double begin = std::max<double>(timeToPixel(range.begin, visible, plot.width()), -kBeyond);
    const double end =
        std::min<double>(timeToPixel(range.end, visible, plot.width()), plot.width() + kBeyond);
    const int left = static_cast<int>(std::floor(begin));
    const int width = std::max(static_cast<int>(std::ceil(end)) - left, kLeastWidth);
    return {plot.left() + left, plot.top(), width, plot.height()};
}

void paintOutline(QPainter& painter, const QRect& box, const QColor& color, int width) {
    for (const QRect& edge : {QRect(box.left(), box.top(), box.width(), width),
                              QRect(box.left(), box.bottom() + 1 - width, box.width(), width),
                              QRect(box.left(), box.top(), width, box.height()),
                              QRect(box.right() + 1 - width, box.top(), width, box.height())})
        painter.fillRect(edge, color);
}

}  // namespace warpglass::ui
