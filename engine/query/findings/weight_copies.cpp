#include "engine/query/findings/weight_copies.h"

#include <string>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/findings/copies_and_casts.h"
#include "engine/query/findings/weight_casts.h"

namespace warpglass {

std::optional<Finding> findWeightCopies(const RunFacts& facts) {
    if (copiesAndCastsTime(facts) > 0)
        return std::nullopt;
    WeightCasts casts = weightCasts(facts);
    if (casts.copies.empty() || facts.shareOfPeak(casts.bytes) < kLeastShareOfWeightCopies)
        return std::nullopt;
    Finding finding;
    finding.rule = "weight-copies";
    finding.bytes = casts.bytes;
    finding.peakShare = facts.shareOfPeak(casts.bytes);
    finding.sentence = formatBytes(casts.bytes) + ", " + formatPercent(finding.peakShare) +
                       " of the peak, are " + std::string(precisionName(facts.config()->precision)) +
                       " copies of " + formatGrouped(static_cast<std::int64_t>(casts.copies.size())) +
                       " weights, which autocast makes in every step and keeps beside the fp32 ones.";
    finding.remedy = weightCastRemedy(casts);
    finding.evidence = facts.evidenceAtPeak(std::move(casts.copies));
    return finding;
}

}  // namespace warpglass
