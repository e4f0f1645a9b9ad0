// The attention workload on paper (paper_ops.h): q, k and v made once, a pass over them as often as there are
// steps, and their gradients, which stay from one pass to the next.
#pragma once

#include <array>

#include "engine/plan/paper_ops.h"
#include "engine/plan/parts.h"

namespace warpglass {

class PaperAttentionStep {
public:
    /// Both outlive it.
    PaperAttentionStep(const RunConfig& config, MemoryWalk& walk);

    /// Set-up and the fullest pass: one that finds the gradients of the last, where there are several.
    void runFullestStep();

    /// Set-up, to be followed by passes.
    void begin();
    /// The first of them makes the gradients.
    void runStep();

private:
    const RunConfig& m_config;
    MemoryWalk& m_walk;
    PaperOps m_ops;
    const AttentionPlan& m_attention;
    std::array<PaperTensor, 3> m_heads;  // q, k and v
    PaperTensor m_mask;
    std::array<PaperTensor, 2> m_workspaces;
};

}  // namespace warpglass
