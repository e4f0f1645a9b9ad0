#include "ui/memory/label_place.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <limits>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// A label over a label cannot be read; one over a curve can, but may be taken for the curve's name.
constexpr int kOverBox = 100, kOverShape = 3;

QRectF movedInto(QRectF box, const QRectF& area) {
    box.moveLeft(std::max(area.left(), std::min(box.left(), area.right() - box.width())));
    box.moveTop(std::max(area.top(), std::min(box.top(), area.bottom() - box.height())));
    return box;
}

}  // namespace

QSizeF chipSize(const QPainter& painter, const QString& text) {
    const QFontMetricsF metrics(painter.font(), painter.device());
    return {metrics.horizontalAdvance(text) + 8, metrics.height()};
}

void paintChip(QPainter& painter, const QRectF& chip, const QString& text) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(colors.background, 0.9F));
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(colors.text);
    painter.drawText(chip, Qt::AlignCenter, text);
}

int LabelPlace::costOf(const QRectF& box) const {
    const auto over = [&](const QRectF& other) { return box.intersects(other); };
    const auto crossed = [&](double y) { return y > box.top() && y < box.bottom(); };
    const auto covers = [&](const auto& shape) { return shape(box); };
    return static_cast<int>(std::count_if(m_boxes.begin(), m_boxes.end(), over)) * kOverBox +
           static_cast<int>(std::count_if(m_lines.begin(), m_lines.end(), crossed)) +
           static_cast<int>(std::count_if(m_shapes.begin(), m_shapes.end(), covers)) * kOverShape;
}

QRectF LabelPlace::place(std::initializer_list<QRectF> candidates) {
    QRectF best;
    int least = std::numeric_limits<int>::max();
    for (const QRectF& candidate : candidates) {
        const QRectF box = movedInto(candidate, m_area);
        if (const int cost = costOf(box); cost < least) {
            least = cost;
            best = box;
        }
    }
    keepFree(best);
    return best;
}

std::optional<QRectF> LabelPlace::placeFree(std::initializer_list<QRectF> candidates) {
    const auto* const found = std::ranges::find_if(
        candidates, [this](const QRectF& box) { return m_area.contains(box) && costOf(box) == 0; });
    if (found == candidates.end())
        return std::nullopt;
    keepFree(*found);
    return *found;
}

}  // namespace warpglass::ui
