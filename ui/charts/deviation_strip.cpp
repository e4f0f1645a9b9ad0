#include "ui/charts/deviation_strip.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/charts/chart_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr double kTitleHeight = 24, kScaleGap = 8, kScaleLabel = 64;
constexpr double kStripBarShare = 0.72, kWidestStripBar = 64;

}  // namespace

void DeviationStrip::setShares(std::vector<std::optional<double>> shares) {
    m_shares = std::move(shares);
    m_any = false;
    double farthest = 0;
    for (const auto& share : m_shares) {
        m_any = m_any || share;
        farthest = std::max(farthest, std::abs(share.value_or(0)));
    }
    m_scale = kLeastScale;
    constexpr std::array<double, 3> kSteps = {2, 2, 2.5};  // 0.005, 0.01, 0.02, 0.05
    for (std::size_t step = 0; m_scale < farthest && step < 60; ++step)
        m_scale *= kSteps[step % kSteps.size()];
}

double DeviationStrip::heightIn(double chart) {
    return std::floor(std::clamp(0.4 * chart, 68.0, 160.0));
}

QRectF DeviationStrip::plotOf(const QRectF& strip) {
    return strip.adjusted(0, kTitleHeight, 0, 0);
}

QRectF DeviationStrip::barOf(std::size_t bar, const QRectF& column, const QRectF& strip) const {
    if (bar >= m_shares.size() || !m_shares[bar])
        return {};
    const QRectF plot = plotOf(strip);
    const double zero = std::round(plot.center().y());
    const double end = std::round(zero - *m_shares[bar] / m_scale * plot.height() / 2);
    const double width = std::min(kWidestStripBar, column.width() * kStripBarShare);
    const double left = std::round(column.center().x() - width / 2);
    const double right = std::max(left + 1, std::round(column.center().x() + width / 2));
    return {left, std::min(zero, end), right - left, std::abs(end - zero)};
}

void DeviationStrip::paint(QPainter& painter, const QRectF& strip, const std::vector<QRectF>& columns,
                           const std::vector<bool>& warned, const QString& title) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotOf(strip);
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(plot.left(), strip.top(), plot.width(), kTitleHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, title);
    const double zero = std::round(plot.center().y());
    for (const double side : {1.0, 0.0, -1.0}) {
        const double y = std::round(zero - side * plot.height() / 2);
        painter.fillRect(QRectF(plot.left(), y, plot.width(), 1),
                         side == 0 ? colors.secondaryText : colors.grid);
        const QString label = side == 0  ? QStringLiteral("0")
                              : side > 0 ? QStringLiteral("+") + percentText(m_scale)
                                         : QStringLiteral("−") + percentText(m_scale);
        painter.drawText(QRectF(plot.left() - kScaleGap - kScaleLabel, y - 8, kScaleLabel, 16),
                         Qt::AlignRight | Qt::AlignVCenter, label);
    }
    for (std::size_t bar = 0; bar < columns.size(); ++bar) {
        const QRectF rect = barOf(bar, columns[bar], strip);
        if (rect.height() >= 1)
            painter.fillRect(rect, bar < warned.size() && warned[bar] ? colors.warning : colors.accent);
    }
}

}  // namespace warpglass::ui
