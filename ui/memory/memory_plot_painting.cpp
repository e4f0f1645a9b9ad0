// How a MemoryPlot is drawn: the kept picture of the stack, and what lies over it.
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/charts/mark_chart.h"
#include "ui/controls/figure_mode.h"
#include "ui/memory/memory_plot.h"
#include "ui/models/run_filter.h"
#include "ui/theme/theme.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {

/// Over what the filter leaves out, as in the timeline.
constexpr float kVeil = 0.5F;
/// Vector figures are drawn for print: more columns than logical pixels.
constexpr int kVectorColumns = 4;
/// Below each row of phases.
constexpr double kRowGap = 2;

}  // namespace

void MemoryPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!painter.isActive() || width() <= labelWidth())
        return;
    const bool raster = painter.paintEngine()->type() == QPaintEngine::Raster;
    // The transform knows the scale also when a widget is drawn into a picture, where the device is the
    // widget.
    const qreal ratio = raster ? std::max<qreal>(1.0, painter.deviceTransform().m11()) : 1.0;
    const auto columns = static_cast<int>(
        std::lround(m_scale.plotRect().width() * (raster ? ratio : static_cast<qreal>(kVectorColumns))));
    if (!raster) {
        painter.fillRect(rect(), Theme::instance().colors().background);
        paintPhases(painter);
        m_stack->paint(painter, columns, m_axis.visibleRange());
    } else {
        if (!m_pictureValid || m_picture.devicePixelRatio() != ratio ||
            m_picture.deviceIndependentSize().toSize() != size()) {
            m_picture = QPixmap(size() * ratio);
            m_picture.setDevicePixelRatio(ratio);
            m_picture.fill(Theme::instance().colors().background);
            QPainter into(&m_picture);
            paintPhases(into);
            m_stack->paint(into, columns, m_axis.visibleRange());
            m_pictureValid = true;
        }
        painter.drawPixmap(0, 0, m_picture);
    }
    painter.setFont(Theme::tableFont());
    paintVeil(painter);
    LabelPlace place = m_labels.place(painter.device());
    // Lines, those across and those of marks, lie under every label, and the peak's has the first choice of
    // its place.
    m_labels.paintLevelLines(painter);
    paintMarks(painter);
    m_labels.paintTicks(painter);
    m_labels.paintEventAxis(painter);
    paintSelection(painter);
    m_labels.paintPeak(painter, place);
    paintCausedAllocations(painter, *this, m_document, m_axis, m_caused.of(m_document, m_axis), place);
    m_labels.paintLevels(painter, place);
    m_labels.paintReserved(painter, place);
    paintCursors(painter);
    if (hasFocus() && !FigureMode::holds(*this))
        painter.fillRect(QRectF(labelWidth() - 2, 0, 2, height()), Theme::instance().colors().accent);
}

std::vector<PhaseBar> MemoryPlot::phaseBars(const QPaintDevice& device) const {
    const QRectF plot = m_scale.plotRect();
    const TimeRange visible = m_axis.visibleRange();
    // Evenly spaced, a phase of any length can be wide.
    const Nanoseconds shortest(
        spacing() == Spacing::kEvents ? 0 : visible.duration().value / std::max(1, width()));
    std::vector<PhaseBar> bars;
    double top = 0;
    for (const TrackKind kind : {TrackKind::kPhase, TrackKind::kGpuPhase}) {
        const int height = phaseRowHeight(kind);
        if (height == 0)
            continue;
        std::ranges::copy(ui::phaseBars(
                              {plot.left(), top, plot.width(), height - kRowGap},
                              phaseBands(*m_document.snapshot(), visible, shortest, kind), visible,
                              [this](Nanoseconds t) { return xOf(t); }, device),
                          std::back_inserter(bars));
        top += height;
    }
    return bars;
}

void MemoryPlot::paintPhases(QPainter& painter) const {
    paintPhaseBars(painter, phaseBars(*painter.device()));
    painter.setPen(Theme::instance().colors().secondaryText);
    double top = 0;
    for (const TrackKind kind : {TrackKind::kPhase, TrackKind::kGpuPhase}) {
        const int height = phaseRowHeight(kind);
        if (m_ticksBeside && height > 0)
            painter.drawText(QRectF(0, top, labelWidth() - 6, height - kRowGap),
                             Qt::AlignRight | Qt::AlignVCenter,
                             kind == TrackKind::kPhase ? tr("Host phase") : tr("GPU phase"));
        top += height;
    }
}

void MemoryPlot::paintVeil(QPainter& painter) const {
    const auto range = FigureMode::holds(*this) ? std::nullopt : countedTime();
    if (!range)
        return;
    const QRectF plot = m_scale.plotRect().adjusted(0, -m_scale.plotRect().top(), 0, 0);  // and the phases
    const TimeRange visible = m_axis.visibleRange();
    const auto edge = [&](Nanoseconds t) {  // no moment out of view, which may be that of no event
        return t <= visible.begin ? plot.left() : t >= visible.end ? plot.right() : std::floor(xOf(t));
    };
    const double from = edge(range->begin), to = edge(range->end);
    const QColor veil = faded(Theme::instance().colors().background, kVeil);
    if (from > plot.left())
        fillVeil(painter, QRectF(plot.left(), plot.top(), from - plot.left(), plot.height()), veil);
    if (to < plot.right())
        fillVeil(painter, QRectF(to, plot.top(), plot.right() - to, plot.height()), veil);
}

void MemoryPlot::paintSelection(QPainter& painter) const {
    const auto range = m_axis.selectedRange();
    if (!range)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = m_scale.plotRect();
    const double left = std::max(plot.left(), xOf(range->begin));
    const double right = std::min(plot.right(), xOf(range->end));
    if (right < left)
        return;
    const QRectF area(left, plot.top(), right - left, plot.height());
    fillVeil(painter, area, faded(colors.accent, 0.14F));
    painter.fillRect(QRectF(area.left(), area.top(), 1, area.height()), colors.accent);
    painter.fillRect(QRectF(area.right() - 1, area.top(), 1, area.height()), colors.accent);
}

void MemoryPlot::paintMarks(QPainter& painter) const {
    const QRectF plot = m_scale.plotRect();
    painter.save();
    painter.setClipRect(plot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    m_marks->paint(painter, static_cast<int>(plot.top()), static_cast<int>(plot.bottom()));
    painter.restore();
}

void MemoryPlot::paintCursors(QPainter& painter) const {
    if (m_document.memory().eventCount() == 0)
        return;  // a sentence stands there
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = m_scale.plotRect();
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
