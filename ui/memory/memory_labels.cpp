#include "ui/memory/memory_labels.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "ui/charts/byte_ticks.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The radius of the dot at the highest moment.
constexpr double kDot = 3.5;

}  // namespace

LabelPlace MemoryLabels::place(const QPaintDevice* device) {
    LabelPlace place(m_scale.plotRect().adjusted(2, 1, -4, -1));
    m_tickChips.clear();
    for (const std::int64_t tick : m_scale.ticks()) {
        place.addLine(m_scale.yOf(tick));
        m_tickChips.push_back(tickChip(tick, device));
        if (!m_tickChips.back().isEmpty())
            place.keepFree(m_tickChips.back());
    }
    for (const MemoryScale::Level& level : m_scale.levels()) {
        if (!level.above)
            place.addLine(m_scale.yOf(level.bytes));
    }
    for (const auto* const curve : {&m_stack.reserved(), &m_stack.sums().back()})
        place.addShape([this, curve](const QRectF& box) { return m_stack.runsThrough(*curve, box); });
    return place;
}

void MemoryLabels::paintLevelLines(QPainter& painter) const {
    const QRectF plot = m_scale.plotRect();
    for (const MemoryScale::Level& level : m_scale.levels()) {
        if (level.above)
            continue;
        const double y = std::floor(m_scale.yOf(level.bytes)) + 0.5;
        QPen pen(level.limit ? Theme::instance().colors().warning : Theme::instance().colors().text, 1);
        if (!level.limit)
            pen.setDashPattern({2, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    }
}

QString MemoryLabels::tickText(std::int64_t tick) const {
    return toQString(byteTickLabel(tick, m_scale.ticks().front(), m_scale.ticks().back()));
}

void MemoryLabels::paintTicks(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    if (m_scale.ticks().empty()) {
        painter.setPen(colors.secondaryText);
        const QString text = m_document.snapshot()
                                 ? toQString(Completeness(*m_document.snapshot()).why(DataKind::kMemory))
                                 : QString();
        painter.drawText(m_scale.plotRect(), Qt::AlignCenter, text);
        return;
    }
    painter.setFont(chartFont());
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_tickChips.size(); ++i) {
        const std::int64_t tick = m_scale.ticks()[i];
        const QString text = tickText(tick);
        if (m_ticksBeside) {
            painter.setPen(colors.secondaryText);
            painter.drawText(QRectF(0, std::max(0.0, m_scale.yOf(tick) - 8), m_scale.labelWidth() - 6, 16),
                             Qt::AlignRight | Qt::AlignVCenter, text);
            continue;
        }
        // On a chip of the canvas, so that it reads on every category's color.
        if (!m_tickChips[i].isEmpty())
            paintChip(painter, m_tickChips[i], text);
    }
}

QRectF MemoryLabels::tickChip(std::int64_t tick, const QPaintDevice* device) const {
    if (m_ticksBeside)
        return {};
    const QFontMetricsF metrics(chartFont(), device);
    // From the edge on: a bit of the line before a size would be its minus.
    const QRectF chip(m_scale.labelWidth(), std::floor(m_scale.yOf(tick) - metrics.height() / 2),
                      metrics.horizontalAdvance(tickText(tick)) + 8, metrics.height());
    if (chip.top() < m_scale.plotRect().top() || chip.bottom() > m_scale.plotRect().bottom())
        return {};
    const QRectF dot = peakDot();
    return dot.intersects(chip) ? chip.translated(dot.right() + 1 - chip.left(), 0) : chip;
}

void MemoryLabels::paintEventAxis(QPainter& painter) const {
    const std::vector<std::uint64_t> ticks = m_scale.eventTicks();
    if (ticks.empty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = m_scale.plotRect();
    const QRectF axis(plot.left(), plot.bottom(), plot.width(), m_scale.eventAxisHeight());
    painter.setFont(chartFont());
    painter.setPen(colors.secondaryText);
    const QFontMetricsF metrics(painter.font(), painter.device());
    painter.fillRect(QRectF(axis.left(), axis.top(), axis.width(), 1), colors.hairline);
    const QString what = tr("allocator event");
    const QRectF end = axis.adjusted(axis.width() - metrics.horizontalAdvance(what) - 6, 0, -4, 0);
    painter.drawText(end, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, what);
    const auto [first, last] = m_scale.visibleEvents();
    for (const std::uint64_t number : ticks) {
        const double x = std::floor(axis.left() + static_cast<double>(number - 1 - first) * axis.width() /
                                                      static_cast<double>(last - first));
        painter.fillRect(QRectF(x, axis.top(), 1, 6), colors.hairline);
        const QString text = toQString(formatGrouped(static_cast<std::int64_t>(number)));
        const QRectF box(x + 4, axis.top(), metrics.horizontalAdvance(text) + 1, axis.height());
        if (box.right() + 8 <= end.left())
            painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
    }
}

/// With the room around it that a label leaves free; empty without a peak.
QRectF MemoryLabels::peakDot() const {
    const auto& peak = m_scale.visiblePeak();
    if (!peak || sumOf(peak->bytes) <= 0)
        return {};
    const QRectF plot = m_scale.plotRect();
    const QPointF at(std::clamp(m_scale.xOf(peak->time), plot.left() + 5, plot.right() - 5),
                     m_scale.yOf(sumOf(peak->bytes)));
    return {at.x() - kDot - 1, at.y() - kDot - 1, 2 * kDot + 2, 2 * kDot + 2};
}

void MemoryLabels::paintPeak(QPainter& painter, LabelPlace& place) const {
    const QRectF dot = peakDot();
    if (dot.isEmpty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QPointF at = dot.center();
    constexpr double kBeside = 8;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.text, 1.5));
    painter.setBrush(colors.background);
    painter.drawEllipse(at, kDot, kDot);
    place.keepFree(dot);

    QFont font = chartFont();
    font.setWeight(QFont::Medium);
    painter.setFont(font);
    const QSizeF size = chipSize(painter, m_scale.peakLabel());
    const double right = at.x() + kBeside, left = at.x() - kBeside - size.width();
    const double middle = at.x() - size.width() / 2;
    double clear = right;  // of the ticks' sizes
    for (const QRectF& chip : m_tickChips)
        clear = std::max(clear, chip.right() + 2);
    const double over = dot.top() - 1 - size.height();
    const double above = at.y() - size.height() - 2, higher = above - size.height() / 2, below = at.y() + 2;
    const auto box = [&](double x, double y) { return QRectF(QPointF(x, y), size); };
    const QRectF chip = place.place({box(middle, over), box(right, above), box(left, above),
                                     box(middle, over - size.height() / 2), box(middle, over - size.height()),
                                     box(right, higher), box(left, higher), box(right, below),
                                     box(left, below), box(clear, above), box(clear, below)});
    paintLeader(painter, at, chip);
    paintChip(painter, chip, m_scale.peakLabel());
}

/// From the dot to a label that is not next to it.
void MemoryLabels::paintLeader(QPainter& painter, QPointF dot, const QRectF& chip) const {
    constexpr double kNext = 9;
    QLineF leader(dot, QPointF(std::clamp(dot.x(), chip.left(), chip.right()),
                               std::clamp(dot.y(), chip.top(), chip.bottom())));
    if (leader.length() <= kNext)
        return;
    leader.setP1(leader.pointAt((kDot + 1) / leader.length()));
    painter.setPen(QPen(Theme::instance().colors().text, 1));
    painter.drawLine(leader);
}

/// At the left, in the middle or at the right, above the line or below it; at the upper edge for one that is
/// above the scale.
void MemoryLabels::paintLevels(QPainter& painter, LabelPlace& place) const {
    const QRectF plot = m_scale.plotRect();
    painter.setFont(chartFont());
    for (const MemoryScale::Level& level : m_scale.levels()) {
        const QSizeF size = chipSize(painter, level.text);
        const double y = level.above ? plot.top() : std::floor(m_scale.yOf(level.bytes));
        const double above = y - 1 - size.height(), below = y + 2;
        const double left = plot.left() + 4, right = plot.right() - 4 - size.width();
        const double middle = plot.center().x() - size.width() / 2, quarter = (left + middle) / 2;
        const auto at = [&](double x, double top) { return QRectF(QPointF(x, top), size); };
        paintChip(painter,
                  place.place({at(left, above), at(quarter, above), at(middle, above), at(right, above),
                               at(left, below), at(quarter, below), at(middle, below), at(right, below)}),
                  level.text);
    }
}

void MemoryLabels::paintReserved(QPainter& painter, LabelPlace& place) const {
    if (m_stack.reserved().empty())
        return;
    const std::int64_t bytes = m_stack.reserved().back();
    painter.setFont(chartFont());
    const QString text = tr("reserved %1").arg(toQString(formatBytes(Bytes(bytes))));
    const QSizeF size = chipSize(painter, text);
    const double left = m_scale.plotRect().right() - 4 - size.width(), y = m_scale.yOf(bytes);
    if (const auto chip = place.placeFree(
            {QRectF(QPointF(left, y - size.height() - 2), size), QRectF(QPointF(left, y + 3), size)}))
        paintChip(painter, *chip, text);
}

}  // namespace warpglass::ui
