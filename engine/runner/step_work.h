// What a run's steps compute: the one thing in which workloads differ. Steps, graphs and the device are the
// training run's (training_run.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>

#include "engine/capture/range_scope.h"
#include "engine/plan/run_config.h"
#include "engine/runner/gpu.h"

namespace warpglass {

/// What a step tells of its phases to the recording and to the device. The run's thread.
class StepPhases {
public:
    /// `gpu`: null on the CPU; outlives it.
    explicit StepPhases(Gpu* gpu) : m_gpu(gpu) {}

    Gpu* gpu() const { return m_gpu; }
    /// At the end of each phase: what libraries took for themselves meanwhile is known for what it is.
    void markWorkspaces();

private:
    Gpu* m_gpu;
    std::set<const void*> m_workspaces;
};

/// A phase as the host goes through it, and as the device does.
class PhaseOfStep {
public:
    PhaseOfStep(const StepPhases& phases, Phase phase, bool keepsForBackward = false)
        : m_scope(phase, keepsForBackward) {
        if (Gpu* gpu = phases.gpu())
            gpu->markPhase(phase);
    }

private:
    PhaseScope m_scope;
};

/// Made in set-up, from the seed; freed in teardown.
class StepWork {
public:
    virtual ~StepWork() = default;

    /// A step's phases, one after the other. Throws what LibTorch throws, and StopRequested at safe points.
    virtual void runPhases() = 0;
    /// The loss of the last step, before the update; nothing where the workload has none. Waits for the
    /// device. `replayed`: by a graph, which writes the next step's to the same place.
    virtual std::optional<double> loss(bool replayed) = 0;
    virtual std::int64_t parameterCount() const = 0;
};

/// `phases` outlives it. The model, its optimizer and one fixed batch.
std::unique_ptr<StepWork> makeTransformerWork(const RunConfig& config, StepPhases& phases);
/// Attention alone: softmax(q kᵀ / √d) v on leaf tensors (B, H, S, d) of the products' type. The backward
/// pass is that of the output's sum; gradients stay and are added to, as in a script that never clears them.
std::unique_ptr<StepWork> makeAttentionWork(const RunConfig& config, StepPhases& phases);

}  // namespace warpglass
