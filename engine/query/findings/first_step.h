// The first measured step is slower than the others and counts in their mean: with a mean of all of m and of
// the others of o, (m − o) / o is a twentieth or more, which is as much as steps differ otherwise; and it
// takes at least half as long again as they do: if libraries load, it takes several times as long. The cost
// is m − o, of m.
//
// Try: one more warm-up step, expected to give the mean of the others. Limits: warm-up steps themselves are
// no cost here, since no mean has them. After a warm-up the libraries are loaded, and why the first step is
// slow is unknown. The rule then needs three measured steps, since of two that differ either may be the odd
// one by chance. If the host was busy in that step (engine/query/activity/conditions.h), the sentence names
// this as a possible cause and proposes no trial.
#pragma once

#include <optional>
#include <string>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"
#include "engine/trace/missing_records.h"

namespace warpglass {

/// What the rule finds, also for a view that shows the steps.
struct SlowFirstStep {
    TimeRange range;
    /// ns: the mean of all measured steps, and of all but the first.
    double mean = 0, others = 0;
    /// The host was busy in it, and may be why it was slow.
    bool isDisturbed = false;
    std::string sentence, remedy;
};
/// Any thread. `missing`: what the run's file lacks; with steps lost another one may seem the first.
std::optional<SlowFirstStep> slowFirstStep(const Snapshot& snapshot, const MissingRecords& missing);

std::optional<Finding> findFirstStep(const RunFacts& facts);

}  // namespace warpglass
