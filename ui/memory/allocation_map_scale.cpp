// The scale at the left of the allocation map: bytes of a stack, or of the address space from its lowest
// piece on, without the gaps between pieces; the exact address is in the tool tip.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/byte_ticks.h"
#include "ui/memory/allocation_map_view.h"
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
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const double width = metrics.horizontalAdvance(text) + 8;
    const QRectF chip(plot.right() - 3 - width, top + 3, width, metrics.height());
    painter.fillRect(chip, withAlpha(colors.background, 0.85F));
    painter.setPen(colors.secondaryText);
    painter.drawText(chip, Qt::AlignCenter, text);
}
}  // namespace

void AllocationMapView::paintScale(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const MapViewport view = viewport();
    painter.fillRect(QRectF(0, 0, m_labelWidth, height()), colors.panel);
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(colors.secondaryText);
    const bool stack = m_order == Order::kBirth || !hasAddresses();
    double open = view.high - view.low;
    for (const PlaceFold& fold : view.folds)
        open -= std::max(0.0, std::min(view.high, fold.to) - std::max(view.low, fold.from));
    const auto span = static_cast<std::int64_t>(std::max(1.0, open));
    const std::vector<std::int64_t> steps = byteTicks(span, std::max(2, height() / kTickRoom));
    const std::int64_t step = steps.empty() ? 0 : steps.front();
    double before = -kTickRoom;
    if (view.low <= 0)
        painter.drawText(QRectF(0, height() - 15, m_labelWidth - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         QStringLiteral("0"));
    const auto from = static_cast<std::int64_t>(view.low), to = static_cast<std::int64_t>(view.high);
    for (std::int64_t tick = step > 0 ? (from / step + 1) * step : to; tick < to; tick += step) {
        const double y = view.yOf(static_cast<double>(tick));
        // In a folded region many of them would be one over the other.
        if (y < 8 || y > height() - 8 || view.isFolded(static_cast<double>(tick), 0, view.time) ||
            std::abs(y - before) < kTickRoom / 3.0)
            continue;
        before = y;
        painter.drawText(QRectF(0, y - 8, m_labelWidth - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         toQString(byteTickLabel(tick, step, to)));
        if (stack)
            painter.fillRect(QRectF(m_labelWidth, std::floor(y), plotRect().width(), 1),
                             withAlpha(colors.text, 0.10F));
        else
            painter.fillRect(QRectF(m_labelWidth - 4, std::floor(y), 4, 1), colors.hairline);
    }
    for (const PlaceFold& fold : view.folds)
        paintBreak(painter, view.yOf((fold.from + fold.to) / 2));
    const auto ranges = static_cast<std::int64_t>(m_map->pieces().size());
    QString title = stack ? tr("Live memory") : tr("Reserved addresses");
    const QFontMetricsF metrics(font, painter.device());
    const QString said = tr("%1: %2 ranges end to end").arg(title, toQString(formatGrouped(ranges)));
    if (!stack && ranges > 1 && metrics.horizontalAdvance(said) <= height() - 16)
        title = said;
    if (m_labelWidth < kTitledWidth || metrics.horizontalAdvance(title) > height() - 16)
        return;
    painter.save();
    painter.translate(Metrics::kSpace3, height() / 2.0);
    painter.rotate(-90);
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(-height() / 2.0, 0, height(), 16), Qt::AlignHCenter | Qt::AlignVCenter, title);
    painter.restore();
}

/// Two strokes across the scale: it is broken there. How much is left out stands in the folded band, since a
/// size among the scale's ticks would read as an address.
void AllocationMapView::paintBreak(QPainter& painter, double y) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.text, 1.5));
    for (const double rise : {-2.5, 2.5})
        painter.drawLine(QPointF(m_labelWidth - 12, y + rise + 3), QPointF(m_labelWidth - 2, y + rise - 3));
    painter.restore();
}

void AllocationMapView::paintFolds(QPainter& painter) const {
    const MapViewport view = viewport();
    for (const PlaceFold& fold : view.folds) {
        const double top = view.yOf(fold.to), left = xOf(fold.lives.begin);
        const QRectF band(left, top, xOf(fold.lives.end) - left, view.yOf(fold.from) - top);
        paintFold(painter, band, plotRect(), fold);
    }
}

