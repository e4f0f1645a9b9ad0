#include "ui/memory/map_picture.h"

#include <QPainter>
#include <algorithm>
#include <array>

#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {
/// A border is drawn inside blocks from this size on.
constexpr float kBordered = 4;
}  // namespace

void MapPicture::paint(QPainter& painter, const QRectF& plot, const MapViewport& view) const {
    const PainterScope undone(painter);
    painter.setClipRect(plot);
    painter.translate(plot.topLeft());
    if (m_bytes.byAddress())
        paintFree(painter, view);
    // While new geometry is being made, the last one is drawn where it lies now.
    const MapViewport& made = m_blocks.madeFor();
    if (made.width > 0 && !(made == view)) {
        const double x0 = view.xOf(made.time.begin.value), x1 = view.xOf(made.time.end.value);
        const double y0 = view.yOf(made.high), y1 = view.yOf(made.low);
        painter.translate(x0, y0);
        painter.scale((x1 - x0) / made.width, (y1 - y0) / made.height);
    }
    paintBlocks(painter);
    m_names.paint(painter);
}

void MapPicture::paintRow(QPainter& painter, const QRectF& plot, const MapViewport& view, std::size_t row,
                          const QPen& pen) const {
    if (!(m_blocks.madeFor() == view))
        return;
    painter.setPen(pen);
    painter.setBrush(withAlpha(pen.color(), 0.22F));
    for (const QRectF& rect : m_blocks.rectsOf(row))
        painter.drawRect(rect.translated(plot.topLeft()).adjusted(0.5, 0.5, -0.5, -0.5));
}

/// By address what no block covers is free, whatever the phase; before and after it is reserved it is
/// nobody's. A run that goes on has it reserved to the end.
void MapPicture::paintFree(QPainter& painter, const MapViewport& view) const {
    const QRectF plot(0, 0, view.width, view.height);
    fillFree(painter, plot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const UnreservedStretch& stretch : m_content.unreserved) {
        if (stretch.end <= view.time.begin.value || stretch.begin >= view.time.end.value)
            continue;
        const double left = std::max(plot.left(), view.xOf(stretch.begin));
        const double right = std::min(plot.right(), view.xOf(stretch.end));
        const double top = view.yOf(static_cast<double>(stretch.to)),
                     bottom = view.yOf(static_cast<double>(stretch.from));
        // However low: edges are rounded to pixels alike, so that many small ones in a row leave no gap.
        if (right > left && bottom > plot.top() && top < plot.bottom())
            painter.fillRect(QRectF(QPointF(left, top), QPointF(right, bottom)),
                             Theme::instance().colors().background);
    }
    for (const PlaceFold& fold : view.folds) {
        const double top = view.yOf(fold.to), left = view.xOf(fold.lives.begin.value);
        const QRectF band(left, top, view.xOf(fold.lives.end.value) - left, view.yOf(fold.from) - top);
        paintFold(painter, band, plot, fold);
    }
}

void MapPicture::paintBlocks(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    std::array<QColor, kCategoryCount> fills, borders;
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        fills[c] = Theme::categoryColor(static_cast<Category>(c));
        borders[c] = Theme::mixed(fills[c], colors.background, 0.55);
    }
    const auto fill = [&](const MapRect& rect, const QColor& color) {
        // On the screen whole pixels: antialiased edges of thousands of blocks cost more than all the rest.
        painter.fillRect(rectOf(rect), color);
    };
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const MapRect& rect : m_blocks.geometry().merged)
        fill(rect, rect.rest ? Theme::mixed(colors.background, colors.secondaryText, 0.45)
                             : fills[static_cast<std::size_t>(rect.category)]);
    for (const MapRect& rect : m_blocks.geometry().blocks) {
        const auto c = static_cast<std::size_t>(rect.category);
        if (rect.right - rect.left < kBordered || rect.bottom - rect.top < kBordered) {
            fill(rect, fills[c]);
            continue;
        }
        fill(rect, borders[c]);
        MapRect inner = rect;
        inner.right -= 1;
        inner.top += 1;
        fill(inner, fills[c]);
    }
}

}  // namespace warpglass::ui
