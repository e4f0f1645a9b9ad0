// What the timeline writes: short names for bars, all that is known of them for tooltips.
#pragma once

#include <QString>
#include <string_view>

#include "engine/query/activity/range_activity.h"
#include "engine/trace/snapshot.h"
#include "ui/models/step_clock.h"
#include "ui/timeline/column_stacks.h"
#include "ui/timeline/geometry_builder.h"
#include "ui/timeline/timeline_rows.h"

namespace warpglass::ui {

/// As a bar shows it: "attn" for "blocks.7.attn", "blocks.7" for "blocks.7" (a number alone says nothing),
/// "mm" for "aten::mm", "MmBackward0" for "autograd::engine::evaluate_function: MmBackward0"; other names as
/// they are.
std::string_view shortName(TrackKind kind, std::string_view name);

/// "Host ops main thread": both lines of a track's label.
QString titleOf(const TimelineTrack& track);

/// "step 6 · measured · 45.4 ms" for a step, "forward · 14.7 ms" for a phase, shortName for others.
QString barLabel(const Snapshot& snapshot, TrackKind kind, const TimelineRect& rect);

/// A kernel's full name, as its library has it; invalid for other spans and where none was recorded.
NameId fullNameOf(const Snapshot& snapshot, const TimelineRow& row, const TimelineRect& rect);
/// A kernel's bar: what it does (kernelTitle()); and what is left of that where it does not fit, "copy bf16".
QString kernelLabel(const Snapshot& snapshot, NameId name, NameId fullName);
QString shortKernelLabel(const Snapshot& snapshot, NameId name, NameId fullName);
/// "copy", "gemm", where not even that fits; empty for a kernel that is called by its name, of which as much
/// is shown as fits.
QString leastKernelLabel(const Snapshot& snapshot, NameId name, NameId fullName);

/// What is left where that does not fit: the name alone, of which "blocks.7" stays whole.
QString shortBarLabel(const Snapshot& snapshot, TrackKind kind, const TimelineRect& rect);

/// Where not even that fits: of "step 6" and "blocks.6" the "6", of a phase what it is mostly called, "fwd",
/// "bwd", "opt", of a wait "wait"; empty for others.
QString leastBarLabel(const Snapshot& snapshot, TrackKind kind, const TimelineRect& rect);

/// Name, of a kernel also what it does and its full name; duration in reading form and in whole nanoseconds;
/// self time, module and step where there are any; for a merged run how many spans, how much of its time they
/// take, and the longest. Moments are told by the clock.
QString tooltipText(const Snapshot& snapshot, const TimelineRow& row, const TimelineRect& rect,
                    const StepClock& clock = {});

/// For the Busy lane of gpusOf()[gpu], the stretch under the mouse; for an idle one what the inspector says;
/// where its column holds more than that stretch, also what the column is made of.
QString busyText(const Snapshot& snapshot, const GpuBusy& busy, std::uint32_t gpu,
                 const TimelineRect& stretch, TimeRange column, const StepClock& clock = {});

/// For a column of a folded track's strip, `column` long: how busy the track is in it and what with; and how
/// to see more.
QString stripText(const TimelineTrack& track, const ColumnStack& stack, Nanoseconds column);

/// How long a measured range is, and what happens in it: kernels, copies and fills with their bytes, ops,
/// how much of it the GPU is busy and a thread is in an op.
QString rangeText(TimeRange range, const RangeActivity& activity);

}  // namespace warpglass::ui
