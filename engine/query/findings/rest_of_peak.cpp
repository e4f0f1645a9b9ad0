// What no other finding tells of what was allocated at the peak, by category.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/findings/rules.h"
#include "engine/query/memory/memory_sentences.h"
#include "engine/trace/stack_order.h"

namespace warpglass {
namespace {

using BytesOfCategory = std::array<std::int64_t, kCategoryCount>;

/// "activations 12.5 GiB, weights 7.62 GiB", the largest first.
std::string bytesInWords(const BytesOfCategory& bytes) {
    std::vector<Category> order;
    for (const Category category : kStackOrder) {
        if (bytes[static_cast<std::size_t>(category)] > 0)
            order.push_back(category);
    }
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](Category category) { return bytes[static_cast<std::size_t>(category)]; });
    std::string words;
    for (const Category category : order)
        words += (words.empty() ? "" : ", ") + categoryNoun(category) + " " +
                 formatBytes(Bytes(bytes[static_cast<std::size_t>(category)]));
    return words;
}

}  // namespace

std::optional<Finding> findRestOfPeak(const RunFacts& facts, const std::vector<Finding>& others) {
    constexpr double kLeastShare = 0.01;
    std::unordered_set<std::uint32_t> told;
    for (const Finding& other : others) {
        for (const AllocationId id : other.evidence.allocations)
            told.insert(id.value);
    }
    Finding finding;
    BytesOfCategory bytes{};
    std::vector<AllocationId> rest;
    for (const RunFacts::Alive& alive : facts.alive()) {
        if (told.contains(alive.id.value))
            continue;
        addWrapping(bytes[static_cast<std::size_t>(alive.row.category)], alive.row.bytes);
        finding.bytes += Bytes(alive.row.bytes);
        rest.push_back(alive.id);
    }
    finding.peakShare = facts.shareOfPeak(finding.bytes);
    if (told.empty() || finding.peakShare < kLeastShare)
        return std::nullopt;
    finding.rule = "rest-of-peak";
    finding.sentence = "The rest of the peak, " + formatBytes(finding.bytes) + " of " +
                       formatBytes(facts.peakBytes()) + ": " + bytesInWords(bytes) + ".";
    finding.remedy =
        "Activations grow with the batch and the context, weights and their copies with the model alone.";
    finding.evidence = facts.evidenceAtPeak(std::move(rest));
    return finding;
}

}  // namespace warpglass
