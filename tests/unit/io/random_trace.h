// Random traces with a fixed seed: every kind of row, awkward values included.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/trace/trace_writer.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass::test {

/// Appends in bursts, so that a test can publish and write between them.
class RandomTrace {
public:
    explicit RandomTrace(std::uint64_t seed) : m_random(seed) {
        m_writer.setInfo("state", run_state::kRecording);
        m_writer.setInfo("config.model", "µ-tiny \"quoted\"\n");
        for (int i = 0; i < 7; ++i)
            m_tracks.push_back(m_writer.addTrack(
                static_cast<TrackKind>(static_cast<std::size_t>(i) % kTrackKindNames.size()),
                i == 3 ? "" : "track " + std::to_string(i)));
        m_ends.resize(m_tracks.size() * kDepths);
    }

    TraceWriter& writer() { return m_writer; }

    void burst(int operations) {
        for (int i = 0; i < operations; ++i)
            one();
    }

    /// Its run has ended, and what its allocations are is decided.
    void finish() {
        m_writer.setInfo("state", run_state::kFinished);
        m_writer.settle();
    }
    std::shared_ptr<const Snapshot> commit() {
        m_writer.commit(Nanoseconds(0));
        return m_writer.feed()->latest();
    }

private:
    static constexpr std::size_t kDepths = 5;

    std::uint64_t next() { return nextRandom(m_random); }
    std::uint64_t below(std::uint64_t n) { return next() % n; }

    NameId name() {
        if (below(50) == 0)
            return NameId();
        return m_writer.internName("name " + std::to_string(below(200)));
    }
    PlaceId place() {
        if (below(30) == 0)
            return PlaceId();
        return m_writer.internPlace(
            {static_cast<Phase>(below(kPhaseCount)), name(), below(2) ? name() : NameId()});
    }
    DetailId detail() {
        if (below(3) == 0)
            return DetailId();
        SpanDetail d{
            .kind = static_cast<DetailKind>(below(kDetailKindNames.size())),
            .copy = static_cast<CopyKind>(below(kCopyKindNames.size())),
            .fullName = name(),
            .op = name(),
            .grid = {static_cast<std::uint32_t>(below(1u << 31)), 1, static_cast<std::uint32_t>(below(3))},
            .block = {static_cast<std::uint32_t>(below(1024)), 2, 3},
            .registers = static_cast<std::uint32_t>(below(256)),
            .staticShared = static_cast<std::int64_t>(below(1 << 16)),
            .dynamicShared = static_cast<std::int64_t>(below(1 << 18)),
            .bytes = static_cast<std::int64_t>(below(std::uint64_t{1} << 40)),
            .graphNode = below(2) ? 0 : next(),
            .occupancy = static_cast<float>(below(65)) / 64};
        return m_writer.internDetail(d);
    }
    /// Mostly small, sometimes minutes.
    std::int64_t gap() {
        return static_cast<std::int64_t>(below(1000) == 0 ? below(std::uint64_t{1} << 38) : below(3000));
    }

    void one() {
        const std::uint64_t kind = below(100);
        if (kind < 67)
            span();
        else if (kind < 70)
            segmentEvent();
        else if (kind < 85)
            allocate();
        else if (kind < 95)
            free();
        else if (kind < 97)
            m_writer.appendCounter(Nanoseconds(static_cast<std::int64_t>(below(1000000))), name(),
                                   static_cast<double>(next()) * 1e-300);
        else if (kind < 98)
            m_writer.countLoss("loss " + std::to_string(below(3)), below(5));
        else if (below(40) == 0)
            m_writer.settle();
        else if (m_allocations > 0)
            recategorize();
    }

    void span() {
        // Lane 0 gets most, so that it fills chunks.
        const std::size_t lane = below(3) != 0 ? 0 : below(m_ends.size());
        SpanRow row{.start = m_ends[lane] + (below(4) == 0 ? 0 : gap()),
                    .duration = below(5) == 0 ? 0 : gap()};
        row.self = row.duration == 0
                       ? 0
                       : static_cast<std::int64_t>(below(static_cast<std::uint64_t>(row.duration) + 1));
        row.name = name();
        row.place = place();
        row.step = static_cast<std::int32_t>(below(9)) - 1;
        row.link = below(3) == 0 ? 0 : below(50) == 0 ? next() : below(1000000);
        row.detail = lane / kDepths % 2 == 0 ? detail() : DetailId();
        m_ends[lane] = row.end();
        m_writer.appendSpan(m_tracks[lane / kDepths], static_cast<std::uint32_t>(lane % kDepths), row);
    }

    void segmentEvent() {
        SegmentEvent event{.time = m_segmentTime += gap(),
                           .action = static_cast<SegmentAction>(below(kSegmentActionNames.size())),
                           .address = below(2) ? m_lastAddress : next() >> 7};
        m_lastAddress = event.address;
        event.bytes = static_cast<std::int64_t>(below(8) ? below(64) << 21 : below(std::uint64_t{1} << 44));
        event.stream = static_cast<std::uint32_t>(below(20) ? below(3) : next());
        event.pool = static_cast<std::uint32_t>(below(20) ? 0 : next());
        event.place = place();
        event.step = static_cast<std::int32_t>(below(9)) - 1;
        event.op = name();
        if (m_allocations > 0 && below(3) == 0)
            event.allocation = AllocationId(below(m_allocations));
        m_writer.appendSegmentEvent(event);
    }

    void allocate() {
        m_memoryTime += gap();
        AllocationRow row{.address = next(), .requested = static_cast<std::int64_t>(below(100000))};
        row.bytes = row.requested + static_cast<std::int64_t>(below(512));
        row.place = place();
        row.step = static_cast<std::int32_t>(below(9)) - 1;
        row.op = name();
        row.category = static_cast<Category>(below(kStoredCategoryCount));
        m_alive.push_back(m_writer.appendAllocation(Nanoseconds(m_memoryTime), row));
        ++m_allocations;
    }

    void free() {
        if (m_alive.empty())
            return;
        m_memoryTime += gap();
        const std::size_t at = below(m_alive.size());
        m_writer.appendFree(Nanoseconds(m_memoryTime), m_alive[at]);
        m_alive[at] = m_alive.back();
        m_alive.pop_back();
    }

    void recategorize() {
        const AllocationId id(below(m_allocations));
        if (!m_writer.isSettled(id))
            m_writer.setCategory(id, static_cast<Category>(below(kStoredCategoryCount)));
    }

    TraceWriter m_writer;
    std::uint64_t m_random;
    std::vector<TrackId> m_tracks;
    std::vector<std::int64_t> m_ends;
    std::vector<AllocationId> m_alive;
    std::uint64_t m_allocations = 0;
    std::int64_t m_memoryTime = 0;
    std::int64_t m_segmentTime = 0;
    std::uint64_t m_lastAddress = 0;
};

}  // namespace warpglass::test
