// Runs the cells of a sweep, each in a process of its own (`warpglass-cli run`), so that one that runs out of
// memory, asserts on the device, crashes or hangs is that cell's result and no other's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/sweep/sweep.h"

namespace warpglass {

class Outlooks;

/// A prediction for each cell takes microseconds; before a grid of more cells only their number is said.
inline constexpr std::int64_t kMostForecast = 20'000;

/// Before anything runs.
struct SweepForecast {
    std::int64_t cells = 0;
    /// By index: why a cell will be skipped or will likely not fit, in one sentence; empty for one that will
    /// run, and where only the first was asked for, for all others.
    std::vector<std::string> doubts;
    std::int64_t tooLarge = 0, cannotRun = 0;
    /// The largest predicted peak among the cells that will run.
    Bytes largestPeak;
    /// The time of all cells that will run, from FLOPs and the device's measured ceilings; nothing where
    /// there are none.
    std::optional<Nanoseconds> time;
};
/// Whose doubts are put in words: that takes milliseconds a cell on a GPU, all else some ten microseconds.
enum class Doubts : std::uint8_t { kAll, kFirst };
SweepForecast forecast(const SweepPlan& plan, Doubts doubts = Doubts::kAll);
/// For a machine of which these are the outlooks.
SweepForecast forecast(const SweepPlan& plan, const Outlooks& outlooks, Doubts doubts = Doubts::kAll);

/// One sentence for each other process that uses the plan's GPU; none on the CPU or where the driver does not
/// say.
std::vector<std::string> busyGpu(const SweepPlan& plan);

struct SweepRunOptions {
    /// `warpglass-cli`; empty for the one beside the running program.
    std::filesystem::path program;
    /// Cells with a result of these states run again: of kFailed and kOutOfMemory. What is not reached keeps
    /// its result.
    std::set<CellState> retry{};
};

class SweepFile;

/// A sweep that goes on, on a thread of its own. Every function may be called from any thread.
class SweepRun {
public:
    /// Runs every cell of `file` that is not done, in runOrder(). What was skipped is weighed again: a driver
    /// may have come since, or memory become free.
    static std::unique_ptr<SweepRun> start(std::unique_ptr<SweepFile> file,
                                           const SweepRunOptions& options = {});
    /// stop(), and waits.
    virtual ~SweepRun() = default;

    /// After the cell that runs now; resume() goes on.
    virtual void pause() = 0;
    virtual void resume() = 0;
    virtual bool paused() const = 0;
    /// Ends the running cell, which then waits again, and the sweep.
    virtual void stop() = 0;
    virtual bool finished() const = 0;
    virtual void wait() = 0;

    /// Changes with every change of sweep().
    virtual std::uint64_t epoch() const = 0;
    virtual std::shared_ptr<const Sweep> sweep() const = 0;
    /// From the cells done so far and the forecast; nothing before it can be told.
    virtual std::optional<Nanoseconds> timeLeft() const = 0;
    /// Why it ended before its last cell (unwritable file, no program); empty for none.
    virtual std::string error() const = 0;
};

}  // namespace warpglass
