// What became of a cell, from how its process ended and the run that it left.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/run_config.h"
#include "engine/sweep/child_process.h"
#include "engine/sweep/sweep.h"

namespace warpglass {

/// How often the kernel has ended a process for want of memory, of the machine and of this control group: to
/// be asked before and after.
std::int64_t kernelKills();

/// What a cell's process writes.
struct CellFiles {
    std::filesystem::path run;
    /// Empty where none is asked for.
    std::filesystem::path memorySnapshot;

    /// With what a process that was killed has left beside them.
    void remove() const;
};

struct CellResult {
    CellState state = CellState::kFailed;
    std::string message;
    std::map<std::string, double, std::less<>> figures;
    /// What the run states of its device and versions.
    std::vector<std::pair<std::string, std::string>> information;
};

/// Reads and measures the run, if there is one. A run that is sound but for its memory snapshot is ok, and
/// the message says why there is none. `kernelKilled`: the kernel ended some process meanwhile. Precondition:
/// the process was started, and not stopped by us.
CellResult resultOf(const ChildEnd& end, const CellFiles& files, const RunConfig& config,
                    Nanoseconds timeLimit, bool kernelKilled);

}  // namespace warpglass
