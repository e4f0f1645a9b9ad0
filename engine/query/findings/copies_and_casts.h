// Copies within the device and casts take a twentieth of the step or more: the time of what aten::copy_,
// aten::_to_copy, aten::clone, aten::contiguous and aten::cat launched (without a GPU: their self time).
//
// Limits: a cast inside another op's kernel is not seen; casts of attention's matrices count in
// score_matrix_time.h too.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findCopiesAndCasts(const RunFacts& facts);

}  // namespace warpglass
