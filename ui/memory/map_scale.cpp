#include "ui/memory/map_scale.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/byte_ticks.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {
/// Between two labels, so that they read as an axis and not as a list.
constexpr int kTickRoom = 44;
/// A line between two pieces of address space where they are so high, and its size where it is a line's
/// height: more would be a picture of their own.
constexpr double kPartedPiece = 6, kNamedPiece = 18;
/// In a narrower column of labels the title would touch them.
constexpr int kTitledWidth = 76;

/// At the right, where the fewest runs still hold anything; under `top`.
void paintPlaceName(QPainter& painter, const QRectF& plot, double top, const QString& text) {
    const ThemeColors& colors = Theme::instance().colors();
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    // Shaped, the x of an address would be a sign of multiplication.
    font.setStyleStrategy(QFont::PreferNoShaping);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const double width = metrics.horizontalAdvance(text) + 8;
    const QRectF chip(plot.right() - 3 - width, top + 3, width, metrics.height());
    painter.fillRect(chip, withAlpha(colors.background, 0.85F));
    painter.setPen(colors.secondaryText);
    painter.drawText(chip, Qt::AlignCenter, text);
}
}  // namespace

void MapScale::paint(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(QRectF(0, 0, m_plot.left(), m_plot.height()), colors.panel);
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(colors.secondaryText);
    const bool stack = !m_byAddress;
    double open = m_view.high - m_view.low;
    for (const PlaceFold& fold : m_view.folds)
        open -= std::max(0.0, std::min(m_view.high, fold.to) - std::max(m_view.low, fold.from));
    const auto span = static_cast<std::int64_t>(std::max(1.0, open));
    const std::vector<std::int64_t> steps =
        byteTicks(span, std::max(2, static_cast<int>(m_plot.height()) / kTickRoom));
    const std::int64_t step = steps.empty() ? 0 : steps.front();
    double before = -kTickRoom;
    if (m_view.low <= 0)
        painter.drawText(QRectF(0, m_plot.height() - 15, m_plot.left() - 6, 16),
                         Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("0"));
    const auto from = static_cast<std::int64_t>(m_view.low), to = static_cast<std::int64_t>(m_view.high);
    for (std::int64_t tick = step > 0 ? (from / step + 1) * step : to; tick < to; tick += step) {
        const double y = m_view.yOf(static_cast<double>(tick));
        // In a folded region many of them would be one over the other.
        if (y < 8 || y > m_plot.height() - 8 || m_view.isFolded(static_cast<double>(tick), 0, m_view.time) ||
            std::abs(y - before) < kTickRoom / 3.0)
            continue;
        before = y;
        painter.drawText(QRectF(0, y - 8, m_plot.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         toQString(byteTickLabel(tick, step, to)));
        if (stack)
            painter.fillRect(QRectF(m_plot.left(), std::floor(y), m_plot.width(), 1),
                             withAlpha(colors.text, 0.10F));
        else
            painter.fillRect(QRectF(m_plot.left() - 4, std::floor(y), 4, 1), colors.hairline);
    }
    for (const PlaceFold& fold : m_view.folds)
        paintBreak(painter, m_view.yOf((fold.from + fold.to) / 2));
    const auto ranges = static_cast<std::int64_t>(m_content.map->pieces().size());
    QString title = stack ? tr("Live memory") : tr("Reserved addresses");
    const QFontMetricsF metrics(font, painter.device());
    const QString said = tr("%1: %2 ranges end to end").arg(title, toQString(formatGrouped(ranges)));
    if (!stack && ranges > 1 && metrics.horizontalAdvance(said) <= m_plot.height() - 16)
        title = said;
    if (m_plot.left() < kTitledWidth || metrics.horizontalAdvance(title) > m_plot.height() - 16)
        return;
    painter.save();
    painter.translate(Metrics::kSpace3, m_plot.height() / 2.0);
    painter.rotate(-90);
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(-m_plot.height() / 2.0, 0, m_plot.height(), 16),
                     Qt::AlignHCenter | Qt::AlignVCenter, title);
    painter.restore();
}

