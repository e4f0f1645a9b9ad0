#include "engine/plan/paper_attention_step.h"

#include <utility>

namespace warpglass {

using namespace paper_kind;

PaperAttentionStep::PaperAttentionStep(const RunConfig& config, MemoryWalk& walk)
    : m_config(config), m_walk(walk), m_ops(walk, config), m_attention(attentionPlan(config)) {}

void PaperAttentionStep::begin() {
    m_walk.begin("setup", "queries, keys and values");
    for (PaperTensor& each : m_heads)
        each = m_ops.make(kLeaves, m_ops.sizes().streamHalf);
    if (makesMaskTable(m_config))
        m_mask = m_ops.make(kMask, m_ops.sizes().mask);
    const bool usesCublas = m_ops.sizes().gpu && m_attention.record != AttentionRecord::kOneKernel;
    for (std::size_t thread = 0; usesCublas && thread < (m_ops.keeps() ? 2 : 1); ++thread)
        m_workspaces[thread] = m_ops.make(kWorkspace, PaperSizes::kThreadsWorkspace);
}

void PaperAttentionStep::runFullestStep() {
    begin();
    if (m_ops.keeps() && Saturating(m_config.warmup) + m_config.steps > Saturating(1))
        for (std::size_t head = 0; head < m_heads.size(); ++head)
            m_ops.arrive(head, {});
    runStep();
}

void PaperAttentionStep::runStep() {
    m_walk.begin("forward", "attention");
    PaperAttention saved;
    PaperTensor output;
    {
        auto [q, k, v] = m_heads;
        output = m_attention.forward(m_ops, q, k, v, saved);
    }
    if (!m_ops.keeps())
        return;
    m_walk.begin("backward", "attention");
    const PaperTensor ones = m_ops.make(kFlow, m_ops.sizes().streamHalf);
    PaperHeadGradients made = m_attention.backward(m_ops, ones, saved);
    for (std::size_t head = 0; PaperTensor * each : {&made.q, &made.k, &made.v}) {
        if (each->holds())
            m_ops.arrive(head, std::exchange(*each, {}));
        ++head;
    }
}

}  // namespace warpglass
