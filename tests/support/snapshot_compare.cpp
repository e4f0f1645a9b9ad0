#include "tests/support/snapshot_compare.h"

#include <bit>

namespace warpglass::test {
namespace {

std::string at(const std::string& what, std::uint64_t index) {
    return what + " " + std::to_string(index) + " differs";
}

std::string tablesDifference(const Snapshot& a, const Snapshot& b) {
    if (a.losses() != b.losses())
        return "the losses differ";
    if (a.kernelClocks() != b.kernelClocks())
        return "the clocks of kernels differ";
    if (!(a.range() == b.range()))
        return "the time range differs: ends " + std::to_string(a.range().end.value) + " and " +
               std::to_string(b.range().end.value);
    if (a.nameCount() != b.nameCount() || a.detailCount() != b.detailCount() ||
        a.placeCount() != b.placeCount() || a.trackCount() != b.trackCount() ||
        a.laneCount() != b.laneCount())
        return "the number of names, places, tracks or lanes differs";
    for (std::size_t i = 0; i < a.nameCount(); ++i)
        if (a.name(NameId(i)) != b.name(NameId(i)))
            return at("name", i);
    for (std::size_t i = 0; i < a.detailCount(); ++i)
        if (!(a.detail(DetailId(i)) == b.detail(DetailId(i))))
            return at("detail", i);
    for (std::size_t i = 0; i < a.placeCount(); ++i)
        if (!(a.place(PlaceId(i)) == b.place(PlaceId(i))))
            return at("place", i);
    for (std::size_t i = 0; i < a.trackCount(); ++i)
        if (a.track(TrackId(i)).kind != b.track(TrackId(i)).kind ||
            a.track(TrackId(i)).name != b.track(TrackId(i)).name)
            return at("track", i);
    return {};
}

bool equal(const OpenSpan& a, const OpenSpan& b) {
    return a.lane == b.lane && a.start == b.start && a.name == b.name && a.place == b.place &&
           a.step == b.step;
}

bool equal(const AllocationRow& a, const AllocationRow& b) {
    return a.address == b.address && a.requested == b.requested && a.bytes == b.bytes && a.place == b.place &&
           a.step == b.step && a.op == b.op;
}

bool equal(const SpanSummary& a, const SpanSummary& b) {
    return a.start == b.start && a.end == b.end && a.busy == b.busy &&
           a.longestDuration == b.longestDuration && a.longestRow == b.longestRow &&
           a.longestName == b.longestName && a.longestPlace == b.longestPlace && a.count == b.count;
}

std::string mipDifference(const SpanLane& a, const SpanLane& b) {
    for (std::size_t c = 0; c < a.chunkCount(); ++c) {
        const std::uint32_t rows = a.rowsInChunk(c);
        for (std::uint32_t i = 0; i < rows / kBlockRows; ++i)
            if (!equal(a.mip(c).blocks[i], b.mip(c).blocks[i]))
                return at("mip block", i);
        for (std::uint32_t i = 0; i < rows / kSuperBlockRows; ++i)
            if (!equal(a.mip(c).superBlocks[i], b.mip(c).superBlocks[i]))
                return at("mip super-block", i);
        if (!(a.chunkRange(c) == b.chunkRange(c)))
            return at("range of chunk", c);
    }
    return {};
}

std::string laneDifference(const SpanLane& a, const SpanLane& b) {
    if (a.track() != b.track() || a.depth() != b.depth() || a.rows() != b.rows())
        return "its track, depth or row count (" + std::to_string(a.rows()) + ", " +
               std::to_string(b.rows()) + ") differs";
    for (std::uint64_t i = 0; i < a.rows(); ++i) {
        const auto left = a.row(i);
        const auto right = b.row(i);
        if (left.has_value() != right.has_value() || (left && !(*left == *right)))
            return at("row", i);
    }
    return mipDifference(a, b);
}

std::string eventDifference(const Snapshot& a, const Snapshot& b) {
    if (a.memoryEventCount() != b.memoryEventCount() || a.allocationCount() != b.allocationCount() ||
        a.counterSampleCount() != b.counterSampleCount() || a.segmentEventCount() != b.segmentEventCount())
        return "the number of memory events, allocations, segment events or counter samples differs";
    for (std::uint64_t i = 0; i < a.segmentEventCount(); ++i)
        if (!(a.segmentEvent(i) == b.segmentEvent(i)))
            return at("segment event", i);
    for (std::uint64_t i = 0; i < a.memoryEventCount(); ++i) {
        const auto left = a.memoryEvent(i);
        const auto right = b.memoryEvent(i);
        if (left.has_value() != right.has_value() ||
            (left && (left->time != right->time || left->allocation != right->allocation ||
                      left->action != right->action)))
            return at("memory event", i);
    }
    for (std::uint64_t i = 0; i < a.allocationCount(); ++i) {
        const AllocationId id(i);
        const auto left = a.allocation(id);
        const auto right = b.allocation(id);
        if (left.has_value() != right.has_value() || (left && !equal(*left, *right)))
            return at("allocation", i);
        if (a.categoryOf(id) != b.categoryOf(id))
            return at("category of allocation", i);
    }
    for (std::uint64_t i = 0; i < a.counterSampleCount(); ++i) {
        const auto left = a.counterSample(i);
        const auto right = b.counterSample(i);
        if (left.has_value() != right.has_value() ||
            (left &&
             (left->time != right->time || left->counter != right->counter ||
              std::bit_cast<std::uint64_t>(left->value) != std::bit_cast<std::uint64_t>(right->value))))
            return at("counter sample", i);
    }
    return {};
}

std::string differenceBesideInfo(const Snapshot& a, const Snapshot& b) {
    if (std::string difference = tablesDifference(a, b); !difference.empty())
        return difference;
    for (std::size_t i = 0; i < a.laneCount(); ++i) {
        if (std::string difference = laneDifference(a.lane(LaneId(i)), b.lane(LaneId(i)));
            !difference.empty())
            return "lane " + std::to_string(i) + ": " + difference;
    }
    if (a.openSpans().size() != b.openSpans().size())
        return "the number of open spans differs";
    for (std::size_t i = 0; i < a.openSpans().size(); ++i)
        if (!equal(a.openSpans()[i], b.openSpans()[i]))
            return at("open span", i);
    return eventDifference(a, b);
}

}  // namespace

std::string firstDifference(const Snapshot& a, const Snapshot& b) {
    return a.info() == b.info() ? differenceBesideInfo(a, b) : "the run information differs";
}

std::string firstDifferenceOfCutOff(const Snapshot& recorded, const Snapshot& read) {
    if (read.info().get("state") != run_state::kCutOff ||
        !read.info().get("state.message").starts_with("The recording was cut off"))
        return "it does not say that it was cut off";
    RunInfo info = recorded.info();
    info.set("state", read.info().get("state"));
    info.set("state.message", read.info().get("state.message"));
    return info == read.info() ? differenceBesideInfo(recorded, read) : "the run information differs";
}

}  // namespace warpglass::test
