#include "tests/support/allocator_model.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tests/support/synthetic_trace.h"

namespace warpglass::test {

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
/// Between two segments, so that they never touch.
constexpr std::uint64_t kApart = std::uint64_t{1} << 30;

std::uint64_t endOf(std::uint64_t address, std::int64_t bytes) {
    return address + static_cast<std::uint64_t>(bytes);
}

}  // namespace

std::uint64_t AllocatorModel::random(std::uint64_t below) {
    return nextRandom(m_random) % below;
}

void AllocatorModel::tick() {
    if (random(3) != 0)
        m_time += static_cast<std::int64_t>(1 + random(300));
}

void AllocatorModel::segmentEvent(SegmentAction action, const Segment& segment, std::uint64_t address,
                                  std::int64_t bytes, AllocationId allocation) {
    SegmentEvent event{
        .time = m_time,
        .action = action,
        .address = address,
        .bytes = bytes,
        .stream = segment.expandable ? 1u : 0u,
        .place = m_writer.internPlace({Phase::kForward, m_writer.internName("blocks.0"), NameId()}),
        .step = 0,
        .op = m_writer.internName("aten::empty"),
        .allocation = allocation};
    m_writer.appendSegmentEvent(event);
    m_log.push_back({m_time, action, false, address, bytes, segment.large, event.stream, allocation});
}

std::pair<std::size_t, std::uint64_t> AllocatorModel::place(std::int64_t bytes, bool large, bool expandable) {
    std::optional<std::pair<std::size_t, std::uint64_t>> best;
    std::int64_t bestGap = 0;
    std::optional<std::size_t> toExtend;
    for (std::size_t i = 0; i < m_segments.size(); ++i) {
        const Segment& segment = m_segments[i];
        if (segment.bytes == 0 || segment.large != large || segment.expandable != expandable)
            continue;
        toExtend = i;
        std::uint64_t at = segment.address;
        const auto consider = [&](std::uint64_t end) {
            const auto gap = static_cast<std::int64_t>(end - at);
            if (gap >= bytes && (!best || gap < bestGap)) {
                best = {i, at};
                bestGap = gap;
            }
        };
        for (const auto& [address, size] : segment.used) {
            consider(address);
            at = endOf(address, size);
        }
        consider(endOf(segment.address, segment.bytes));
    }
    if (best)
        return *best;
    const std::int64_t piece = large ? 20 * kMiB : 2 * kMiB;
    if (expandable && toExtend) {
        Segment& segment = m_segments[*toExtend];
        const std::uint64_t end = endOf(segment.address, segment.bytes);
        for (std::int64_t mapped = 0; mapped < bytes; mapped += piece) {
            segmentEvent(SegmentAction::kMap, segment, endOf(segment.address, segment.bytes), piece);
            segment.bytes += piece;
        }
        return {*toExtend, end};
    }
    Segment segment{m_nextAddress, piece, large, expandable, {}};
    if (bytes > piece)
        segment.bytes = (bytes + 2 * kMiB - 1) / (2 * kMiB) * 2 * kMiB;
    m_nextAddress += static_cast<std::uint64_t>(segment.bytes) + kApart;
    segmentEvent(expandable ? SegmentAction::kMap : SegmentAction::kAllocate, segment, segment.address,
                 segment.bytes);
    m_segments.push_back(segment);
    return {m_segments.size() - 1, segment.address};
}

void AllocatorModel::allocate() {
    const bool large = random(4) == 0;
    const auto requested = static_cast<std::int64_t>(large       ? random(30 << 20) + (1 << 20) + 1
                                                     : random(2) ? random(3000) + 1
                                                                 : random(1 << 20) + 1);
    const std::int64_t bytes = (requested + 511) / 512 * 512;
    const auto [segment, address] = place(bytes, large, random(3) == 0);
    m_segments[segment].used[address] = bytes;
    AllocationRow row{
        .address = address,
        .requested = requested,
        .bytes = bytes,
        .place = m_writer.internPlace({Phase::kForward, m_writer.internName("blocks.0"), NameId()}),
        .step = 0,
        .op = m_writer.internName("aten::empty"),
        .category = Category::kActivations};
    const AllocationId id = m_writer.appendAllocation(Nanoseconds(m_time), row);
    m_log.push_back({m_time, SegmentAction::kAllocate, true, address, bytes, large, 0, id});
    m_alive.push_back({segment, address, bytes, id});
}

