// A caching allocator in little, written through TraceWriter: segments, best fit, splitting, blocks that come
// free late, an expandable segment, memory given back. It keeps a plain log of what it did, which a test can
// replay from zero: the oracle for what is asked of a trace.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "engine/trace/trace_writer.h"

namespace warpglass::test {

class AllocatorModel {
public:
    AllocatorModel(TraceWriter& writer, std::uint64_t seed) : m_writer(writer), m_random(seed) {}

    /// About `count` events of blocks, with those of segments that they lead to. Several may share a moment.
    /// Around `aliveTarget` blocks stay in use.
    void append(std::size_t count, std::size_t aliveTarget = 200);
    std::shared_ptr<const Snapshot> commit();
    std::int64_t endTime() const { return m_time; }
    std::uint64_t random(std::uint64_t below);

    struct LoggedBlock {
        std::uint64_t address = 0;
        std::int64_t bytes = 0;
        bool pending = false;
        AllocationId allocation{};
        bool operator==(const LoggedBlock&) const = default;
    };
    struct LoggedSegment {
        std::int64_t bytes = 0;
        std::uint32_t stream = 0;
        bool large = false;
        bool expandable = false;
        bool operator==(const LoggedSegment&) const = default;
    };
    struct Truth {
        std::map<std::uint64_t, LoggedSegment> segments;  // by address, contiguous mapped pieces as one
        std::map<std::uint64_t, LoggedBlock> blocks;
    };
    /// What holds after the last event at or before t, by replaying everything.
    Truth at(std::int64_t t) const;

private:
    struct Segment {
        std::uint64_t address = 0;
        std::int64_t bytes = 0;
        bool large = false;
        bool expandable = false;
        std::map<std::uint64_t, std::int64_t> used;  // blocks by address
    };
    struct Block {
        std::size_t segment = 0;
        std::uint64_t address = 0;
        std::int64_t bytes = 0;
        AllocationId allocation{};
    };
    struct LogEntry {
        std::int64_t time = 0;
        SegmentAction action = SegmentAction::kAllocate;
        bool ofBlock = false;  // kAllocate and kFree of a block; the rest are segment events
        std::uint64_t address = 0;
        std::int64_t bytes = 0;
        bool large = false;
        std::uint32_t stream = 0;
        AllocationId allocation{};
    };

    void tick();
    void allocate();
    void free();
    void release();
    void returnToDriver();
    /// The address of a free stretch and its segment, made when there is none.
    std::pair<std::size_t, std::uint64_t> place(std::int64_t bytes, bool large, bool expandable);
    void segmentEvent(SegmentAction action, const Segment& segment, std::uint64_t address, std::int64_t bytes,
                      AllocationId allocation = {});

    TraceWriter& m_writer;
    std::uint64_t m_random;
    std::int64_t m_time = 1000;
    std::vector<Segment> m_segments;  // those given back stay, with no bytes
    std::vector<Block> m_alive, m_pending;
    std::vector<LogEntry> m_log;
    std::uint64_t m_nextAddress = 0x7f0000000000u;
};

/// A finished run of some 40 segments and `events` events of blocks.
std::shared_ptr<const Snapshot> makeAllocatorRun(std::size_t events, std::uint64_t seed = 1);

}  // namespace warpglass::test