/// Over the hatching of what is free: there it is nobody's. A run that goes on has it reserved to the end.
void AllocationMapView::paintUnreserved(QPainter& painter) const {
    const MapViewport view = viewport();
    const QColor blank = Theme::instance().colors().background;
    const QRectF plot = plotRect();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const UnreservedStretch& stretch : m_unreserved) {
        if (stretch.end <= view.time.begin.value || stretch.begin >= view.time.end.value)
            continue;
        const double left = std::max(plot.left(), xOf(Nanoseconds(stretch.begin)));
        const double right = std::min(plot.right(), xOf(Nanoseconds(stretch.end)));
        const double top = view.yOf(static_cast<double>(stretch.to)),
                     bottom = view.yOf(static_cast<double>(stretch.from));
        constexpr double kSeen = 0.5;  // of a pixel
        if (right - left >= kSeen && bottom - top >= kSeen && bottom > plot.top() && top < plot.bottom())
            painter.fillRect(QRectF(QPointF(left, top), QPointF(right, bottom)), blank);
    }
}

void AllocationMapView::paintPeak(QPainter& painter) const {
    if (!m_peakAt || *m_peakAt < m_axis.visibleRange().begin || *m_peakAt >= m_axis.visibleRange().end)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const double x = std::floor(xOf(*m_peakAt)) + 0.5;
    QPen pen(colors.text, 1);
    pen.setDashPattern({4, 3});
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(pen);
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const QString text = tr("peak");
    const double width = metrics.horizontalAdvance(text) + 8;
    const double left = x + 3 + width <= plotRect().right() ? x + 3 : x - 3 - width;
    const QRectF chip(left, height() - metrics.height() - 6, width, metrics.height());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(colors.background, 0.9F));
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(colors.text);
    painter.drawText(chip, Qt::AlignCenter, text);
}

const PlaceFold* AllocationMapView::foldAt(QPointF at, const MapViewport& view) const {
    const double place = view.bytesAt(at.y());
    const auto fold = std::find_if(view.folds.begin(), view.folds.end(), [&](const PlaceFold& region) {
        return region.from <= place && place < region.to;
    });
    return at.x() < m_labelWidth || fold == view.folds.end() ? nullptr : &*fold;
}

/// Over the blocks, in the color of what is nobody's: segments that touch are one piece.
void AllocationMapView::paintPieces(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const MapViewport view = viewport();
    for (const AllocationMap::Piece& piece : m_map->pieces()) {
        const double bottom = std::min<double>(height(), view.yOf(static_cast<double>(piece.place)));
        const double top = std::max(0.0, view.yOf(static_cast<double>(piece.place + piece.bytes)));
        if (bottom - top < kPartedPiece ||
            view.isFolded(static_cast<double>(piece.place), static_cast<double>(piece.bytes), view.time))
            continue;
        painter.fillRect(QRectF(m_labelWidth, std::floor(top), plotRect().width(), 1), colors.background);
        if (bottom - top >= kNamedPiece)
            paintPlaceName(
                painter, plotRect(), top,
                tr("0x%1 · %2")
                    .arg(QString::number(piece.address, 16), toQString(formatBytes(Bytes(piece.bytes)))));
    }
}

/// Over the scale too, which goes on across a gap as if the regions touched.
void AllocationMapView::paintRegions(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const MapViewport view = viewport();
    const QRectF plot = plotRect();
    painter.save();
    for (const AddressRegion& region : m_regions) {
        const auto from = static_cast<double>(region.from), to = static_cast<double>(region.to);
        const bool folded = view.isFolded(from, 0, view.time);
        const double bottom = std::min<double>(height(), view.yOf(from));
        if (region.gap > 0 && !folded && bottom > 0 && bottom < height()) {
            const double y = std::floor(bottom), left = m_labelWidth - 12.0;
            painter.fillRect(QRectF(left, y - 1, width() - left, 3), colors.background);
            QPen pen(colors.text, 1);
            pen.setDashPattern({6, 3});
            painter.setPen(pen);
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.drawLine(QPointF(left, y + 0.5), QPointF(width(), y + 0.5));
        }
        // Under the folded part at its upper end, which has words of its own; a range is named as such.
        double top = std::max(0.0, view.yOf(to));
        for (const PlaceFold& fold : view.folds)
            top = fold.from < to && to <= fold.to ? view.yOf(fold.from) : top;
        const double rangeHeight = (bottom - top) / static_cast<double>(region.ranges);
        if (m_regions.size() > 1 && bottom - top >= kNamedPiece && rangeHeight < kNamedPiece)
            paintPlaceName(painter, plot, top,
                           tr("from 0x%1 · %2 in %3 ranges")
                               .arg(QString::number(region.address, 16),
                                    toQString(formatBytes(Bytes(region.to - region.from))),
                                    toQString(formatGrouped(region.ranges))));
    }
    painter.restore();
}

}  // namespace warpglass::ui
