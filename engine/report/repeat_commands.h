// The commands that run again what a report is of. Pure; any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/experiments/experiment_request.h"
#include "engine/plan/run_config.h"
#include "engine/sweep/sweep.h"

namespace warpglass {

/// A word of a command as a shell takes it: quoted where it has anything but plain characters.
std::string shellWord(std::string_view word);

/// The command as lines of a page, broken between words as a shell takes it: a reader would break "--warmup"
/// after its hyphens.
std::vector<std::string> shellLines(std::string_view command);

/// "warpglass-cli run --model small … --output small.wgrun". Says every setting, also the usual ones.
std::string runCommand(const RunConfig& config, std::string_view output);
std::string sweepCommand(const SweepPlan& plan, std::string_view output);
std::string experimentCommand(const ExperimentRequest& request, std::string_view output);
/// "small-again.wgrun" of "runs/small.wgrun": where a command that is typed beside what it repeats leaves
/// that as it is, and an experiment does not go on where it has ended.
std::string repeatedName(const std::filesystem::path& path);

}  // namespace warpglass
