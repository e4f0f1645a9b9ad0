// Mixed precision: the 16-bit copies of the weights that autocast keeps until it ends (weight_casts.h) are a
// twentieth of the peak or more. If the finding on the casts that make them applies too (copies_and_casts.h),
// it reports both: it is one cause.
//
// Limits: no setting of a run changes it.
#include <string>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/findings/copies_and_casts.h"
#include "engine/query/findings/rules.h"
#include "engine/query/findings/weight_casts.h"

namespace warpglass {

std::optional<Finding> findWeightCopies(const RunFacts& facts) {
    if (copiesAndCastsTime(facts) > 0)
        return std::nullopt;
    WeightCasts casts = weightCasts(facts);
    if (casts.copies.empty() || facts.shareOfPeak(casts.bytes) < kLeastShareOfWeightCopies)
        return std::nullopt;
    Finding finding = facts.findingOf("weight-copies", casts.bytes);
    finding.sentence = formatBytes(casts.bytes) + ", " + formatPercent(finding.peakShare) +
                       " of the peak, are " + std::string(precisionName(facts.config()->precision)) +
                       " copies of " + formatGrouped(static_cast<std::int64_t>(casts.copies.size())) +
                       " weights, which autocast makes in every step and keeps beside the fp32 ones.";
    finding.remedy = weightCastRemedy(casts);
    finding.evidence = facts.evidenceAtPeak(std::move(casts.copies));
    return finding;
}

}  // namespace warpglass
