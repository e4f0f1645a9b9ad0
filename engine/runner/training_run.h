// What a run does, step by step, on the calling thread: builds what its workload works on (step_work.h; a
// model is trained on one fixed random batch, so that the loss falls), runs the steps, frees it. Phases and
// modules run under ranges; nothing here knows whether they are recorded.
//
// With graph execution the first step runs eagerly, so that everything a step needs once (the optimizer's
// state, libraries' scratch memory) is there; before the second a step is captured, which changes nothing,
// and from then on every step is a replay. Losses are those of eager execution.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/plan/valid_config.h"
#include "engine/runner/gpu.h"
#include "engine/runner/step_work.h"

namespace warpglass {

/// Throws what LibTorch throws, and StopRequested at safe points (safe_point.h); may then only be destroyed.
class TrainingRun {
public:
    /// Nothing is allocated before setUp(). `gpu`: the selected device's, when the configuration names one.
    /// Precondition: validate(config) finds no problem.
    explicit TrainingRun(const RunConfig& config, Gpu* gpu = nullptr);
    /// Frees everything under the teardown phase, however the run ended.
    ~TrainingRun();
    TrainingRun(const TrainingRun&) = delete;
    TrainingRun& operator=(const TrainingRun&) = delete;

    /// Model and batch, or q, k and v, from the seed.
    void setUp();
    /// One step; gives its loss before the update, where the workload has one, once the device has done all
    /// of it. Precondition: setUp() was called.
    std::optional<double> step(std::int64_t index);
    void tearDown();

    /// Precondition: setUp() was called.
    std::int64_t parameterCount() const;

private:
    void runPhases();
    void captureStep();
    void replayStep();
    void finishOnDevice(std::int64_t index);

    RunConfig m_config;
    StepPhases m_phases;
    std::shared_ptr<void> m_stream;  // while it lives, the run's own
    std::unique_ptr<StepGraph> m_graph;
    bool m_warm = false;  // a step has run eagerly
    std::unique_ptr<StepWork> m_work;
};

}  // namespace warpglass
