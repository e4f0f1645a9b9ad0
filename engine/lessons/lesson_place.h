// Where a step of a lesson is in its run. Names are those of the run, so they can be looked for only once it
// is open; an error is a sentence that says what the run does not have.
//
// Linear in the run's ranges, or for a span in its spans. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/lessons/lesson.h"
#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass {

/// The stretch of time that is shown. Where several ranges have the name, it is the first in a measured step,
/// else the first; for a pattern (with * or ?), it goes from the first to the end of the last. Without a
/// name, it is the measured steps.
Result<TimeRange> lessonRange(const Snapshot& run, const LessonStep& step);

/// The phase or the module that the tables count; neither for everything.
struct LessonCount {
    std::optional<Phase> phase;
    std::string module;
};
Result<LessonCount> lessonCount(const Snapshot& run, const LessonStep& step);

/// The longest span of exactly that name that begins within the range, else the longest with it in its name;
/// nothing where none has.
std::optional<SpanRef> longestSpanCalled(const Snapshot& run, TimeRange range, const std::string& name);
/// The span that a step points at, as said above. Precondition: it points at a span.
Result<SpanRef> lessonSpan(const Snapshot& run, const LessonStep& step, TimeRange range);

}  // namespace warpglass
