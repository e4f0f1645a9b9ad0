// At the peak, a twentieth or more of what the GPU's allocator has reserved is lost to holes, not counting
// the largest of them (engine/query/memory/free_memory.h): that is the cost, too. Segments that are free as a
// whole are none of it, since the allocator can give them back.
//
// Limits: only if segments were recorded (on a GPU, in run files from version 3 on) and none of them are
// lost, and only at the peak of allocated memory.
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/findings/rules.h"
#include "engine/query/memory/free_memory.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/query/memory/memory_sentences.h"

namespace warpglass {

std::optional<Finding> findFragmentation(const RunFacts& facts) {
    constexpr double kLeastShare = 0.05;
    if (!facts.peak() || facts.snapshot().segmentEventCount() == 0 ||
        facts.missing().lacks(RecordKind::kSegments))
        return std::nullopt;
    MemorySegments segments;
    segments.update(facts.memory().snapshot());
    const SegmentState state = segments.at(facts.memory(), facts.peak()->time);
    const SegmentTotals& totals = state.totals;
    const FreePlaces places = freeMemory(state, facts.memory()).places;
    // One hole is no fragmentation, however large, and whole segments can be given back.
    const Bytes lost = places.holeBytes - places.largestHole;
    if (totals.reserved.value <= 0 ||
        static_cast<double>(lost.value) < kLeastShare * static_cast<double>(totals.reserved.value))
        return std::nullopt;
    Finding finding;
    finding.rule = "fragmentation";
    finding.bytes = lost;
    // The share is of what is reserved: what is free is part of that, not of what is allocated.
    finding.peakShare =
        std::clamp(static_cast<double>(lost.value) / static_cast<double>(totals.reserved.value), 0.0, 1.0);
    finding.sentence = reservedSentence(totals, places, "at the peak") +
                       " The holes other than the largest hold " + formatBytes(lost) + ".";
    finding.remedy = "LibTorch's expandable segments keep what is free together.";
    finding.evidence = facts.evidenceAtPeak();
    finding.evidence.view = EvidenceView::kSegments;
    return finding;
}

}  // namespace warpglass
