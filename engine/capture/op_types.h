// The types and shapes of what an op takes and gives, as text: "bf16[4,128,256], bf16[1024,256]". Tensors and
// lists of tensors, in order; what is no tensor, and a tensor that is not defined, is left out. Of a long
// list the first eight and how many more there are.
#pragma once

#include <string>

#include "engine/capture/torch_headers.h"

namespace warpglass {

/// "fp32", "bf16", "int64".
const char* typeName(at::ScalarType type);

/// Of what `op` was given: within a callback at its begin.
void appendInputs(std::string& text, const at::RecordFunction& op);
/// Of what it gives: within a callback at its end.
void appendOutputs(std::string& text, const at::RecordFunction& op);

}  // namespace warpglass
