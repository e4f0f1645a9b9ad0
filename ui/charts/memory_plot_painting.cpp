// How a MemoryPlot is drawn: the kept picture of the stack, and what lies over it.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/byte_ticks.h"
#include "ui/charts/mark_chart.h"
#include "ui/charts/memory_plot.h"
#include "ui/charts/phase_bands.h"
#include "ui/models/mark_list.h"
#include "ui/models/table_model.h"
#include "ui/theme/theme.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {

/// Vector figures are drawn for print: more columns than logical pixels.
constexpr int kVectorColumns = 4;

/// Text on the canvas' colour, so that it reads on every category's.
void paintChip(QPainter& painter, const QRectF& chip, const QString& text) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(Qt::NoPen);
    painter.setBrush(faded(colors.background, 0.78F));
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(colors.text);
    painter.drawText(chip, Qt::AlignCenter, text);
}

}  // namespace

void MemoryPlot::paintEvent(QPaintEvent*) {
    QCPPainter painter(this);
    if (!painter.isActive() || width() <= m_labelWidth)
        return;
    const bool raster = painter.paintEngine()->type() == QPaintEngine::Raster;
    // The transform knows the scale also when a widget is drawn into a picture, where the device is the
    // widget.
    const qreal ratio = raster ? std::max<qreal>(1.0, painter.deviceTransform().m11()) : 1.0;
    const double plotWidth = plotRect().width();
    ensureData(static_cast<int>(std::lround(plotWidth * (raster ? ratio : kVectorColumns))));
    if (!raster) {
        painter.fillRect(rect(), Theme::instance().colors().background);
        paintBands(painter);
        painter.save();
        toPainter(&painter, width(), height());
        painter.restore();
    } else {
        if (!m_pictureValid || m_picture.devicePixelRatio() != ratio ||
            m_picture.deviceIndependentSize().toSize() != size()) {
            m_picture = QPixmap(size() * ratio);
            m_picture.setDevicePixelRatio(ratio);
            m_picture.fill(Theme::instance().colors().background);
            QCPPainter into(&m_picture);
            paintBands(into);
            toPainter(&into, width(), height());
            m_pictureValid = true;
        }
        painter.drawPixmap(0, 0, m_picture);
    }
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setFont(Theme::tableFont());
    paintTicks(painter);
    paintSelection(painter);
    // The peak's label has the first choice of its place.
    paintPredicted(painter, paintPeak(painter));
    paintMarks(painter);
    paintCausedAllocations(painter, *this, m_document, m_axis, m_caused.of(m_document, m_axis));
    paintCursors(painter);
}

void MemoryPlot::paintBands(QPainter& painter) const {
    if (!m_document.snapshot() || m_document.memory().eventCount() == 0)
        return;
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = plotRect();
    const Nanoseconds aPixel(static_cast<std::int64_t>(static_cast<double>(visible.duration().value) /
                                                       std::max(1.0, plot.width())));
    for (const PhaseBand& band :
         phaseBands(*m_document.snapshot(), visible, m_spacing == Spacing::kTime ? aPixel : Nanoseconds(0))) {
        const double left = std::max(plot.left(), xOf(std::max(band.range.begin, visible.begin)));
        const double right = std::min(plot.right(), xOf(std::min(band.range.end, visible.end)));
        if (right > left)
            painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()),
                             phaseBandColor(band.phase));
    }
}

void MemoryPlot::paintPredicted(QPainter& painter, const QRectF& taken) const {
    if (!m_predicted || m_ticks.empty() || m_predicted->value > m_top)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const double y = std::floor(yOf(m_predicted->value)) + 0.5;
    QPen pen(colors.text, 1);
    pen.setDashPattern({5, 4});
    painter.setPen(pen);
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setFont(chartFont());
    const QFontMetricsF metrics(painter.font(), painter.device());
    const QString text = tr("predicted peak %1").arg(toQString(formatBytes(*m_predicted)));
    const QSizeF size(metrics.horizontalAdvance(text) + 8, metrics.height());
    // Beside the ticks' labels or at the right, above the line or below it: where the peak's label is not.
    const double left = plot.left() + (m_ticksBeside ? 4 : 72), right = plot.right() - 4 - size.width();
    const double above = y - 2 - size.height(), below = y + 3;
    QRectF chip(QPointF(left, above < 0 ? below : above), size);
    for (const QPointF& corner :
         {QPointF(left, above), QPointF(left, below), QPointF(right, above), QPointF(right, below)}) {
        const QRectF candidate(corner, size);
        if (candidate.top() >= 0 && !candidate.intersects(taken)) {
            chip = candidate;
            break;
        }
    }
    paintChip(painter, chip, text);
}

