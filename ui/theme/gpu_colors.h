// Colours and names of what a GPU's time goes to: the summary's bar and the timeline's Busy lane have the
// same.
#pragma once

#include <QColor>
#include <QString>
#include <array>

#include "engine/query/activity/gpu_busy.h"

namespace warpglass::ui {

/// Those that a view tells apart, in the order in which all list them.
inline constexpr std::array kShownGpuParts = {GpuBusy::Part::kBusy, GpuBusy::Part::kHostLate,
                                              GpuBusy::Part::kSynchronization, GpuBusy::Part::kGap,
                                              GpuBusy::Part::kUnknown};
/// In the present theme; the background's for time outside the steps, where nothing is drawn.
QColor gpuPartColor(GpuBusy::Part part);
/// "busy", "idle, host late"; "outside the steps".
QString gpuPartName(GpuBusy::Part part);

}  // namespace warpglass::ui
