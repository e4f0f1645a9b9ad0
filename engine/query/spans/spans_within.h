// What a filter takes of any track's spans, asked of one span at a time: a search goes through all kinds of
// them.
//
// Immutable; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/query/spans/span_scan.h"

namespace warpglass {

/// Ranges (steps, phases, modules) by what they are or where they lie, as rangeStatistics() has it; the rest
/// by place, step and name. A range on the CPU's side costs a table of launches.
class SpansWithin {
public:
    SpansWithin(const Snapshot& snapshot, const SpanFilter& filter);
    bool holds(TrackKind kind, const SpanChunk& chunk, std::uint32_t i) const;

private:
    SpanFilter m_filter;
    RowFilter m_rows;
    bool m_ofPlace = false;  // a phase or a module is asked for
    std::optional<LaunchTimes> m_launches;
    std::vector<std::uint8_t> m_names;  // bit 0: is the phase, bit 1: is within the module
};

}  // namespace warpglass
