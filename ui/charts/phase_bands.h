// The phases of a run as bands behind a chart on its time axis.
//
// Pure; any thread.
#pragma once

#include <QColor>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass::ui {

struct PhaseBand {
    TimeRange range;
    Phase phase = Phase::kNone;
};

/// Those that overlap the range and last at least `shortest`, in order.
std::vector<PhaseBand> phaseBands(const Snapshot& snapshot, TimeRange range, Nanoseconds shortest,
                                  TrackKind kind = TrackKind::kPhase);
/// What there is of the GPU's phases in the range, for at least `shortest`, while the host is in none of its
/// own, as when it waits for the end of a step; in order.
std::vector<PhaseBand> gpuPhasesAlone(const Snapshot& snapshot, TimeRange range, Nanoseconds shortest,
                                      std::vector<PhaseBand> host);

/// A phase's color as a light band on the canvas; opaque.
QColor phaseBandColor(Phase phase);

}  // namespace warpglass::ui
