#include "engine/query/activity/host_while_idle.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "engine/query/activity/gpu_idle.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/spans_around.h"
#include "engine/query/spans/spans_at.h"

namespace warpglass {
namespace {

/// Stretches of time, sorted, none overlapping another, and how much of any range lies in them.
class Stretches {
public:
    /// What overlaps the last one, as in a damaged file, counts once.
    void add(TimeRange range) {
        if (!m_ranges.empty())
            range.begin = std::max(range.begin, m_ranges.back().end);
        if (range.end <= range.begin)
            return;
        m_ranges.push_back(range);
        m_before.push_back(m_all);
        addWrapping(m_all, range.duration().value);
    }
    std::int64_t all() const { return m_all; }

    /// Asked about ranges in order of time, as a lane has its spans, it looks at each stretch once.
    class Walk {
    public:
        explicit Walk(const Stretches& stretches) : m_of(stretches) {}
        std::int64_t within(std::int64_t begin, std::int64_t end) {
            return std::max<std::int64_t>(0, (until(Nanoseconds(end)) - until(Nanoseconds(begin))).value);
        }

    private:
        /// How much of the stretches lies before a moment.
        Nanoseconds until(Nanoseconds time) {
            const std::vector<TimeRange>& ranges = m_of.m_ranges;
            constexpr int kMostSteps = 32;  // in order of time there are few
            int steps = 0;
            for (; steps < kMostSteps && m_next < ranges.size() && ranges[m_next].begin <= time; ++steps)
                ++m_next;
            if (steps == kMostSteps || (m_next > 0 && time < ranges[m_next - 1].begin))
                m_next = static_cast<std::size_t>(
                    std::ranges::upper_bound(ranges, time, {}, &TimeRange::begin) - ranges.begin());
            if (m_next == 0)
                return {};
            const TimeRange& range = ranges[m_next - 1];
            return Nanoseconds(m_of.m_before[m_next - 1]) + (std::min(time, range.end) - range.begin);
        }

        const Stretches& m_of;
        std::size_t m_next = 0;  // the first that begins after the moment last asked about
    };

private:
    std::vector<TimeRange> m_ranges;
    std::vector<std::int64_t> m_before;
    std::int64_t m_all = 0;
};

/// The stretches in which the GPU waited, by the track of calls into CUDA with the call that ended each.
std::map<TrackId, Stretches> waitsByThread(const Snapshot& snapshot, std::string_view gpu) {
    std::vector<IdleStretch> late = GpuIdle(snapshot, gpu).stretches(stepsToAverage(snapshot));
    std::erase_if(
        late, [](const IdleStretch& idle) { return idle.cause != IdleCause::kHostLate || idle.launch == 0; });
    std::unordered_map<std::uint64_t, TrackId> threads;
    threads.reserve(late.size());
    for (const IdleStretch& idle : late)
        threads.try_emplace(idle.launch, TrackId());
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kApiThread)) {
        forEachRow(lane, {}, [&](const SpanChunk& chunk, std::uint32_t i) {
            if (const auto found = threads.find(chunk.link[i]); found != threads.end())
                found->second = lane.track();
        });
    }
    std::map<TrackId, Stretches> waits;
    for (const IdleStretch& idle : late) {
        if (const TrackId thread = threads[idle.launch]; thread.valid())
            waits[thread].add(idle.range);
    }
    return waits;
}

/// Calls fn(lane, chunk, row, time) for each span of a track with time in the stretches.
template <class Fn>
void forEachWithin(const Snapshot& snapshot, TrackId track, const Stretches& waits, Fn&& fn) {
    for (const SpanLane& lane : snapshot.lanesOf(track)) {
        Stretches::Walk walk(waits);
        forEachRow(lane, {}, [&](const SpanChunk& chunk, std::uint32_t i) {
            const std::int64_t time = walk.within(chunk.start[i], chunk.end(i));
            if (time > 0)
                fn(lane, chunk, i, time);
        });
    }
}

}  // namespace

HostWhileIdle hostWhileIdle(const Snapshot& snapshot, std::string_view gpu) {
    HostWhileIdle host;
    const MissingRecords missing = Completeness(snapshot).missing();
    if (missing.lacksGpuWork() || missing.lacks(RecordKind::kCalls) || missing.lacks(RecordKind::kOps))
        return host;
    OpFamilyCache families;
    SpansAround around(snapshot);
    for (const auto& [calls, waits] : waitsByThread(snapshot, gpu)) {
        const auto ops = sameThread(snapshot, calls, TrackKind::kCpuThread);
        if (!ops)
            continue;
        host.idle = host.idle + Nanoseconds(waits.all());
        std::int64_t inOps = 0;
        const auto sumOf = [&](const SpanChunk& chunk, std::uint32_t i) -> Nanoseconds& {
            return host.ops[static_cast<std::size_t>(
                families.familyOf(snapshot, NameId(chunk.name[i]), PlaceId(chunk.place[i])))];
        };
        const auto addOp = [&](const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i,
                               std::int64_t time) {
            sumOf(chunk, i) = sumOf(chunk, i) + Nanoseconds(time);
            bool outermost = true;
            // An op's time is that of the innermost one alone.
            around.forEach(lane, chunk, i, [&](const SpanChunk& outer, std::uint32_t row) {
                sumOf(outer, row) = sumOf(outer, row) - Nanoseconds(time);
                outermost = false;
                return false;
            });
            if (outermost)
                addWrapping(inOps, time);
        };
        forEachWithin(snapshot, *ops, waits, addOp);
        host.outside = host.outside + (Nanoseconds(waits.all()) - Nanoseconds(inOps));
    }
    return host;
}

}  // namespace warpglass
