// Copies within the device and casts take a twentieth of the step or more: the time of what aten::copy_,
// aten::_to_copy, aten::clone, aten::contiguous and aten::cat launched, kernels and the driver's copies
// (without a GPU: their self time). If both took long enough to matter, the sentence gives each separately,
// since they are in separate tables.
//
// In mixed precision the sentence states the part that casts the weights and their gradients, and the
// resulting copies if they are a twentieth of the peak or more (weight_casts.h): one cause and one cure.
//
// Try, where casts of weights take that long: products with copies of the weights that the optimizer keeps
// (fusion_gain.h, casts). They are bytes as many as the copies that they replace.
//
// Limits: a cast inside another op's kernel is not seen; casts of attention's matrices count in
// score_matrix_time.cpp too, and the input's copy to the device counts here.
#pragma once

#include <optional>
#include <string_view>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

/// One of the ops above.
bool isCopyOp(std::string_view op);
/// Their time in ns a step where it is a finding, and 0 where it is none.
double copiesAndCastsTime(const RunFacts& facts);
std::optional<Finding> findCopiesAndCasts(const RunFacts& facts);

}  // namespace warpglass
