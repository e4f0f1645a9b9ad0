// The phases of a run over a chart on its time axis.
//
// Pure but for the painting; any thread.
#pragma once

#include <QColor>
#include <QRectF>
#include <functional>
#include <vector>

#include "engine/trace/snapshot.h"
#include "ui/controls/kept_x.h"
#include "ui/theme/legend.h"

class QPaintDevice;
class QPainter;

namespace warpglass::ui {

struct PhaseBand {
    TimeRange range;
    Phase phase = Phase::kNone;
};

/// Those that overlap the range and last at least `shortest`, in order.
std::vector<PhaseBand> phaseBands(const Snapshot& snapshot, TimeRange range, Nanoseconds shortest,
                                  TrackKind kind = TrackKind::kPhase);
/// A phase as a bar in a row, with its name where it has room for it.
struct PhaseBar {
    QRectF rect;
    Phase phase = Phase::kNone;
    bool named = false;
};
/// `visible`: what the row shows; `xOf`: where a moment of it lies.
std::vector<PhaseBar> phaseBars(const QRectF& row, const std::vector<PhaseBand>& bands, TimeRange visible,
                                const std::function<double(Nanoseconds)>& xOf, const QPaintDevice& device);
void paintPhaseBars(QPainter& painter, const std::vector<PhaseBar>& bars, KeptX kept = {});
/// What a figure's legend adds for them: the phases that no bar names, those of one color in one entry.
std::vector<LegendEntry> unnamedPhases(const std::vector<PhaseBar>& bars);

}  // namespace warpglass::ui
