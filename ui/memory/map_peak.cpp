#include "ui/memory/map_peak.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {
/// Logical pixels of the bar of a row that is free as a whole, and around it.
constexpr int kLongest = 44, kBesideBars = 5;
}  // namespace

int MapPeak::columnWidth() const {
    const int bars = hasBars() ? kBesideBars + kLongest + kBesideBars : 0;
    return m_bytes.byAddress() ? bars + kNames : 0;
}

std::vector<LegendEntry> MapPeak::legend() {
    const ThemeColors& colors = Theme::instance().colors();
    return {{colors.text, tr("bar at the right: free in holes")},
            {colors.background, tr("hollow bar: free whole segments")}};
}

const std::vector<MapPeak::Share>& MapPeak::shares(const MapViewport& view) {
    MapViewport of = view;
    of.time = {};
    if (m_sharesIn == m_content.map && m_sharesOf == of)
        return m_shares;
    m_sharesIn = m_content.map;
    m_sharesOf = of;
    m_shares.assign(static_cast<std::size_t>(std::ceil(view.height / kRow)), {});
    for (const FreePiece& piece : m_content.free.pieces) {
        const auto place = m_content.map->placeAt(piece.address);
        if (!place)
            continue;
        const double top = view.yOf(static_cast<double>(*place + piece.bytes)) / kRow;
        const double bottom = view.yOf(static_cast<double>(*place)) / kRow;
        const double first = std::max(0.0, std::floor(top));
        for (double row = first; row < std::min(bottom, static_cast<double>(m_shares.size())); ++row) {
            Share& share = m_shares[static_cast<std::size_t>(row)];
            (piece.whole ? share.whole : share.holes) += std::min(bottom, row + 1) - std::max(top, row);
        }
    }
    return m_shares;
}

void MapPeak::paintColumn(QPainter& painter, const QRectF& column, const MapViewport& view) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.save();
    painter.setClipRect(column);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(column, colors.panel);
    painter.fillRect(QRectF(column.left(), column.top(), 1, column.height()), colors.hairline);
    const std::vector<Share>& rows = shares(view);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double top = column.top() + static_cast<double>(i) * kRow;
        // What is free is seen also where it is little.
        const auto pixels = [](double share) {
            return share <= 0 ? 0 : std::clamp<double>(std::round(share * kLongest), 1, kLongest);
        };
        const double holes = pixels(rows[i].holes);
        const double whole = std::min(kLongest - holes, pixels(rows[i].whole));
        const double left = column.left() + kBesideBars;
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
    painter.restore();
}

/// Behind the folded regions, which are not to scale and have words.
void MapPeak::paintLine(QPainter& painter, const QRectF& plot, const MapViewport& view) const {
    if (!m_content.peak || !view.time.contains(m_content.peak->time))
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const double x = plot.left() + std::floor(view.xOf(m_content.peak->time.value)) + 0.5;
    QPen pen(colors.text, 1);
    pen.setDashPattern({4, 3});
    painter.save();
    QRegion open(plot.toAlignedRect());
    for (const PlaceFold& fold : view.folds)
        open -= QRectF(plot.left(), view.yOf(fold.to), plot.width(), view.yOf(fold.from) - view.yOf(fold.to))
                    .toAlignedRect();
    painter.setClipRegion(open);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(pen);
    painter.drawLine(QPointF(x, 0), QPointF(x, plot.height()));
    painter.setClipRect(plot);
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const QString text = tr("peak");
    const double width = metrics.horizontalAdvance(text) + 8;
    const double left = x + 3 + width <= plot.right() ? x + 3 : x - 3 - width;
    const QRectF chip(left, plot.height() - metrics.height() - 6, width, metrics.height());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(colors.background, 0.9F));
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(colors.text);
    painter.drawText(chip, Qt::AlignCenter, text);
    painter.restore();
}

}  // namespace warpglass::ui
