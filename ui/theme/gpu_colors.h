// Colors and names of what a GPU's time goes to: the same in the summary's bar and the timeline's Busy lane.
#pragma once

#include <QColor>
#include <QString>
#include <array>

#include "engine/query/activity/gpu_busy.h"

namespace warpglass::ui {

/// The parts that views distinguish, in the order in which all views list them.
inline constexpr std::array kShownGpuParts = {GpuBusy::Part::kBusy, GpuBusy::Part::kHostLate,
                                              GpuBusy::Part::kSynchronization, GpuBusy::Part::kGap,
                                              GpuBusy::Part::kUnknown};
/// The color in the current theme; for time outside the steps, where nothing is drawn, the background's.
QColor gpuPartColor(GpuBusy::Part part);
/// "busy", "idle, waiting for the host"; "outside the steps".
QString gpuPartName(GpuBusy::Part part);

}  // namespace warpglass::ui
