// The GPU ran dry because the host waited for it before it launched more: idle time by the cause
// "synchronization" (engine/query/activity/gpu_idle.h), a twentieth of the step or more.
//
// Limits: a wait during which the GPU has work costs nothing and does not count.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findSynchronizations(const RunFacts& facts);

}  // namespace warpglass
