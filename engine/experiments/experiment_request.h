// What an experiment was asked, kept in its folder from the start (request.json), so that one that was
// stopped can be gone on with by whoever opens the folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

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

/// What was asked of a folder before and keeps `request` out of it: another experiment, or the same with
/// other settings. Nothing where the folder is free, and where what was asked has come to nothing: no run has
/// a result, as on a device that is not there, and nobody is running it.
std::optional<ExperimentRequest> requestInTheWay(const ExperimentRequest& request,
                                                 const std::filesystem::path& folder);

/// Makes the folder one of `request`, which need not be the first. Sweeps that came to nothing are removed
/// where they are another request's, and where all of this one's ended so: they are then tried again. An
/// error names what is in the way.
Status claimFolder(const ExperimentRequest& request, const std::filesystem::path& folder);

}  // namespace warpglass
