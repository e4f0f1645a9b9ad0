// Rows of a table by module, split over the modules that their kernels work for (shared_work.h), as layers,
// the flame chart and comparisons split them: AdamW over all parameters, the sum and the norm of a block's
// output.
//
// A row has one op and one kernel, so that all of its spans are split in one way: what a module gets of a
// duration, and of FLOPs and bytes, is one fraction of it. Internal to engine/query. Not thread-safe but for
// kindOf().
#pragma once

#include <optional>
#include <vector>

#include "engine/query/model/shared_work.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class SharedRows {
public:
    /// For kernels by module of all modules: of anything else nothing is split.
    SharedRows(const Snapshot& snapshot, const SpanFilter& filter, TrackKind kind, SpanGrouping grouping);

    /// Spans of one name and group are of so many kinds, each with a row of its own: one for each op of an
    /// update, and 0 for the rest.
    std::size_t kinds() const { return m_updates.size() + 1; }
    std::size_t kindOf(const SpanChunk& chunk, std::uint32_t i) const;

    /// The next row of the table, where a span of it ran, and its kernel.
    void add(std::size_t kind, PlaceId place, NameId kernel);
    /// Once all are there, in that order and with their figures.
    void split(GroupedStatistics& statistics);
    /// Gives the work of the rows that were split to the groups that they are in now.
    void moveWork(GroupedStatistics& statistics) const;

private:
    const Snapshot& m_snapshot;
    std::optional<SharedWork> m_shared;  // nothing where nothing is split
    std::vector<NameId> m_updates;
    std::vector<WorkRow> m_rows;
    std::vector<GroupedRow> m_whole;  // what was split
};

}  // namespace warpglass
