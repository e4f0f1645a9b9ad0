// How a step is run, as people read it: in titles, captions and tables. The option's words (executionName)
// are for the command line, the run file and the names of files.
#pragma once

#include <string_view>

#include "engine/plan/run_config.h"

namespace warpglass {

constexpr std::string_view executionWords(Execution execution) {
    return execution == Execution::kGraph ? "CUDA graph" : "eager";
}

}  // namespace warpglass
