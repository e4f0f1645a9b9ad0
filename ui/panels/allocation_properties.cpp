#include "ui/panels/allocation_properties.h"

#include "engine/query/memory/allocation_sentences.h"
#include "engine/query/spans/spans_at.h"
#include "ui/panels/inspector.h"
#include "ui/panels/property_text.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

std::optional<SpanRef> opOfAllocation(const Snapshot& snapshot, const AllocationDetail& allocation) {
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kCpuThread)) {
        const std::vector<SpanRef> open = spansAt(snapshot, track, allocation.allocated.value);
        for (auto op = open.rbegin(); op != open.rend(); ++op) {
            const auto row = rowOf(snapshot, *op);
            if (row && snapshot.name(row->name) == allocation.op && row->place == allocation.row.place)
                return *op;
        }
    }
    return std::nullopt;
}

std::vector<Property> allocationProperties(const AllocationDetail& allocation, const MemoryTimeline& memory,
                                           const std::optional<SpanRef>& op, const StepClock& clock) {
    std::vector<Property> rows{answerOf(toQString(allocatedSentence(allocation))),
                               answerOf(toQString(lifetimeSentence(allocation, memory.snapshot()->range())))};
    if (const auto peak = memory.peak())
        rows.push_back(answerOf(toQString(atPeakSentence(allocation, *peak))));
    if (!allocation.op.empty())
        rows.push_back({Inspector::tr("Op"), toQString(allocation.op), {}, op ? 0 : -1});
    if (!allocation.module.empty())
        rows.push_back({Inspector::tr("Module"), toQString(allocation.module), {}});
    if (!allocation.part.empty())
        rows.push_back({Inspector::tr("Part"), toQString(allocation.part), {}});
    rows.push_back(
        {Inspector::tr("Size"), shortBytes(allocation.row.bytes), exactBytes(allocation.row.bytes)});
    rows.push_back({Inspector::tr("Requested"), shortBytes(allocation.row.requested),
                    exactBytes(allocation.row.requested)});
    rows.push_back(
        {Inspector::tr("Allocated"), clock.text(allocation.allocated), exactMoment(allocation.allocated)});
    if (allocation.freed)
        rows.push_back(
            {Inspector::tr("Freed"),
             allocation.toEnd ? Inspector::tr("at the end of the recording") : clock.text(*allocation.freed),
             exactMoment(*allocation.freed)});
    return rows;
}

}  // namespace warpglass::ui
