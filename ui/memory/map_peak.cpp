#include "ui/memory/map_peak.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {
/// Logical pixels of the longest bar, of a row of which so much is free or more; and from the line to the
/// bars.
constexpr double kLongest = 44, kLongestShare = 0.25, kBesideLine = 2;
/// In a narrower plot the bars would hide what they are about.
constexpr double kLeastPlot = 360;
}  // namespace

std::vector<LegendEntry> MapPeak::legend() {
    const ThemeColors& colors = Theme::instance().colors();
    return {{colors.text, tr("bar at the peak: holes")},
            {colors.background, tr("hollow bar: whole free segments")}};
}

std::vector<MapPeak::Share> MapPeak::shares() const {
    std::vector<Share> shares(static_cast<std::size_t>(std::ceil(m_view.height / kRow)));
    for (const FreePiece& piece : m_content.free.pieces) {
        const auto place = m_content.map->placeAt(piece.address);
        if (!place)
            continue;
        const double top = m_view.yOf(static_cast<double>(*place + piece.bytes)) / kRow;
        const double bottom = m_view.yOf(static_cast<double>(*place)) / kRow;
        const double first = std::max(0.0, std::floor(top));
        for (double row = first; row < std::min(bottom, static_cast<double>(shares.size())); ++row) {
            Share& share = shares[static_cast<std::size_t>(row)];
            (piece.whole ? share.whole : share.holes) += std::min(bottom, row + 1) - std::max(top, row);
        }
    }
    return shares;
}

void MapPeak::paintShares(QPainter& painter, double left) const {
    const ThemeColors& colors = Theme::instance().colors();
    const std::vector<Share> rows = shares();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double top = static_cast<double>(i) * kRow;
        // What is free is seen also where it is little.
        const auto pixels = [](double share) {
            return share <= 0 ? 0 : std::clamp(share / kLongestShare * kLongest, 1.0, kLongest);
        };
        const double holes = std::round(pixels(rows[i].holes));
        const double whole = std::min(kLongest - holes, std::round(pixels(rows[i].whole)));
        painter.fillRect(QRectF(left, top, holes, kRow), colors.text);
        if (whole <= 0)
            continue;
        // Rows that are free side by side are one hollow bar.
        const bool first = i == 0 || rows[i - 1].whole <= 0,
                   last = i + 1 == rows.size() || rows[i + 1].whole <= 0;
        const QRectF bar(left + holes, top, whole, kRow);
        painter.fillRect(bar, colors.text);
        painter.fillRect(bar.adjusted(1, first ? 1 : 0, -1, last ? -1 : 0), colors.background);
    }
}

void MapPeak::paint(QPainter& painter, bool byAddress) const {
    if (!m_content.peak || !m_view.time.contains(m_content.peak->time))
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const double x = m_plot.left() + std::floor(m_view.xOf(m_content.peak->time.value)) + 0.5;
    QPen pen(colors.text, 1);
    pen.setDashPattern({4, 3});
    painter.save();
    painter.setClipRect(m_plot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(pen);
    painter.drawLine(QPointF(x, 0), QPointF(x, m_plot.height()));
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const QString text = tr("peak");
    const double width = metrics.horizontalAdvance(text) + 8;
    const bool hasShares = byAddress && !m_content.free.pieces.empty() && m_plot.width() >= kLeastPlot;
    const bool sharesAtRight = x + kBesideLine + kLongest + 2 <= m_plot.right();
    if (hasShares)
        paintShares(painter, sharesAtRight ? x + 0.5 + kBesideLine : x - 0.5 - kBesideLine - kLongest - 2);
    const bool atRight = hasShares ? !sharesAtRight : x + 3 + width <= m_plot.right();
    const double left = atRight ? x + 3 : x - 3 - width;
    const QRectF chip(left, m_plot.height() - metrics.height() - 6, width, metrics.height());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(colors.background, 0.9F));
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(colors.text);
    painter.drawText(chip, Qt::AlignCenter, text);
    painter.restore();
}

}  // namespace warpglass::ui
