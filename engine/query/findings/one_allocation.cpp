// One allocation sets the peak: without it the run's peak would be lower by a tenth or more. Without an
// allocation of b bytes that lives in [from, to) the peak is the largest of the peaks before and after and of
// the peak within less b.
//
// The rule considers the largest allocation live at the peak that is neither a weight, a gradient nor the
// optimizer's.
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/findings/rules.h"
#include "engine/query/memory/memory_op.h"

namespace warpglass {

std::optional<Finding> findOneAllocation(const RunFacts& facts) {
    constexpr double kLeastShare = 0.10;
    const RunFacts::Alive* largest = nullptr;
    for (const RunFacts::Alive& alive : facts.alive()) {
        const Category category = alive.row.category;
        const bool passing = category != Category::kWeights && category != Category::kGradients &&
                             category != Category::kOptimizerState;
        if (passing && (!largest || alive.row.bytes > largest->row.bytes))
            largest = &alive;
    }
    if (!largest || facts.shareOfPeak(Bytes(largest->row.bytes)) < kLeastShare)
        return std::nullopt;
    const MemoryTimeline& memory = facts.memory();
    const Nanoseconds end = facts.snapshot().range().end + Nanoseconds(1);
    const TimeRange life{memory.allocatedAt(largest->id), memory.freedAt(largest->id).value_or(end)};
    const auto peakOf = [&](TimeRange range) {
        const auto peak = memory.peakIn(range);
        return peak ? Bytes(sumOf(peak->bytes)) : Bytes();
    };
    // What holds as a range begins counts in it, so the stretch before ends with the last moment without it.
    const Bytes without = std::max({peakOf({Nanoseconds(0), life.begin}), peakOf({life.end, end}),
                                    peakOf(life) - Bytes(largest->row.bytes)});
    const Bytes gain = facts.peakBytes() - without;
    if (facts.shareOfPeak(gain) < kLeastShare)
        return std::nullopt;
    const Snapshot& run = facts.snapshot();
    Finding finding = facts.findingOf("one-allocation", gain);
    const std::string_view op = run.name(memoryOp(memory, largest->id));
    finding.sentence = "One allocation of " + formatBytes(Bytes(largest->row.bytes)) + " sets the peak" +
                       (op.empty() ? std::string() : " (" + std::string(op) + ")") +
                       (largest->module.empty() ? std::string() : " in " + std::string(largest->module)) +
                       ": without it the run would reach " + formatBytes(without) + ", " +
                       formatPercent(finding.peakShare) + " less.";
    finding.remedy = "Work done in two halves would need it half as large.";
    finding.evidence = facts.evidenceAtPeak({largest->id});
    finding.evidence.visible = TimeRange{life.begin, std::min(life.end, facts.snapshot().range().end)};
    return finding;
}

}  // namespace warpglass
