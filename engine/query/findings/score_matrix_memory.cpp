// Attention's score matrices are a tenth of the peak or more: what was allocated in attention modules and is
// live at the peak, with the size of batch × heads × context² numbers of 4 bytes or, in mixed precision, also
// of 2.
//
// Try: the fused attention that runs with the rest of the configuration; the peak is expected to fall by the
// difference of the two predictions (engine/plan/memory_prediction.h). Limits: if context and head dimension
// are equal, or one is twice the other, q, k and v may have the same size and nothing is reported; without
// recorded ops, what was allocated in a backward pass is not known to be attention's.
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/plan/saturating.h"
#include "engine/query/findings/rules.h"

namespace warpglass {

std::optional<Finding> findScoreMatrixMemory(const RunFacts& facts) {
    constexpr double kLeastShare = 0.10;
    if (!facts.config() || !fusedAttentionFor(*facts.config()))
        return std::nullopt;
    const RunConfig& config = *facts.config();
    const std::int64_t head = config.headDimension(), context = config.context;
    // The sizes of q, k and v in 2 and 4 bytes must not be taken for matrices of 2 and 4.
    if (context == head || context * 2 == head || context == head * 2)
        return std::nullopt;
    const Saturating numbers = Saturating(config.batch) * config.shape.heads * context * context;
    const std::int64_t four = (numbers * 4).value(), two = (numbers * 2).value();
    Bytes bytes;
    std::vector<AllocationId> matrices;
    for (const RunFacts::Alive& alive : facts.alive()) {
        const bool sized =
            alive.row.requested == four || (isMixed(config.precision) && alive.row.requested == two);
        if (sized && isAttention(alive.module) && alive.row.category != Category::kWeights) {
            bytes += Bytes(alive.row.bytes);
            matrices.push_back(alive.id);
        }
    }
    if (matrices.empty() || facts.shareOfPeak(bytes) < kLeastShare)
        return std::nullopt;
    Finding finding = facts.findingOf("score-matrix-memory", bytes);
    finding.sentence = formatBytes(bytes) + ", " + formatPercent(finding.peakShare) +
                       " of the peak, are attention's score matrices: " +
                       formatGrouped(static_cast<std::int64_t>(matrices.size())) +
                       (matrices.size() == 1 ? " tensor" : " tensors") + " of shape " +
                       std::to_string(config.batch) + " × " + std::to_string(config.shape.heads) + " × " +
                       std::to_string(context) + " × " + std::to_string(context) + ".";
    finding.remedy = "Fused attention keeps none; with it memory grows with the context, not its square.";
    finding.evidence = facts.evidenceAtPeak(std::move(matrices));
    RunConfig changed = config;
    changed.attention = *fusedAttentionFor(config);
    finding.trial = facts.memoryTrial(changed);
    return finding;
}

}  // namespace warpglass
