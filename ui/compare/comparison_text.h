// Sentences of a comparison: what both runs took for a thing, and what they did in a stretch of time.
#pragma once

#include <QString>

#include <optional>

#include "engine/base/units.h"
#include "engine/query/activity/range_activity.h"
#include "engine/query/compare/comparison.h"
#include "engine/query/compare/landmark.h"

namespace warpglass::ui {

QString durationText(Nanoseconds duration);
/// "0.09×", "20.5×"; "< 0.01×" of less than that.
QString timesText(double ratio);
/// "A 312 µs, B 28.1 µs, −284 µs (0.09×)".
QString durationsText(Nanoseconds a, Nanoseconds b);
/// "A 2.20 GiB, B 1.90 GiB, −307 MiB (0.86×)".
QString sizesText(std::int64_t a, std::int64_t b);
/// The same for a row of bytes, if both runs have memory events; no difference if one has none, or if it
/// might have reached more.
QString memoryText(const ComparisonRow& row, bool ofBoth);
/// "A 265 kernels, GPU busy 87%".
QString activityText(const QString& run, TimeRange range, const RangeActivity& activity);
/// Cut in its middle, so that a line has room for the figures after it.
QString briefName(const QString& name);
/// " (A: on the host)": of something on the GPU only the host's part was found.
QString hostNote(bool ofA, bool ofB);
/// "forward of step 1 on the GPU": which time represents a row, and by which clock; kNone: in any phase.
QString placeText(const Landmark& landmark, Phase phase, const QString& steps, bool gpuOfA, bool gpuOfB);
/// " (B: aten::add_)": if another op takes the place of the landmark's in that run.
QString otherOpNote(const Snapshot& run, const Landmark& landmark, std::optional<SpanRef> found, bool inA);

}  // namespace warpglass::ui
