// Appends to a trace, from one thread, and publishes snapshots of it.
//
// Nothing here fails for what it is given: a row that breaks an invariant (a span that overlaps its
// predecessor on the lane, an end without a begin) is dropped and counted by name in the snapshot's losses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/check.h"
#include "engine/trace/snapshot.h"
#include "engine/trace/trace_feed.h"

namespace warpglass {

class TraceWriter {
public:
    TraceWriter();
    ~TraceWriter();
    TraceWriter(const TraceWriter&) = delete;
    TraceWriter& operator=(const TraceWriter&) = delete;

    /// Where snapshots appear; readers keep it as long as they like.
    std::shared_ptr<TraceFeed> feed() const { return m_feed; }

    /// The next thread that calls is then the writer; the caller orders the two (a join, a new thread).
    void handOver() { m_thread.detach(); }

    NameId internName(std::string_view text);
    PlaceId internPlace(const Place& place);
    DetailId internDetail(const SpanDetail& detail);
    TrackId addTrack(TrackKind kind, std::string_view name);

    /// A complete span. False (and a loss "overlapping span") when it starts before the lane's last one
    /// ended, or has a negative duration.
    bool appendSpan(TrackId track, std::uint32_t depth, const SpanRow& row);
    /// When the track's last span at this depth ended; nothing before its first.
    std::optional<std::int64_t> lastEnd(TrackId track, std::uint32_t depth) const;

    /// Nested spans by begin and end; depth and self time come from the track's stack, and the open ones are
    /// in every snapshot. Ends that never come are closed by endAllSpans.
    void beginSpan(TrackId track, Nanoseconds time, NameId name, PlaceId place, std::int32_t step,
                   std::uint64_t link = 0);
    void endSpan(TrackId track, Nanoseconds time, DetailId detail = {});
    /// How many spans of the track are open.
    std::size_t openDepth(TrackId track) const;
    /// Ends all open spans of every track, innermost first.
    void endAllSpans(Nanoseconds time);

    /// Times are raised to the last event's where needed, so that they never decrease. The category may
    /// change until settle().
    AllocationId appendAllocation(Nanoseconds time, const AllocationRow& row);
    void appendFree(Nanoseconds time, AllocationId allocation);
    /// Precondition: the allocation is not settled.
    void setCategory(AllocationId allocation, Category category);
    Category category(AllocationId allocation) const;
    bool isSettled(AllocationId allocation) const { return allocation.value < m_settledAllocations; }
    /// All categories so far are final.
    void settle();

    /// Times are raised as those of allocations are, apart from them.
    void appendSegmentEvent(const SegmentEvent& event);

    void appendCounter(Nanoseconds time, NameId counter, double value);

    void setInfo(std::string_view key, std::string_view value);
    void countLoss(std::string_view name, std::uint64_t count = 1);
    void setKernelClocks(KernelClocksList clocks);

    /// Publishes everything appended so far; `now` is the snapshot's end if nothing recorded is later. Costs
    /// a few microseconds and a copy of the unsettled categories: call it at most some 60 times a second.
    void commit(Nanoseconds now);

private:
    struct OpenRow {
        SpanRow row;
        std::int64_t childTime = 0;
    };
    struct TrackState {
        std::vector<LaneId> lanes;  // by depth
        std::vector<OpenRow> open;
    };
    struct LaneState {
        std::uint64_t rows = 0;
        std::int64_t lastEnd = 0;
    };
    struct PlaceHash {
        std::size_t operator()(const Place& p) const noexcept;
    };

    struct DetailHash {
        std::size_t operator()(const SpanDetail& d) const noexcept;
    };

    LaneId laneAt(TrackId track, std::uint32_t depth);
    bool appendRow(LaneId lane, const SpanRow& row);

    ThreadChecker m_thread;
    std::shared_ptr<TraceColumns> m_columns;
    std::shared_ptr<TraceFeed> m_feed;
    std::unordered_map<std::string_view, NameId> m_nameIds;  // keys point into m_columns->names
    std::unordered_map<Place, PlaceId, PlaceHash> m_placeIds;
    std::unordered_map<SpanDetail, DetailId, DetailHash> m_detailIds;
    std::vector<TrackState> m_tracks;
    std::vector<LaneState> m_lanes;
    std::uint64_t m_memoryEvents = 0;
    std::uint64_t m_allocations = 0;
    std::uint64_t m_settledAllocations = 0;
    std::uint64_t m_segmentEvents = 0;
    std::uint64_t m_counterSamples = 0;
    std::vector<Category> m_tailCategories;
    std::int64_t m_lastMemoryTime = 0;
    std::int64_t m_lastSegmentTime = 0;
    std::int64_t m_end = 0;
    RunInfo m_info;
    std::shared_ptr<const RunInfo> m_publishedInfo;
    std::vector<LossCount> m_losses;
    std::shared_ptr<const KernelClocksList> m_clocks;
    std::uint64_t m_epoch = 0;
};

}  // namespace warpglass
