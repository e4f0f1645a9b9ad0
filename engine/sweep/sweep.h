// A sweep: a grid of runs, one process per cell, and what became of each. The sweep file, the command line
// and the window's sweep page share this description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/run_config.h"

namespace warpglass {

/// One setting and the values it takes, in the words of the command line ("fp32", "512").
struct SweepAxis {
    /// The key of a setting (engine/plan/settings.h).
    std::string key;
    /// Without duplicates, in the order given.
    std::vector<std::string> values;

    bool operator==(const SweepAxis&) const = default;
};

enum class CellOrder : std::uint8_t {
    kGrid,         // the last axis varies fastest, all repeats of a cell together
    kInterleaved,  // the first repeat of every cell, then the second …
    kShuffled      // as kInterleaved, each round in a random order of its own
};

/// What a cell does when it is predicted not to fit the device.
enum class TooLarge : std::uint8_t { kSkip, kTry };

/// What a sweep runs, fixed when it is made.
struct SweepPlan {
    /// Every setting that no axis varies.
    RunConfig base;
    /// The first varies slowest. Never empty; none has no values.
    std::vector<SweepAxis> axes;
    std::int64_t repeats = 1;
    CellOrder order = CellOrder::kInterleaved;
    /// For kShuffled.
    std::uint64_t shuffleSeed = 0;
    TooLarge tooLarge = TooLarge::kSkip;
    /// A cell that takes longer is ended and counts as failed.
    Nanoseconds timeLimit{600'000'000'000};
    /// Where each cell's run file is kept, as CELL.wgrun; empty for nowhere. Relative to the sweep file's
    /// folder.
    std::filesystem::path runFolder;
    /// Each cell's run also leaves LibTorch's memory snapshot, as CELL.pickle beside its run file. Not
    /// without a run folder, and on a GPU only.
    bool memorySnapshots = false;

    bool operator==(const SweepPlan&) const = default;
};

enum class CellState : std::uint8_t {
    kWaiting,
    kRunning,
    kOk,
    kOutOfMemory,
    kFailed,  // any other failure: of the run, of its process (a crash, the time limit)
    kSkipped  // predicted not to fit, or a combination that cannot be run
};
/// "waiting", "running", "ok", "out-of-memory", "failed", "skipped": as files and scripts have them.
std::string_view cellStateName(CellState state);
std::optional<CellState> cellStateOfName(std::string_view name);

/// One run of a sweep.
struct SweepCell {
    /// Counts from 0 in the order of kGrid, repeats innermost: index = gridIndex × repeats + repeat.
    std::int64_t index = 0;
    /// For each axis of the plan, which of its values.
    std::vector<std::uint32_t> values;
    std::int64_t repeat = 0;

    CellState state = CellState::kWaiting;
    /// One sentence where it is neither waiting nor ok: of an out-of-memory cell the request, the allocator's
    /// numbers and the prediction. Why there is no memory snapshot though the plan asks for one, of an ok
    /// cell too.
    std::string message;
    /// By a measure's key (engine/sweep/measures.h), in the measure's unit. One not taken is not there.
    std::map<std::string, double, std::less<>> figures;
    /// UTC, "2026-01-31T15:45:00Z"; empty before it has run.
    std::string started;
    /// The time of the whole cell, the start of its process included.
    Nanoseconds took;
    /// Where its run is kept; empty for nowhere. As in the file: relative to the sweep file's folder.
    std::filesystem::path runFile;
    /// Where its memory snapshot is kept; empty for nowhere. As `runFile`.
    std::filesystem::path memorySnapshot;

    std::optional<double> figure(std::string_view key) const {
        const auto found = figures.find(key);
        return found == figures.end() ? std::nullopt : std::optional(found->second);
    }
    /// It ran while other programs took the host's time, or a clock was held down.
    bool wasDisturbed() const { return state == CellState::kOk && figure("disturbed").value_or(0) > 0; }
    /// It will not run any more unless it is asked for again.
    bool isDone() const { return state != CellState::kWaiting && state != CellState::kRunning; }
    /// Without what it came to.
    SweepCell waitingAgain() const;

    bool operator==(const SweepCell&) const = default;
};

/// A sweep as far as it is known: of a file, or of one that goes on.
struct Sweep {
    SweepPlan plan;
    /// Every cell, by index.
    std::vector<SweepCell> cells;
    /// Device, versions and the rest that its runs state alike ("device.name", "torch.version"); unknown keys
    /// are kept.
    std::vector<std::pair<std::string, std::string>> information;
    /// For an opened file: one sentence for each thing that is damaged or missing.
    std::vector<std::string> warnings;
    /// For an opened file: a process was running it, and some of its cells were still to come.
    bool isBeingRun = false;

    std::size_t count(CellState state) const;
};

}  // namespace warpglass
