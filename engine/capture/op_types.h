// The types and shapes of what an op takes and gives, as text: "bf16[4,128,256], bf16[1024,256]". Tensors and
// lists of tensors, in order; what is no tensor, and a tensor that is not defined, is left out. A long list
// is cut to its first eight and how many more there are.
#pragma once

#include <string>

#include "engine/capture/torch_headers.h"

namespace warpglass {

/// "fp32", "bf16", "int64".
const char* typeName(at::ScalarType type);

/// Appends what `op` was given; to be called within a callback at its begin.
void appendInputs(std::string& text, const at::RecordFunction& op);
/// Appends what it gives; to be called within a callback at its end.
void appendOutputs(std::string& text, const at::RecordFunction& op);

}  // namespace warpglass
