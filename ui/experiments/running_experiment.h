// An experiment that goes on, on a thread of its own: its sweeps, then the answer, then the figures.
//
// Every function may be called from any thread.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/experiments/experiment_request.h"
#include "engine/sweep/sweep_run.h"

namespace warpglass::ui {

/// How far one is.
struct ExperimentProgress {
    enum class Stage { kCells, kAnswer, kFigures, kEnded };
    Stage stage = Stage::kCells;
    /// Cells of all its sweeps; 0 for an experiment that only computes.
    std::int64_t done = 0, cells = 0;
    /// Until the last cell; nothing before it can be told.
    std::optional<Nanoseconds> left;
    /// The sweep that runs, and what it is called; null before the first.
    std::shared_ptr<const Sweep> sweep;
    std::string name;
    /// The cell that runs: "small · 512 · bf16"; empty for none.
    std::string cell;
};

class RunningExperiment {
public:
    /// What `engine/experiments/run_experiment.h` says of runExperiment() holds.
    static std::unique_ptr<RunningExperiment> start(ExperimentRequest request, std::filesystem::path folder,
                                                    SweepRunOptions options = {});
    /// stop(), and waits.
    virtual ~RunningExperiment() = default;

    /// Ends the running cell, which waits again; finished cells are kept. Waits for what is being computed.
    virtual void stop() = 0;
    virtual bool finished() const = 0;
    /// Changes with every change of progress().
    virtual std::uint64_t epoch() const = 0;
    virtual ExperimentProgress progress() const = 0;
    /// Why one that has finished has no answer; empty where there is one.
    virtual std::string error() const = 0;
    /// Why there are no figures, though there is an answer; empty for nothing.
    virtual std::string warning() const = 0;
};

}  // namespace warpglass::ui
