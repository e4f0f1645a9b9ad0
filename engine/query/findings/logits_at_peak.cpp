#include "engine/query/findings/logits_at_peak.h"

#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/plan/saturating.h"
#include "engine/query/findings/fusion_gain.h"

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
    Finding finding;
    finding.rule = "logits-at-peak";
    finding.bytes = bytes;
    finding.peakShare = facts.shareOfPeak(bytes);
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
