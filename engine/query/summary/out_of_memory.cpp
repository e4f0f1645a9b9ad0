#include "engine/query/summary/out_of_memory.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/query/memory/model_part.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/place_words.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass {
namespace {

constexpr std::size_t kLargest = 10;  // as many as fit beside the rest on a screen

std::optional<Bytes> sizeOf(const RunInfo& info, std::string_view key) {
    const std::optional<std::int64_t> value = info.getInteger(key);
    return value && *value >= 0 ? std::optional(Bytes(*value)) : std::nullopt;
}

/// The innermost span of a kind of track that holds the moment; an instant at its very end counts, since the
/// failure ends it.
std::optional<SpanRow> spanAt(const Snapshot& snapshot, TrackKind kind, Nanoseconds time) {
    std::optional<SpanRow> innermost;
    for (const SpanLane& lane : lanesOfKind(snapshot, kind)) {
        const std::uint64_t index = lane.firstEndingAfter(Nanoseconds(time.value - 1));
        if (index >= lane.rows())
            continue;
        const std::optional<SpanRow> row = lane.row(index);
        if (row && row->start <= time.value && (!innermost || row->start >= innermost->start))
            innermost = row;
    }
    return innermost;
}

Nanoseconds lastAllocationBefore(const Snapshot& snapshot, Nanoseconds end) {
    for (std::uint64_t i = snapshot.memoryEventCount(); i-- > 0;) {
        const std::optional<MemoryEvent> event = snapshot.memoryEvent(i);
        if (event && event->action == MemoryAction::kAllocate && event->time < end.value)
            return Nanoseconds(event->time);
    }
    return Nanoseconds(0);
}

Nanoseconds momentOf(const Snapshot& snapshot) {
    const std::optional<std::int64_t> stated = snapshot.info().getInteger("allocator.out_of_memory_ns");
    if (stated && *stated >= 0 && *stated <= snapshot.range().end.value)
        return Nanoseconds(*stated);
    return lastAllocationBefore(snapshot, teardownBegin(snapshot));
}

void statePlace(const Snapshot& snapshot, OutOfMemory& failure) {
    if (const auto step = spanAt(snapshot, TrackKind::kStep, failure.time))
        failure.step = step->step;
    if (const auto phase = spanAt(snapshot, TrackKind::kPhase, failure.time))
        failure.phase = snapshot.name(phase->name);
    if (const auto module = spanAt(snapshot, TrackKind::kModule, failure.time))
        failure.module = snapshot.name(snapshot.place(module->place).module);
}

void stateNumbers(const Snapshot& snapshot, OutOfMemory& failure) {
    const RunInfo& info = snapshot.info();
    failure.request = sizeOf(info, "allocator.request_bytes");
    failure.allocated = sizeOf(info, "allocator.allocated_bytes");
    failure.reserved = sizeOf(info, "allocator.reserved_bytes");
    if (const auto limit = memoryLimit(info))
        failure.limit = limit->bytes;
    const std::optional<RunConfig> config = configOfRun(snapshot);
    if (!config)
        return;
    const MemoryPrediction prediction = predictMemory(*config);
    failure.predictedPeak = prediction.given;
    failure.predictedPhase = prediction.peakPhase();
    failure.predictedSteps = predictStepPeaks(*config);
}

using Groups = std::map<std::pair<std::string, Category>, OutOfMemory::Group>;

void addTo(Groups& groups, const std::string& module, const AllocationRow& row, Category category) {
    OutOfMemory::Group& group = groups[{module, category}];
    group.module = module;
    group.category = category;
    group.bytes += Bytes(row.bytes);
    ++group.count;
}

std::vector<OutOfMemory::Group> largestFirst(Groups groups) {
    auto sorted = mapped<OutOfMemory::Group>(groups, [&](auto& each) { return std::move(each.second); });
    std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    return sorted;
}

void stateAlive(const MemoryTimeline& timeline, OutOfMemory& failure) {
    const Snapshot& snapshot = *timeline.snapshot();
    Groups groups, parts;
    std::map<std::pair<std::string, Category>, ModelPartHolds> holds;
    const std::vector<AllocationId> alive = timeline.aliveAt(failure.time);
    forEachAllocation(snapshot, alive, [&](AllocationId id, const AllocationRow& row) {
        const Category category = timeline.categoryOf(id);
        const Place place = snapshot.place(row.place);
        const std::string_view module = snapshot.name(place.module);
        addTo(groups, moduleGroup(module), row, category);
        const std::string part = modelPart(module, place.phase);
        addTo(parts, part, row, category);
        holds[{part, category}].add(module, place.phase);
        failure.alive += Bytes(row.bytes);
        ++failure.aliveCount;
    });
    failure.groups = largestFirst(std::move(groups));
    for (auto& [key, group] : parts)
        group.module = modelPartName(key.first, holds[key]);
    failure.parts = largestFirst(std::move(parts));
    failure.largest = largestAllocations(timeline, alive, kLargest);
}

}  // namespace

std::string placeInWords(const OutOfMemory& failure) {
    return placeInWords(failure.phase, failure.step);
}

std::optional<MemoryLimit> memoryLimit(const RunInfo& info) {
    if (const auto given = sizeOf(info, "config.memory-limit"); given && given->value > 0)
        return MemoryLimit{*given, true};
    if (const auto device = sizeOf(info, "device.memory_bytes"); device && device->value > 0)
        return MemoryLimit{*device, false};
    return std::nullopt;
}

std::optional<OutOfMemory> outOfMemory(const MemoryTimeline& timeline) {
    WG_CHECK(timeline.snapshot());
    const Snapshot& snapshot = *timeline.snapshot();
    if (!failedForWantOfMemory(snapshot.info()))
        return std::nullopt;
    OutOfMemory failure;
    failure.time = momentOf(snapshot);
    statePlace(snapshot, failure);
    stateNumbers(snapshot, failure);
    stateAlive(timeline, failure);
    return failure;
}

std::optional<Nanoseconds> outOfMemoryTime(const Snapshot& run) {
    return failedForWantOfMemory(run.info()) ? std::optional(momentOf(run)) : std::nullopt;
}

std::string aliveSentence(const OutOfMemory& failure, std::size_t count) {
    if (failure.parts.empty())
        return {};
    std::string text = "Live at the failure, " + formatBytes(failure.alive) + ": ";
    count = std::min(count, failure.parts.size());
    for (std::size_t i = 0; i < count; ++i) {
        const OutOfMemory::Group& part = failure.parts[i];
        text += (i == 0 ? "" : ", ") + part.module + " " + formatBytes(part.bytes) + " of " +
                std::string(categoryName(part.category));
    }
    const std::size_t more = failure.parts.size() - count;
    return text + (more > 0 ? ", and " + std::to_string(more) + " more." : ".");
}

}  // namespace warpglass
