#include "ui/theme/hatch.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/legend.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr double kFreePeriod = 8;

/// Quieter than any category, or the texture would be what a picture shows first.
QColor freeColor() {
    const ThemeColors& colors = Theme::instance().colors();
    return Theme::mixed(colors.raised, colors.secondaryText, 0.28);
}

}  // namespace

QVector<QLineF> hatchLines(const QRectF& area, double period) {
    QVector<QLineF> lines;
    if (area.isEmpty() || period <= 0)
        return lines;
    // A line is where x + y is a multiple of the period.
    const auto first = static_cast<std::int64_t>(std::ceil((area.left() + area.top()) / period));
    const auto last = static_cast<std::int64_t>(std::floor((area.right() + area.bottom()) / period));
    for (std::int64_t i = first; i <= last; ++i) {
        const double sum = static_cast<double>(i) * period;
        const double left = std::max(area.left(), sum - area.bottom());
        const double right = std::min(area.right(), sum - area.top());
        if (right > left)
            lines.append(QLineF(left, sum - left, right, sum - right));
    }
    return lines;
}

void fillHatch(QPainter& painter, const QRectF& area, const QColor& color, double period, double width) {
    const PainterScope undone(painter);
    // A line is wider than its middle: its ends would reach out at the edges.
    painter.setClipRect(area, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(hatchLines(area, period));
}

void fillFree(QPainter& painter, const QRectF& area) {
    painter.fillRect(area, Theme::instance().colors().raised);
    fillHatch(painter, area, freeColor(), kFreePeriod);
}

LegendEntry freeEntry() {
    return {freeColor(), QCoreApplication::translate("Hatch", "free"), false, true};
}

}  // namespace warpglass::ui
