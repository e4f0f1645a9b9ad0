#include "ui/panels/selection_properties.h"

#include <QStringList>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/memory/allocation_sentences.h"
#include "engine/query/spans/spans_at.h"
#include "engine/query/statistics/gpu_use_sentence.h"
#include "engine/query/statistics/span_sentences.h"
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

std::vector<Property> idleProperties(const IdleDetails& details, const StepClock& clock) {
    std::vector<Property> rows{answerOf(toQString(idleSentence(details.idle.stretch)))};
    for (const IdleFact& fact : idleFacts(details, clock)) {
        const bool links = fact.kind == IdleFact::Kind::kNext && details.nextSpan;
        rows.push_back({fact.label, fact.value, fact.exact, links ? 0 : -1});
    }
    return rows;
}

namespace {

QString signedBytes(std::int64_t b) {
    return b > 0 ? QStringLiteral("+") + shortBytes(b) : shortBytes(b);
}

/// What happened in a range, beyond memory.
void addActivity(std::vector<Property>& rows, TimeRange range, const RangeActivity& activity) {
    const auto share = [&](Nanoseconds busy) {
        return QStringLiteral("%1 · %2").arg(
            toQString(formatPercent(static_cast<double>(busy.value) /
                                    static_cast<double>(std::max<std::int64_t>(1, range.duration().value)))),
            shortDuration(busy));
    };
    if (activity.hasGpu) {
        rows.push_back({Inspector::tr("GPU busy"), share(activity.gpuBusy),
                        Inspector::tr("%1 in which a kernel, copy or fill ran on any stream")
                            .arg(exactDuration(activity.gpuBusy))});
        rows.push_back(
            {Inspector::tr("Kernels"), groupedCount(activity.kernels),
             activity.kernels == 1
                 ? Inspector::tr("1 kernel begins in the range")
                 : Inspector::tr("%1 kernels begin in the range").arg(groupedCount(activity.kernels))});
        std::int64_t copied = 0;
        QStringList kinds;
        for (std::size_t i = 0; i < activity.copiedBytes.size(); ++i) {
            copied = wrappingAdd(copied, activity.copiedBytes[i]);
            if (activity.copiedBytes[i] != 0)
                kinds << QStringLiteral("%1: %2").arg(
                    i == 0 ? Inspector::tr("other") : toQString(kCopyKindNames[i]),
                    exactBytes(activity.copiedBytes[i]));
        }
        rows.push_back(
            {Inspector::tr("Copied"),
             activity.copies == 1
                 ? Inspector::tr("%1 in 1 copy").arg(shortBytes(copied))
                 : Inspector::tr("%1 in %2 copies").arg(shortBytes(copied), groupedCount(activity.copies)),
             kinds.join(QLatin1Char('\n'))});
        if (activity.fills > 0)
            rows.push_back(
                {Inspector::tr("Filled"),
                 activity.fills == 1
                     ? Inspector::tr("%1 in 1 fill").arg(shortBytes(activity.filledBytes))
                     : Inspector::tr("%1 in %2 fills")
                           .arg(shortBytes(activity.filledBytes), groupedCount(activity.fills)),
                 Inspector::tr("Memory set to a value: %1").arg(exactBytes(activity.filledBytes))});
    }
    rows.push_back(
        {Inspector::tr("Ops"), groupedCount(activity.ops),
         activity.ops == 1
             ? Inspector::tr("1 op begins in the range")
             : Inspector::tr("%1 ops of all depths begin in the range").arg(groupedCount(activity.ops))});
    rows.push_back(
        {Inspector::tr("In ops"), share(activity.hostBusy),
         Inspector::tr("%1 in which a thread was within an op").arg(exactDuration(activity.hostBusy))});
}

}  // namespace

std::vector<Property> rangeProperties(TimeRange range, const RangeActivity& activity,
                                      const GpuBusy::Times& gpu, const MemoryTimeline& memory,
                                      const StepClock& clock) {
    const std::int64_t before = sumOf(memory.at(range.begin)), after = sumOf(memory.at(range.end));
    std::vector<Property> rows;
    const std::string ofGpu = gpuUseSentence(gpu, "The GPU", "these " + formatDuration(range.duration()));
    for (const std::string& sentence :
         {ofGpu.empty() ? hostUseSentence(activity.hostBusy, range.duration()) : ofGpu,
          hostWaitedSentence(activity.hostWaited, range.duration())}) {
        if (!sentence.empty())
            rows.push_back(answerOf(toQString(sentence)));
    }
    rows.insert(rows.end(), {{Inspector::tr("Start"), clock.text(range.begin), exactMoment(range.begin)},
                             {Inspector::tr("End"), clock.text(range.end), exactMoment(range.end)},
                             {Inspector::tr("Duration"), shortDuration(range.duration()),
                              exactDuration(range.duration())}});
    if (const auto peak = memory.eventCount() > 0 ? memory.peakIn(range) : std::nullopt) {
        rows.push_back(
            {Inspector::tr("Highest"), shortBytes(sumOf(peak->bytes)), exactBytes(sumOf(peak->bytes))});
        rows.push_back({Inspector::tr("Change"), signedBytes(after - before), exactBytes(after - before)});
    }
    addActivity(rows, range, activity);
    return rows;
}

}  // namespace warpglass::ui
