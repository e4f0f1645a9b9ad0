#include "ui/memory/map_scale.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/byte_ticks.h"
#include "ui/charts/chart_text.h"
#include "ui/memory/label_place.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {
/// Between two labels, so that they read as an axis and not as a list.
constexpr int kTickRoom = 44;
/// A line between two pieces of address space where they are so high, and the name of one that has room for
/// its size: more would be a picture of their own.
constexpr double kPartedPiece = 6, kNamedPiece = 56;
/// So much of a region is blank at each gap; a low one would be gone.
constexpr double kGapEdge = 2, kGapFrom = 12;
/// In a narrower column of labels the title would touch them.
constexpr int kTitledWidth = 76;
}  // namespace

void MapScale::paint(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(QRectF(0, 0, m_plot.left(), m_plot.height()), colors.panel);
    painter.setFont(chartFont());
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
    if (m_byAddress)
        painter.fillRect(QRectF(m_plot.left() - 1, 0, 1, m_plot.height()), colors.secondaryText);
    for (const PlaceFold& fold : m_view.folds)
        paintBreak(painter, fold);
    const QString title = stack ? tr("Live memory") : tr("Reserved memory by address");
    const QFontMetricsF metrics(painter.font(), painter.device());
    if (m_plot.left() < kTitledWidth || metrics.horizontalAdvance(title) > m_plot.height() - 16)
        return;
    const PainterScope undone(painter);
    painter.translate(Metrics::kSpace3, m_plot.height() / 2.0);
    painter.rotate(-90);
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(-m_plot.height() / 2.0, 0, m_plot.height(), 16),
                     Qt::AlignHCenter | Qt::AlignVCenter, title);
}

/// The axis is left out along the band, with two strokes in its middle. How much is left out stands in the
/// folded band, since a size among the scale's ticks would read as an address.
void MapScale::paintBreak(QPainter& painter, const PlaceFold& fold) const {
    const ThemeColors& colors = Theme::instance().colors();
    const double x = m_plot.left() - 1, top = m_view.yOf(fold.to), bottom = m_view.yOf(fold.from);
    const PainterScope undone(painter);
    painter.setClipRect(QRectF(0, 0, m_plot.left(), m_plot.height()));
    painter.fillRect(QRectF(x, top, 1, bottom - top), colors.panel);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.text, 1.5));
    const double middle = (top + bottom) / 2;
    for (const double y : {middle - 3, middle + 3})
        painter.drawLine(QPointF(x - 10, y + 3), QPointF(x - 1, y - 3));
}

void MapScale::paintPlaceName(QPainter& painter, double top, double bottom, const QString& name) const {
    constexpr double kInset = 4;
    QFont font = chartFont();
    // Shaped, the x of an address would be a sign of multiplication.
    font.setStyleStrategy(QFont::PreferNoShaping);
    const QFontMetricsF metrics(font, painter.device());
    const QRectF chip(m_plot.left() + kInset, top + kInset, metrics.horizontalAdvance(name) + 8,
                      metrics.height());
    if (chip.right() > m_plot.right() || chip.bottom() + kInset > bottom || m_view.foldAt(chip.top()) ||
        m_view.foldAt(chip.bottom()))
        return;
    painter.setFont(font);
    painter.setRenderHint(QPainter::Antialiasing);
    paintChip(painter, chip, name);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Over the blocks, in the color of what is nobody's: segments that touch are one piece.
void MapScale::paintPiece(QPainter& painter, const AllocationMap::Piece& piece) const {
    const double bottom = std::min(m_plot.height(), m_view.yOf(static_cast<double>(piece.place)));
    const double top = std::max(0.0, m_view.yOf(static_cast<double>(piece.place + piece.bytes)));
    if (bottom - top < kPartedPiece ||
        m_view.isFolded(static_cast<double>(piece.place), static_cast<double>(piece.bytes), m_view.time))
        return;
    painter.fillRect(QRectF(m_plot.left(), std::floor(top), m_plot.width(), 1),
                     Theme::instance().colors().background);
    if (bottom - top >= kNamedPiece)
        paintPlaceName(
            painter, top, bottom,
            tr("0x%1 · %2")
                .arg(QString::number(piece.address, 16), toQString(formatBytes(Bytes(piece.bytes)))));
}

void MapScale::paintGap(QPainter& painter, const AddressRegion& region, double place, double rise) const {
    const auto from = static_cast<double>(region.from), to = static_cast<double>(region.to);
    if (m_view.yOf(from) - m_view.yOf(to) >= kGapFrom && !m_view.isFolded(place, 0, m_view.time))
        painter.fillRect(
            QRectF(m_plot.left() - 1, std::floor(m_view.yOf(place)) + rise, m_plot.width() + 1, kGapEdge),
            Theme::instance().colors().background);
}

void MapScale::paintPlaces(QPainter& painter) const {
    if (!m_byAddress)
        return;
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const AllocationMap::Piece& piece : m_content.map->pieces())
        paintPiece(painter, piece);
    for (const AddressRegion& region : m_content.regions) {
        if (region.gap > 0)
            paintGap(painter, region, static_cast<double>(region.from), -kGapEdge);
        if (&region != &m_content.regions.back())
            paintGap(painter, region, static_cast<double>(region.to), 0);
    }
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
