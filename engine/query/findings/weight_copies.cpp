#include "engine/query/findings/weight_copies.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/plan/parameters.h"

namespace warpglass {

std::optional<Finding> findWeightCopies(const RunFacts& facts) {
    constexpr double kLeastShare = 0.05;
    if (!facts.config() || !isMixed(facts.config()->precision))
        return std::nullopt;
    std::unordered_map<std::string_view, std::int64_t> sizes;
    const std::vector<ParameterTensor> weights = parameterTensors(facts.config()->shape);
    for (const ParameterTensor& weight : weights) {
        if (weight.columns > 1)
            sizes.emplace(weight.module, weight.count() * 2);
    }
    Bytes bytes;
    std::vector<AllocationId> copies;
    for (const RunFacts::Alive& alive : facts.alive()) {
        const Category category = alive.row.category;
        if (category != Category::kActivations && category != Category::kTemporaries)
            continue;
        const auto size = sizes.find(alive.module);
        if (size == sizes.end() || size->second != alive.row.requested)
            continue;
        bytes += Bytes(alive.row.bytes);
        copies.push_back(alive.id);
        sizes.erase(size);
    }
    if (copies.empty() || facts.shareOfPeak(bytes) < kLeastShare)
        return std::nullopt;
    Finding finding;
    finding.rule = "weight-copies";
    finding.bytes = bytes;
    finding.peakShare = facts.shareOfPeak(bytes);
    finding.sentence = formatBytes(bytes) + ", " + formatPercent(finding.peakShare) + " of the peak, are " +
                       std::string(precisionName(facts.config()->precision)) + " copies of " +
                       formatGrouped(static_cast<std::int64_t>(copies.size())) +
                       " weights, which autocast keeps beside the fp32 ones.";
    finding.remedy = "Weights held in 16 bits would need no copies.";
    finding.evidence = facts.evidenceAtPeak(std::move(copies));
    return finding;
}

}  // namespace warpglass
