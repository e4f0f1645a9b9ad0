#include "engine/query/findings/fragmentation.h"

#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/memory/memory_segments.h"

namespace warpglass {

std::optional<Finding> findFragmentation(const RunFacts& facts) {
    constexpr double kLeastShare = 0.05;
    if (!facts.peak() || facts.snapshot().segmentEventCount() == 0 ||
        facts.missing().lacks(RecordKind::kSegments))
        return std::nullopt;
    MemorySegments segments;
    segments.update(facts.memory().snapshot());
    const SegmentTotals totals = segments.at(facts.memory(), facts.peak()->time).totals;
    const Bytes scattered = totals.free - totals.largestFree;
    if (totals.reserved.value <= 0 ||
        static_cast<double>(scattered.value) < kLeastShare * static_cast<double>(totals.reserved.value))
        return std::nullopt;
    Finding finding;
    finding.rule = "fragmentation";
    finding.bytes = scattered;
    // The share is of what is reserved: what is scattered is part of that, not of what is allocated.
    finding.peakShare = std::clamp(
        static_cast<double>(scattered.value) / static_cast<double>(totals.reserved.value), 0.0, 1.0);
    const std::int64_t pieces = totals.gaps - 1;
    finding.sentence = "Of the " + formatBytes(totals.reserved) +
                       " that LibTorch had reserved at the peak, " + formatBytes(scattered) +
                       " lay free in " + (pieces == 1 ? "one piece" : formatGrouped(pieces) + " pieces") +
                       " besides the largest one, of " + formatBytes(totals.largestFree) +
                       ": a tensor larger than that found no room.";
    finding.remedy = "LibTorch's expandable segments keep what is free together.";
    finding.evidence = facts.evidenceAtPeak();
    finding.evidence.view = EvidenceView::kSegments;
    return finding;
}

}  // namespace warpglass
