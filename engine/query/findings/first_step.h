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

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findFirstStep(const RunFacts& facts);

}  // namespace warpglass
