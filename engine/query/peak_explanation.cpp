#include "engine/query/peak_explanation.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "engine/query/memory_breakdown.h"
#include "engine/query/module_group.h"

namespace warpglass {

namespace {

struct Group {
    std::int64_t bytes = 0;
    std::int64_t allocations = 0;
    std::int64_t each = -1;  // of the first
    bool allEqual = true;
};

using GroupKey = std::tuple<std::string, std::string, std::string>;  // module group, part, op

std::string nameOf(const GroupKey& key) {
    const auto& [module, part, op] = key;
    if (!part.empty())
        return "attention " + part;
    if (module.empty())
        return op.empty() ? "what was allocated outside the model" : op;
    return op.empty() ? module : op + " in " + module;
}

/// The last allocation that had happened after so many events.
std::optional<AllocationId> lastAllocation(const MemoryTimeline& memory, std::uint64_t events) {
    while (events-- > 0) {
        const auto event = memory.snapshot()->memoryEvent(events);
        if (event && event->action == MemoryAction::kAllocate &&
            event->allocation.index() < memory.snapshot()->allocationCount())
            return event->allocation;
    }
    return std::nullopt;
}

void findGroup(const MemoryTimeline& memory, PeakExplanation& why) {
    const Snapshot& snapshot = *memory.snapshot();
    std::map<GroupKey, Group> groups;
    for (const AllocationId id : memory.aliveAt(why.time)) {
        const auto row = snapshot.allocation(id);
        if (!row || std::min(row->category, Category::kUnknown) != why.category)
            continue;
        const Place place = snapshot.place(row->place);
        Group& group = groups[{moduleGroup(snapshot.name(place.module)),
                               std::string(snapshot.name(place.part)), std::string(snapshot.name(row->op))}];
        group.bytes = wrappingAdd(group.bytes, row->bytes);
        if (group.allocations++ == 0)
            group.each = row->bytes;
        group.allEqual = group.allEqual && group.each == row->bytes;
    }
    const auto largest = std::max_element(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
        return a.second.bytes < b.second.bytes;
    });
    if (largest == groups.end())
        return;
    why.group = nameOf(largest->first);
    why.groupBytes = Bytes(largest->second.bytes);
    why.groupAllocations = largest->second.allocations;
    if (largest->second.allEqual)
        why.groupEach = Bytes(largest->second.each);
}

std::string placeInRun(const PeakExplanation& why) {
    const std::string step = why.step == kNoStep ? "" : "step " + std::to_string(why.step) + "'s ";
    switch (why.phase) {
        case Phase::kSetup:
            return "set-up";
        case Phase::kForward:
            return step + "forward pass";
        case Phase::kLoss:
            return step + "loss";
        case Phase::kBackward:
            return step + "backward pass";
        case Phase::kOptimizer:
            return step + "optimizer";
        case Phase::kZeroGrad:
            return step + "zeroing of gradients";
        case Phase::kTeardown:
            return "tear-down";
        case Phase::kReplay:
            return step + "replay of the graph";
        case Phase::kNone:
            break;
    }
    return why.step == kNoStep ? "no phase" : "step " + std::to_string(why.step);
}

}  // namespace

std::optional<PeakExplanation> explainPeak(const MemoryTimeline& memory) {
    const auto peak = memory.peak();
    if (!peak || sumOf(peak->bytes) <= 0)
        return std::nullopt;
    const Snapshot& snapshot = *memory.snapshot();
    PeakExplanation why;
    why.time = peak->time;
    why.bytes = Bytes(sumOf(peak->bytes));
    const auto largest = std::max_element(peak->bytes.begin(), peak->bytes.end());
    why.category = static_cast<Category>(largest - peak->bytes.begin());
    why.categoryBytes = Bytes(*largest);
    const auto last = lastAllocation(memory, memory.firstEventAfter(peak->time));
    if (const auto row = last ? snapshot.allocation(*last) : std::nullopt) {
        const Place place = snapshot.place(row->place);
        why.step = row->step;
        why.phase = static_cast<std::size_t>(place.phase) < kPhaseCount ? place.phase : Phase::kNone;
        why.module = snapshot.name(place.module);
        why.op = snapshot.name(row->op);
        why.lastBytes = Bytes(row->bytes);
    }
    findGroup(memory, why);
    return why;
}

std::string PeakExplanation::sentence() const {
    const auto share = [](Bytes part, Bytes whole) {
        return static_cast<double>(part.value) / static_cast<double>(std::max<std::int64_t>(1, whole.value));
    };
    std::string text =
        "The peak, " + formatBytes(bytes) + " at " + formatMoment(time) + ", is in " + placeInRun(*this);
    if (!module.empty())
        text += ", at " + module;
    // Weights and activations are many; an optimizer's state is one.
    const bool plural = category == Category::kWeights || category == Category::kGradients ||
                        category == Category::kActivations || category == Category::kTemporaries;
    text += ": " + (category == Category::kUnknown          ? "what has no category"
                    : category == Category::kOptimizerState ? "the optimizer's state"
                                                            : std::string(categoryName(category)));
    text += (plural ? " hold " : " holds ") + formatPercent(share(categoryBytes, bytes)) + " of it";
    if (groupAllocations > 0 && !group.empty()) {
        // More than half is most.
        text += share(groupBytes, categoryBytes) > 0.5 ? ", mostly " : ", the largest part ";
        text += group + " (";
        if (groupAllocations == 1)
            text += formatBytes(groupBytes);
        else if (groupEach)
            text += formatGrouped(groupAllocations) + " × " + formatBytes(*groupEach);
        else
            text += formatGrouped(groupAllocations) + " allocations, " + formatBytes(groupBytes);
        text += ")";
    }
    if (lastBytes.value > 0)
        text += "; the last " + formatBytes(lastBytes) + " came from " +
                (op.empty() ? std::string("outside any op") : op);
    return text + ".";
}

}  // namespace warpglass