void MemoryPlot::paintTicks(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    if (m_ticks.empty()) {
        painter.setPen(colors.secondaryText);
        const QString text = m_document.snapshot() ? tr("There is no memory event to show") : QString();
        painter.drawText(plotRect(), Qt::AlignCenter, text);
        return;
    }
    painter.setFont(chartFont());
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(painter.font(), painter.device());
    for (const std::int64_t tick : m_ticks) {
        const QString text = toQString(byteTickLabel(tick));
        if (m_ticksBeside) {
            painter.setPen(colors.secondaryText);
            painter.drawText(QRectF(0, std::max(0.0, yOf(tick) - 8), m_labelWidth - 6, 16),
                             Qt::AlignRight | Qt::AlignVCenter, text);
            continue;
        }
        // On a chip of the canvas, so that it reads on every category's colour.
        const QRectF chip(m_labelWidth + 4, yOf(tick) - metrics.height() - 3,
                          metrics.horizontalAdvance(text) + 8, metrics.height());
        if (chip.top() >= 0)
            paintChip(painter, chip, text);
    }
}

void MemoryPlot::paintSelection(QPainter& painter) const {
    const auto range = m_axis.selectedRange();
    if (!range)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const double left = std::max(plot.left(), xOf(range->begin));
    const double right = std::min(plot.right(), xOf(range->end));
    if (right < left)
        return;
    const QRectF area(left, plot.top(), right - left, plot.height());
    fillVeil(painter, area, faded(colors.accent, 0.14F));
    painter.fillRect(QRectF(area.left(), area.top(), 1, area.height()), colors.accent);
    painter.fillRect(QRectF(area.right() - 1, area.top(), 1, area.height()), colors.accent);
}

/// Where its label is; empty without one.
QRectF MemoryPlot::paintPeak(QPainter& painter) {
    if (!m_peak || sumOf(m_peak->bytes) <= 0)
        return {};
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const QPointF at(std::clamp(xOf(m_peak->time), plot.left() + 5, plot.right() - 5),
                     yOf(sumOf(m_peak->bytes)));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.text, 1.5));
    painter.setBrush(colors.background);
    painter.drawEllipse(at, 3.5, 3.5);

    QFont font = chartFont();
    font.setWeight(QFont::Medium);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const double width = metrics.horizontalAdvance(m_peakLabel) + 8;
    QRectF box(at.x() + 8, at.y() - metrics.height() - 2, width, metrics.height());
    if (box.right() > plot.right() - 4)
        box.moveRight(at.x() - 8);
    box.moveLeft(std::max(box.left(), plot.left() + 2));
    box.moveTop(std::max(box.top(), plot.top() + 1));
    paintChip(painter, box, m_peakLabel);
    return box;
}

std::vector<MarkFlag> MemoryPlot::flags() const {
    if (!m_marks || !m_document.snapshot())
        return {};
    std::vector<MarkFlag> flags;
    const int top = static_cast<int>(plotRect().bottom()) - kFlagHeight - 2;
    const auto [first, end] = m_marks->within(m_axis.visibleRange());
    for (std::size_t i = first; i < end; ++i) {
        const RunMark& mark = m_marks->marks()[i];
        addMarkFlag(flags, i, toQString(mark.text), static_cast<int>(xOf(mark.time)), top);
    }
    return flags;
}

void MemoryPlot::paintMarks(QPainter& painter) const {
    const auto current =
        m_marks && m_axis.pinnedCursor() ? m_marks->at(*m_axis.pinnedCursor()) : std::nullopt;
    const QRectF plot = plotRect();
    painter.save();
    painter.setClipRect(plot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintMarkFlags(painter, flags(), current, static_cast<int>(plot.top()), static_cast<int>(plot.bottom()));
    painter.restore();
}

void MemoryPlot::paintCursors(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const auto line = [&](Nanoseconds t, const QColor& color) {
        const double x = std::floor(xOf(t));
        if (x >= plot.left() && x <= plot.right())
            fillVeil(painter, QRectF(x, plot.top(), 1, plot.height()), color);
    };
    if (m_axis.pinnedCursor())
        line(*m_axis.pinnedCursor(), colors.accent);
    if (m_axis.cursor())
        line(*m_axis.cursor(), faded(colors.text, 0.7F));
}

}  // namespace warpglass::ui