/// Two strokes across the scale: it is broken there. How much is left out stands in the folded band, since a
/// size among the scale's ticks would read as an address.
void MapScale::paintBreak(QPainter& painter, double y) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.text, 1.5));
    for (const double rise : {-2.5, 2.5})
        painter.drawLine(QPointF(m_plot.left() - 12, y + rise + 3), QPointF(m_plot.left() - 2, y + rise - 3));
    painter.restore();
}

/// Over the blocks, in the color of what is nobody's: segments that touch are one piece.
void MapScale::paintPieces(QPainter& painter) const {
    if (!m_byAddress)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    for (const AllocationMap::Piece& piece : m_content.map->pieces()) {
        const double bottom = std::min(m_plot.height(), m_view.yOf(static_cast<double>(piece.place)));
        const double top = std::max(0.0, m_view.yOf(static_cast<double>(piece.place + piece.bytes)));
        if (bottom - top < kPartedPiece ||
            m_view.isFolded(static_cast<double>(piece.place), static_cast<double>(piece.bytes), m_view.time))
            continue;
        painter.fillRect(QRectF(m_plot.left(), std::floor(top), m_plot.width(), 1), colors.background);
        if (bottom - top >= kNamedPiece)
            paintPlaceName(
                painter, m_plot, top,
                tr("0x%1 · %2")
                    .arg(QString::number(piece.address, 16), toQString(formatBytes(Bytes(piece.bytes)))));
    }
}

/// Over the scale too, which goes on across a gap as if the regions touched.
void MapScale::paintRegions(QPainter& painter) const {
    if (!m_byAddress)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    painter.save();
    for (const AddressRegion& region : m_content.regions) {
        const auto from = static_cast<double>(region.from), to = static_cast<double>(region.to);
        const bool folded = m_view.isFolded(from, 0, m_view.time);
        const double bottom = std::min(m_plot.height(), m_view.yOf(from));
        if (region.gap > 0 && !folded && bottom > 0 && bottom < m_plot.height()) {
            const double y = std::floor(bottom), left = m_plot.left() - 12.0;
            painter.fillRect(QRectF(left, y - 1, m_plot.right() - left, 3), colors.background);
            QPen pen(colors.text, 1);
            pen.setDashPattern({6, 3});
            painter.setPen(pen);
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.drawLine(QPointF(left, y + 0.5), QPointF(m_plot.right(), y + 0.5));
        }
        // Under the folded part at its upper end, which has words of its own; a range is named as such.
        double top = std::max(0.0, m_view.yOf(to));
        for (const PlaceFold& fold : m_view.folds)
            top = fold.from < to && to <= fold.to ? m_view.yOf(fold.from) : top;
        const double rangeHeight = (bottom - top) / static_cast<double>(region.ranges);
        if (m_content.regions.size() > 1 && bottom - top >= kNamedPiece && rangeHeight < kNamedPiece)
            paintPlaceName(painter, m_plot, top,
                           tr("from 0x%1 · %2 in %3 ranges")
                               .arg(QString::number(region.address, 16),
                                    toQString(formatBytes(Bytes(region.to - region.from))),
                                    toQString(formatGrouped(region.ranges))));
    }
    painter.restore();
}

QString MapScale::addressAt(double y) const {
    if (!m_byAddress)
        return {};
    const double place = std::max(0.0, m_view.bytesAt(y));
    const auto& pieces = m_content.map->pieces();
    const auto after = std::upper_bound(
        pieces.begin(), pieces.end(), place,
        [](double at, const AllocationMap::Piece& piece) { return at < static_cast<double>(piece.place); });
    if (after == pieces.begin())
        return {};
    const AllocationMap::Piece& piece = *(after - 1);
    const auto into = std::min(static_cast<std::int64_t>(place) - piece.place, piece.bytes - 1);
    return tr("Address 0x%1, in the address range that starts at 0x%2, %3; gaps between ranges are left out")
        .arg(QString::number(piece.address + static_cast<std::uint64_t>(std::max<std::int64_t>(0, into)), 16),
             QString::number(piece.address, 16), toQString(formatBytes(Bytes(piece.bytes))));
}

}  // namespace warpglass::ui
