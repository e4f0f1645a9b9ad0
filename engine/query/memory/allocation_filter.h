// Which allocations a filter takes: those made under its phase, module, step and op (the one that the memory
// counts under, memory_op.h), in its ranges of time, of a category, with a text in what they are called by.
//
// Pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/span_filter.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/text_match.h"

namespace warpglass {

/// All must hold; a default one takes everything.
struct AllocationConditions {
    /// Where it was made: phase, module, step, the op that requested it (name); and when: inside one of the
    /// ranges. measuredOnly has no effect, because most of what is live in a step was allocated before it.
    SpanFilter made;
    std::optional<Category> category;
    /// Text in the name of the op that requested it, in the path of the module in which that op ran
    /// (text_match.h), or in its category, which takes the place of a name. "" for any.
    std::string text;
    /// Only these; null for any.
    std::shared_ptr<const std::vector<AllocationId>> among;

    AllocationConditions() = default;
    AllocationConditions(SpanFilter madeIn) : made(std::move(madeIn)) {}  // NOLINT: a filter is one
    bool any() const;
};

/// Asks the conditions of many allocations: names are matched and ranges looked up once, and where they ask
/// for an op or a text, the ops that only allocate are resolved.
class AllocationTest {
public:
    /// `asked`: the allocations it will be asked about, null for any. Ops are resolved for these only, which
    /// takes milliseconds for a thousand and tenths of a second for a million.
    /// The timeline outlives it.
    AllocationTest(const MemoryTimeline& memory, const AllocationConditions& conditions,
                   const std::vector<AllocationId>* asked = nullptr);

    bool passesAll() const { return m_all; }
    bool passes(AllocationId id, const AllocationRow& row) const;

private:
    bool passesButForOp(AllocationId id, const AllocationRow& row) const;
    bool textPasses(AllocationId id, NameId op, const AllocationRow& row) const;
    void noteOps(const std::vector<AllocationId>* asked);
    NameId opOf(AllocationId id, const AllocationRow& row) const {
        return id.index() < m_opOf.size() && m_opOf[id.index()].valid() ? m_opOf[id.index()] : row.op;
    }

    const MemoryTimeline& m_memory;
    bool m_all;
    RowFilter m_rows;
    std::optional<Category> m_category;
    bool m_ofOp = false;
    std::vector<std::uint8_t> m_op;  // by NameId
    std::vector<NameId> m_opOf;      // by AllocationId; empty, or invalid, where it is that of the row
    bool m_ranged = false;
    std::vector<bool> m_made;  // by AllocationId: inside a range
    bool m_chosen = false;
    std::vector<bool> m_among;  // by AllocationId
    TextMatch m_text;
    std::array<bool, kCategoryCount> m_named{};  // categories that the text is in
};

std::vector<AllocationId> filterAllocations(const MemoryTimeline& memory,
                                            const std::vector<AllocationId>& ids,
                                            const AllocationConditions& conditions);

/// Every allocation made inside one of the ranges (sorted, closed-open), in order of time. Logarithmic in the
/// memory events, and linear in those of the ranges.
std::vector<AllocationId> allocationsMadeIn(const Snapshot& snapshot, const std::vector<TimeRange>& ranges);

}  // namespace warpglass