void AllocatorModel::free() {
    const std::size_t at = random(m_alive.size());
    const Block block = m_alive[at];
    m_alive[at] = m_alive.back();
    m_alive.pop_back();
    m_writer.appendFree(Nanoseconds(m_time), block.allocation);
    m_log.push_back(
        {m_time, SegmentAction::kFree, true, block.address, block.bytes, false, 0, block.allocation});
    if (random(20) == 0) {
        segmentEvent(SegmentAction::kHold, m_segments[block.segment], block.address, block.bytes,
                     block.allocation);
        m_pending.push_back(block);
        return;
    }
    m_segments[block.segment].used.erase(block.address);
}

void AllocatorModel::release() {
    const Block block = m_pending.front();
    m_pending.erase(m_pending.begin());
    segmentEvent(SegmentAction::kRelease, m_segments[block.segment], block.address, block.bytes,
                 block.allocation);
    m_segments[block.segment].used.erase(block.address);
}

void AllocatorModel::returnToDriver() {
    for (Segment& segment : m_segments) {
        if (segment.bytes == 0 || !segment.used.empty())
            continue;
        segmentEvent(segment.expandable ? SegmentAction::kUnmap : SegmentAction::kFree, segment,
                     segment.address, segment.bytes);
        segment.bytes = 0;
    }
}

void AllocatorModel::append(std::size_t count, std::size_t aliveTarget) {
    for (std::size_t i = 0; i < count; ++i) {
        tick();
        if (!m_pending.empty() && random(10) == 0)
            release();
        else if (random(300) == 0)
            returnToDriver();
        else if (m_alive.empty() || random(2 * aliveTarget) >= m_alive.size())
            allocate();
        else
            free();
    }
}

std::shared_ptr<const Snapshot> AllocatorModel::commit() {
    m_writer.settle();
    m_writer.commit(Nanoseconds(m_time));
    return m_writer.feed()->latest();
}

AllocatorModel::Truth AllocatorModel::at(std::int64_t t) const {
    Truth truth;
    for (const LogEntry& entry : m_log) {
        if (entry.time > t)
            break;
        if (entry.ofBlock) {
            if (entry.action == SegmentAction::kAllocate)
                truth.blocks[entry.address] = {entry.address, entry.bytes, false, entry.allocation};
            else
                truth.blocks.erase(entry.address);
            continue;
        }
        switch (entry.action) {
            case SegmentAction::kHold:
                truth.blocks[entry.address] = {entry.address, entry.bytes, true, entry.allocation};
                break;
            case SegmentAction::kRelease:
                truth.blocks.erase(entry.address);
                break;
            case SegmentAction::kMap: {
                // The model's expandable segments only grow at their end.
                const auto before = std::ranges::find_if(truth.segments, [&](const auto& s) {
                    return endOf(s.first, s.second.bytes) == entry.address;
                });
                if (before != truth.segments.end()) {
                    before->second.bytes += entry.bytes;
                    break;
                }
                truth.segments[entry.address] = {entry.bytes, entry.stream, entry.large, true};
                break;
            }
            case SegmentAction::kAllocate:
                truth.segments[entry.address] = {entry.bytes, entry.stream, entry.large, false};
                break;
            default:
                truth.segments.erase(entry.address);
        }
    }
    return truth;
}

std::shared_ptr<const Snapshot> makeAllocatorRun(std::size_t events, std::uint64_t seed) {
    TraceWriter writer;
    writer.setInfo("state", run_state::kFinished);
    AllocatorModel model(writer, seed);
    model.append(events);
    return model.commit();
}

}  // namespace warpglass::test
