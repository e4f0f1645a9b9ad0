#include "engine/query/memory/memory_before_backward.h"

#include <algorithm>
#include <map>

#include "engine/query/memory/reserved_curve.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/step_selection.h"

namespace warpglass {
namespace {

/// When the backward phase of each of these steps began, of those that a track of this kind tells of.
std::map<std::int32_t, Nanoseconds> beginnings(const Snapshot& snapshot, TrackKind kind,
                                               const StepSelection& steps) {
    std::map<std::int32_t, Nanoseconds> begins;
    const NameId backward = snapshot.findName(phaseName(Phase::kBackward));
    if (!backward.valid())
        return begins;
    forEachRow(snapshot, kind, [&](const SpanChunk& chunk, std::uint32_t i) {
        if (NameId(chunk.name[i]) == backward && steps.contains(chunk.step[i]))
            begins.try_emplace(chunk.step[i], Nanoseconds(chunk.start[i]));
    });
    return begins;
}

}  // namespace

std::vector<BeforeBackward> memoryBeforeBackward(const MemoryTimeline& memory) {
    std::vector<BeforeBackward> all;
    if (!memory.snapshot() || memory.eventCount() == 0)
        return all;
    const Snapshot& snapshot = *memory.snapshot();
    const StepSelection steps = stepsToAverage(snapshot);
    if (!steps.measured)
        return all;
    std::map<std::int32_t, Nanoseconds> begins = beginnings(snapshot, TrackKind::kPhase, steps);
    begins.merge(beginnings(snapshot, TrackKind::kGpuPhase, steps));
    ReservedCurve reserved;
    reserved.update(memory.snapshot());
    for (const auto& [step, begin] : begins) {
        BeforeBackward& row = all.emplace_back();
        row.step = step;
        row.time = begin;
        row.allocated = Bytes(sumOf(memory.at(begin)));
        if (!reserved.empty())
            row.reserved = reserved.at(begin);
    }
    return all;
}

std::optional<BeforeBackward> mostBeforeBackward(const std::vector<BeforeBackward>& steps) {
    const auto most = std::ranges::max_element(steps, {}, &BeforeBackward::allocated);
    return most == steps.end() ? std::nullopt : std::optional(*most);
}

}  // namespace warpglass
