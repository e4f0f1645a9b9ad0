#include "ui/memory/map_scale.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/byte_ticks.h"
#include "ui/memory/map_peak.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {
/// Between two labels, so that they read as an axis and not as a list.
constexpr int kTickRoom = 44;
/// A line between two pieces of address space where they are so high, and the name of one that has room for
/// its size: more would be a picture of their own.
constexpr double kPartedPiece = 6, kNamedPiece = 56;
/// In a narrower column of labels the title would touch them.
constexpr int kTitledWidth = 76;

/// Upwards at the column's right edge, in the longest form that there is room for; false without one.
bool paintPlaceName(QPainter& painter, const QRectF& column, double top, double bottom,
                    const QStringList& forms) {
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    // Shaped, the x of an address would be a sign of multiplication.
    font.setStyleStrategy(QFont::PreferNoShaping);
    const QFontMetricsF metrics(font, painter.device());
    const auto form = std::ranges::find_if(
        forms, [&](const QString& text) { return metrics.horizontalAdvance(text) + 8 <= bottom - top; });
    if (form == forms.end())
        return false;
    painter.save();
    painter.setFont(font);
    painter.setPen(Theme::instance().colors().secondaryText);
    painter.translate(column.right() - MapPeak::kNames, (top + bottom) / 2);
    painter.rotate(-90);
    painter.drawText(QRectF((top - bottom) / 2, 0, bottom - top, MapPeak::kNames), Qt::AlignCenter, *form);
    painter.restore();
    return true;
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

/// Over the blocks, in the color of what is nobody's: segments that touch are one piece. Whether it is named.
bool MapScale::paintPiece(QPainter& painter, const QRectF& column, const AllocationMap::Piece& piece) const {
    const double bottom = std::min(m_plot.height(), m_view.yOf(static_cast<double>(piece.place)));
    const double top = std::max(0.0, m_view.yOf(static_cast<double>(piece.place + piece.bytes)));
    if (bottom - top < kPartedPiece ||
        m_view.isFolded(static_cast<double>(piece.place), static_cast<double>(piece.bytes), m_view.time))
        return false;
    painter.fillRect(QRectF(m_plot.left(), std::floor(top), column.right() - m_plot.left(), 1),
                     Theme::instance().colors().background);
    const QString size = toQString(formatBytes(Bytes(piece.bytes)));
    return bottom - top >= kNamedPiece &&
           paintPlaceName(painter, column, top, bottom,
                          {tr("0x%1 · %2").arg(QString::number(piece.address, 16), size), size});
}

void MapScale::paintGap(QPainter& painter, double y, double right) const {
    const ThemeColors& colors = Theme::instance().colors();
    const double left = m_plot.left() - 12.0;
    painter.fillRect(QRectF(left, y - 1, right - left, 3), colors.background);
    QPen pen(colors.text, 1);
    pen.setDashPattern({6, 3});
    painter.setPen(pen);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawLine(QPointF(left, y + 0.5), QPointF(right, y + 0.5));
}

void MapScale::paintPlaces(QPainter& painter, const QRectF& column) const {
    if (!m_byAddress)
        return;
    painter.save();
    auto piece = m_content.map->pieces().begin();
    for (const AddressRegion& region : m_content.regions) {
        bool named = false;
        for (; piece != m_content.map->pieces().end() && piece->place < region.to; ++piece)
            named = paintPiece(painter, column, *piece) || named;
        const auto from = static_cast<double>(region.from), to = static_cast<double>(region.to);
        const double bottom = std::min(m_plot.height(), m_view.yOf(from));
        if (region.gap > 0 && !m_view.isFolded(from, 0, m_view.time) && bottom > 0 &&
            bottom < m_plot.height())
            paintGap(painter, std::floor(bottom), column.right());
        // The folded part at its upper end has words of its own.
        double top = std::max(0.0, m_view.yOf(to));
        for (const PlaceFold& fold : m_view.folds)
            top = fold.from < to && to <= fold.to ? m_view.yOf(fold.from) : top;
        const QString size = toQString(formatBytes(Bytes(region.to - region.from)));
        const QString ranges = region.ranges == 1
                                   ? size
                                   : tr("%1 in %2 ranges").arg(size, toQString(formatGrouped(region.ranges)));
        if (!named && m_content.regions.size() > 1)
            paintPlaceName(
                painter, column, top, bottom,
                {tr("from 0x%1 · %2").arg(QString::number(region.address, 16), ranges), ranges, size});
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
