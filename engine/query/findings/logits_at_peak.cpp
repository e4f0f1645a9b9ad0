// The logits, the log-probabilities and their gradients in fp32 are a twentieth of the peak or more: the
// activations and temporaries live at the peak that have the size of batch × context × vocabulary numbers of
// 4 bytes.
//
// Try, on a GPU: the fused loss (fusion_gain.h), with the memory that is predicted for it.
//
// Limits: another activation of exactly that size would count
// (attention's matrices if heads × context equals the vocabulary).
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/plan/saturating.h"
#include "engine/query/findings/fusion_gain.h"
#include "engine/query/findings/rules.h"

namespace warpglass {

std::optional<Finding> findLogitsAtPeak(const RunFacts& facts) {
    constexpr double kLeastShare = 0.05;
    if (!facts.config() || facts.config()->isAttention())
        return std::nullopt;
    const RunConfig& config = *facts.config();
    const Saturating tokens = Saturating(config.batch) * config.context;
    const std::int64_t size = (tokens * config.shape.vocabulary * 4).value();
    Bytes bytes;
    std::vector<AllocationId> arrays;
    for (const RunFacts::Alive& alive : facts.alive()) {
        const Category category = alive.row.category;
        if (alive.row.requested == size &&
            (category == Category::kActivations || category == Category::kTemporaries)) {
            bytes += Bytes(alive.row.bytes);
            arrays.push_back(alive.id);
        }
    }
    if (facts.shareOfPeak(bytes) < kLeastShare)
        return std::nullopt;
    Finding finding = facts.findingOf("logits-at-peak", bytes);
    finding.sentence = formatBytes(bytes) + ", " + formatPercent(finding.peakShare) +
                       " of the peak, are the logits and the loss in fp32: " +
                       formatGrouped(static_cast<std::int64_t>(arrays.size())) +
                       (arrays.size() == 1 ? " tensor" : " tensors") + " of " +
                       formatGrouped(tokens.value()) + " tokens × " + formatGrouped(config.shape.vocabulary) +
                       " vocabulary entries.";
    finding.remedy = "A loss computed over some tokens at a time would need a part of it.";
    finding.trial = fusionMemoryTrial(facts, fusedLoss());
    if (finding.trial)
        finding.remedy = "The fused loss keeps the logits alone, and their gradient takes their place.";
    finding.evidence = facts.evidenceAtPeak(std::move(arrays));
    return finding;
}

}  // namespace warpglass
