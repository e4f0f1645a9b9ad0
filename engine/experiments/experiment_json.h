// result.json: an experiment's result as JSON, and back.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/experiments/experiment.h"

namespace warpglass {

std::string toJson(const ExperimentResult& result);
/// An error is the cause alone, a clause without subject: "is no JSON", "has a table without columns".
Result<ExperimentResult> experimentFromJson(std::string_view text);

}  // namespace warpglass
