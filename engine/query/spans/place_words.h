// Where in a run something happened, as part of a sentence. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/trace/ids.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// "in the forward pass of step 1", "in step 1", "outside any step". `inCapture`: in a CUDA graph's capture,
/// which stands in place of the step: "in the forward pass of the graph's capture".
std::string placeInWords(Phase phase, std::int32_t step, bool inCapture = false);
/// The same of a phase by its name; a name that no phase has is none.
std::string placeInWords(std::string_view phase, std::int32_t step);

}  // namespace warpglass
