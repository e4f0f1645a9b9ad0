// What an experiment was asked, kept in its folder from the start (request.json), so that one that was
// stopped can be gone on with by whoever opens the folder.
#pragma once

#include <filesystem>

#include "engine/base/result.h"
#include "engine/experiments/experiment.h"

namespace warpglass {

struct ExperimentRequest {
    const Experiment* experiment = nullptr;  // one of experiments()
    ExperimentOptions options;
};

inline constexpr std::string_view kRequestFile = "request.json";

/// An error names the file.
Status writeRequest(const ExperimentRequest& request, const std::filesystem::path& folder);
/// Files are not trusted: every value is one that its setting takes. An error is one sentence.
Result<ExperimentRequest> readRequest(const std::filesystem::path& folder);

/// Whether both ask for the same, in whatever order the settings were given.
bool isSameRequest(const ExperimentRequest& a, const ExperimentRequest& b);

}  // namespace warpglass
