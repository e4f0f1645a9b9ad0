#include "ui/memory/phase_rows.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <iterator>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr std::array<TrackKind, 2> kRows = {TrackKind::kPhase, TrackKind::kGpuPhase};
/// Below each row.
constexpr double kRowGap = 2;

}  // namespace

int PhaseRows::height(TrackKind kind) const {
    constexpr int kRow = 18;
    const auto& run = m_document.snapshot();
    if (!run || m_document.memory().eventCount() == 0 || run->tracksOfKind(kind).empty())
        return 0;
    const bool evenly = m_scale.spacing() == MemoryScale::Spacing::kEvents;
    if (kind == TrackKind::kGpuPhase)
        return m_ofFigure && !evenly ? kRow : 0;  // evenly spaced, no pixel is a time of the GPU's
    return m_ofFigure || m_named || evenly ? kRow : 0;
}

std::vector<PhaseBar> PhaseRows::bars(const QPaintDevice& device) const {
    const QRectF plot = m_scale.plotRect();
    const TimeRange visible = m_axis.visibleRange();
    // Evenly spaced, a phase of any length can be wide.
    const Nanoseconds shortest(m_scale.spacing() == MemoryScale::Spacing::kEvents
                                   ? 0
                                   : visible.duration().value / std::max(1, static_cast<int>(plot.right())));
    std::vector<PhaseBar> bars;
    double top = 0;
    for (const TrackKind kind : kRows) {
        const int height = this->height(kind);
        if (height == 0)
            continue;
        std::ranges::copy(phaseBars(
                              {plot.left(), top, plot.width(), height - kRowGap},
                              phaseBands(*m_document.snapshot(), visible, shortest, kind), visible,
                              [this](Nanoseconds t) { return m_scale.xOf(t); }, device),
                          std::back_inserter(bars));
        top += height;
    }
    return bars;
}

void PhaseRows::paint(QPainter& painter, KeptX kept) const {
    paintPhaseBars(painter, bars(*painter.device()), kept);
    if (!m_ofFigure)
        return;
    painter.setPen(Theme::instance().colors().secondaryText);
    double top = 0;
    for (const TrackKind kind : kRows) {
        const int height = this->height(kind);
        if (height > 0)
            painter.drawText(QRectF(0, top, m_scale.labelWidth() - 6, height - kRowGap),
                             Qt::AlignRight | Qt::AlignVCenter,
                             kind == TrackKind::kPhase ? tr("Host phase") : tr("GPU phase"));
        top += height;
    }
}

}  // namespace warpglass::ui
