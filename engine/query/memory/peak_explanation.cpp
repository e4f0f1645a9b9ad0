#include "engine/query/memory/peak_explanation.h"

#include <algorithm>
#include <map>

#include "engine/base/format.h"
#include "engine/query/memory/memory_op.h"
#include "engine/query/memory/model_part.h"
#include "engine/query/spans/place_words.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass {

namespace {

/// What came since in one part of the model (model_part.h).
struct PeakGroup {
    std::int64_t bytes = 0;
    std::int64_t allocations = 0;
    std::int64_t each = -1;  // of the first
    bool allEqual = true;
    ModelPartHolds holds;
    std::map<std::string_view, std::int64_t> byAttentionPart;  // "softmax"; "" for what is in none

    void add(const AllocationRow& row, std::string_view attentionPart) {
        addWrapping(bytes, row.bytes);
        if (allocations++ == 0)
            each = row.bytes;
        allEqual = allEqual && each == row.bytes;
        addWrapping(byAttentionPart[attentionPart], row.bytes);
    }
};

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

/// What was there at `since`, what came after, and what most of that is.
void splitAlive(const MemoryTimeline& memory, std::optional<Nanoseconds> since, PeakExplanation& why) {
    const Snapshot& snapshot = *memory.snapshot();
    std::map<std::string, PeakGroup> groups;
    forEachAllocation(snapshot, memory.aliveAt(why.time), [&](AllocationId id, const AllocationRow& row) {
        const bool held = since && memory.allocatedAt(id) < *since;
        PeakExplanation::Part& part = held ? why.held : why.risen;
        Bytes& ofCategory = part.byCategory[static_cast<std::size_t>(memory.categoryOf(id))];
        part.bytes = Bytes(wrappingAdd(part.bytes.value, row.bytes));
        ofCategory = Bytes(wrappingAdd(ofCategory.value, row.bytes));
        if (held)
            return;
        const Place place = snapshot.place(row.place);
        const std::string_view module = snapshot.name(place.module);
        PeakGroup& group = groups[modelPart(module, place.phase)];
        group.holds.add(module, place.phase);
        group.add(row, snapshot.name(place.part));
    });
    const auto& categories = why.risen.byCategory;
    const auto most = std::ranges::max_element(categories);
    why.category = static_cast<Category>(most - categories.begin());
    why.categoryBytes = *most;
    const auto largest = std::ranges::max_element(
        groups, [](const auto& a, const auto& b) { return a.second.bytes < b.second.bytes; });
    if (largest == groups.end())
        return;
    why.group = (largest->first.empty() ? "" : "in ") + modelPartName(largest->first, largest->second.holds);
    why.groupBytes = Bytes(largest->second.bytes);
    why.groupAllocations = largest->second.allocations;
    if (largest->second.allEqual)
        why.groupEach = Bytes(largest->second.each);
    for (const auto& [part, bytes] : largest->second.byAttentionPart) {
        // More than half is more than any other part can be.
        if (!part.empty() && bytes > largest->second.bytes / 2) {
            why.attentionPart = part;
            why.attentionPartBytes = Bytes(bytes);
        }
    }
}

/// " (the optimizer's state 15.2 GiB, weights 7.62 GiB)": the two categories that most of it is.
std::string categoriesOf(const PeakExplanation::Part& part) {
    constexpr double kLeast = 0.1;
    constexpr std::size_t kMost = 2;
    std::array<std::size_t, kCategoryCount> order{};
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return part.byCategory[a] > part.byCategory[b]; });
    std::string text;
    for (std::size_t i = 0; i < kMost; ++i) {
        const Bytes bytes = part.byCategory[order[i]];
        if (bytes.value <= 0 || shareOf(bytes, part.bytes) < kLeast)
            break;
        const auto category = static_cast<Category>(order[i]);
        text += (i == 0 ? " (" : ", ") +
                (category == Category::kUnknown          ? std::string("of no category")
                 : category == Category::kOptimizerState ? std::string("optimizer state")
                                                         : std::string(categoryName(category))) +
                " " + formatBytes(bytes);
    }
    return text.empty() ? text : text + ")";
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
    const auto last = lastAllocation(memory, memory.firstEventAfter(peak->time));
    if (const auto row = last ? snapshot.allocation(*last) : std::nullopt) {
        const Place place = snapshot.place(row->place);
        why.step = row->step;
        why.phase = static_cast<std::size_t>(place.phase) < kPhaseCount ? place.phase : Phase::kNone;
        why.module = snapshot.name(place.module);
        why.op = snapshot.name(memoryOp(memory, *last));
        why.lastBytes = Bytes(row->bytes);
    }
    const auto step = stepHolding(snapshot, why.time);
    why.inStep = step.has_value();
    why.capture = step && step->step == kNoStep;
    splitAlive(memory, step ? std::optional(step->range.begin) : std::nullopt, why);
    return why;
}

std::string PeakExplanation::sentence(std::string_view moment) const {
    constexpr double kWorthNaming = 0.2;
    std::string text = "Peak: " + formatBytes(bytes) + " at " +
                       (moment.empty() ? formatMoment(time) : std::string(moment)) + ", " +
                       placeInWords(phase, step, capture);
    if (!module.empty())
        text += ", at " + module;
    text += ". ";
    if (inStep && held.bytes.value > 0)
        text += formatBytes(held.bytes) + " was already held when the " + (capture ? "capture" : "step") +
                " began" + categoriesOf(held) + "; it added ";
    text += formatBytes(risen.bytes);
    if (!inStep || held.bytes.value <= 0)
        text += inStep ? " was allocated since it began" : " was allocated since the run began";
    text += categoriesOf(risen);
    const double share = shareOf(groupBytes, risen.bytes);
    if (groupAllocations > 0 && share >= kWorthNaming) {
        // More than half is most.
        text += share > 0.5 ? ", mostly " : ", the largest part ";
        text += group + " (";
        if (groupAllocations == 1)
            text += formatBytes(groupBytes);
        else if (groupEach)
            text += formatGrouped(groupAllocations) + " × " + formatBytes(*groupEach);
        else
            text += formatGrouped(groupAllocations) + " allocations, " + formatBytes(groupBytes);
        if (!attentionPart.empty())
            text += ", " + (attentionPartBytes == groupBytes ? "all" : formatBytes(attentionPartBytes)) +
                    " of it " + attentionPart;
        text += ")";
    }
    if (lastBytes.value > 0)
        text += ". The last " + formatBytes(lastBytes) + " came from " +
                (op.empty() ? std::string("outside any op") : op);
    return text + ".";
}

std::string PeakExplanation::shortSentence(Bytes reserved) const {
    constexpr double kWorthNaming = 0.2;
    std::string text = "The peak is " + formatBytes(bytes) + ", " + placeInWords(phase, step, capture);
    if (inStep && held.bytes.value > 0) {
        const std::string what = capture ? "capture" : "step";
        text += ": " + formatBytes(held.bytes) + " was held when the " + what + " began; it added " +
                formatBytes(risen.bytes);
    } else {
        text += ": " + formatBytes(risen.bytes) +
                (inStep ? " was allocated since it began" : " was allocated since the run began") +
                categoriesOf(risen);
    }
    if (groupAllocations > 0 && shareOf(groupBytes, risen.bytes) >= kWorthNaming)
        text += ", " + formatBytes(groupBytes) + " of it " + group;
    text += ".";
    if (reserved > bytes && formatBytes(reserved) != formatBytes(bytes))
        text += " The allocator reserved up to " + formatBytes(reserved) + ".";
    return text;
}

}  // namespace warpglass
