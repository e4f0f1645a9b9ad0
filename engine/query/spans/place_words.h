// Where in a run something happened, as part of a sentence. Pure; any thread.
#pragma once

#include <string>

#include "engine/trace/ids.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// "in the forward pass of step 1", "in step 1", "outside any step".
std::string placeInWords(Phase phase, std::int32_t step);

}  // namespace warpglass
