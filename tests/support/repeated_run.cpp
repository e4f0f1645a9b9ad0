#include "tests/support/repeated_run.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/trace/trace_writer.h"

namespace warpglass::test {

namespace {

class Repeater {
public:
    explicit Repeater(const Snapshot& run) : m_run(run) {
        for (std::size_t i = 0; i < run.nameCount(); ++i)
            m_names.push_back(m_writer.internName(run.name(NameId(i))));
        for (std::size_t i = 0; i < run.placeCount(); ++i)
            m_places.push_back(m_writer.internPlace(translated(run.place(PlaceId(i)))));
        for (std::size_t i = 0; i < run.detailCount(); ++i)
            m_details.push_back(m_writer.internDetail(run.detail(DetailId(i)).value_or(SpanDetail{})));
        for (std::size_t i = 0; i < run.trackCount(); ++i)
            m_tracks.push_back(
                m_writer.addTrack(run.track(TrackId(i)).kind, run.name(run.track(TrackId(i)).name)));
        for (const auto& [key, value] : run.info().pairs())
            m_writer.setInfo(key, value);
        findLastStep();
    }

    std::shared_ptr<const Snapshot> take(std::uint64_t spans) {
        // All of it once, up to the end of the last step.
        TimeRange once{Nanoseconds(0), m_step ? m_step->end : m_run.range().end};
        copy(once, Nanoseconds(0), 0);
        std::int32_t turn = 0;
        while (m_step && m_spans < spans) {
            ++turn;
            copy(*m_step, Nanoseconds(m_step->duration().value * turn), turn);
        }
        // The added steps are measured ones.
        for (const char* key : {"config.steps", "steps.completed"}) {
            if (const auto steps = m_run.info().getInteger(key))
                m_writer.setInfo(key, std::to_string(*steps + turn));
        }
        m_writer.settle();
        m_writer.commit(once.end + Nanoseconds(m_step ? m_step->duration().value * turn : 0));
        return m_writer.feed()->latest();
    }

private:
    /// What refers to nothing stays so.
    template <class Id>
    static Id translated(Id id, const std::vector<Id>& to) {
        return id.index() < to.size() ? to[id.index()] : id;
    }

    Place translated(Place place) const {
        place.module = translated(place.module, m_names);
        place.part = translated(place.part, m_names);
        return place;
    }

    void findLastStep() {
        for (const TrackId track : m_run.tracksOfKind(TrackKind::kStep)) {
            for (const SpanLane& lane : m_run.lanesOf(track)) {
                if (const auto row = lane.empty() ? std::nullopt : lane.row(lane.rows() - 1))
                    m_step = TimeRange{Nanoseconds(row->start), Nanoseconds(row->end())};
            }
        }
    }

    void copy(TimeRange range, Nanoseconds shift, std::int32_t turn) {
        for (std::size_t i = 0; i < m_run.laneCount(); ++i)
            copyLane(m_run.lane(LaneId(i)), range, shift, turn);
        copyMemory(range, shift, turn);
    }

    /// Spans that begin in the range; the few of another thread that reach over its end are cut there.
    void copyLane(const SpanLane& lane, TimeRange range, Nanoseconds shift, std::int32_t turn) {
        const TrackId track = m_tracks[lane.track().index()];
        for (std::uint64_t i = lane.firstStartingAt(range.begin); i < lane.rows(); ++i) {
            const std::optional<SpanRow> from = lane.row(i);
            if (!from || from->start >= range.end.value)
                return;
            SpanRow row = *from;
            row.duration = std::min(row.duration, range.end.value - row.start);
            row.self = std::min(row.self, row.duration);
            row.start += shift.value;
            row.name = translated(row.name, m_names);
            row.place = translated(row.place, m_places);
            row.detail = translated(row.detail, m_details);
            if (row.step != kNoStep)
                row.step += turn;
            // Links join what one turn made: each turn has ids of its own.
            if (row.link != 0)
                row.link += static_cast<std::uint64_t>(turn) << 40;
            if (m_writer.appendSpan(track, lane.depth(), row))
                ++m_spans;
        }
    }

    void copyMemory(TimeRange range, Nanoseconds shift, std::int32_t turn) {
        for (std::uint64_t i = 0; i < m_run.memoryEventCount(); ++i) {
            const std::optional<MemoryEvent> event = m_run.memoryEvent(i);
            if (!event || event->time < range.begin.value || event->time >= range.end.value)
                continue;
            const auto row = m_run.allocation(event->allocation);
            if (!row)
                continue;
            const Nanoseconds time(event->time + shift.value);
            if (event->action == MemoryAction::kAllocate)
                allocate(time, event->allocation, *row, turn);
            else
                free(time, event->allocation, row->bytes);
        }
    }

    void allocate(Nanoseconds time, AllocationId from, AllocationRow row, std::int32_t turn) {
        row.place = translated(row.place, m_places);
        row.op = translated(row.op, m_names);
        if (row.step != kNoStep)
            row.step += turn;
        const AllocationId id = m_writer.appendAllocation(time, row);
        m_alive[from.value] = id;
        m_ofSize[row.bytes].push_back(id);
    }

    void free(Nanoseconds time, AllocationId from, std::int64_t bytes) {
        std::vector<AllocationId>& candidates = m_ofSize[bytes];
        if (candidates.empty())
            return;
        auto chosen = candidates.end();
        if (const auto own = m_alive.find(from.value); own != m_alive.end())
            chosen = std::ranges::find(candidates, own->second);
        if (chosen == candidates.end())
            chosen = candidates.end() - 1;  // left alive by a turn before
        m_writer.appendFree(time, *chosen);
        candidates.erase(chosen);
        m_alive.erase(from.value);
    }

    const Snapshot& m_run;
    TraceWriter m_writer;
    std::vector<NameId> m_names;
    std::vector<PlaceId> m_places;
    std::vector<DetailId> m_details;
    std::vector<TrackId> m_tracks;
    std::optional<TimeRange> m_step;
    std::uint64_t m_spans = 0;
    std::unordered_map<std::uint64_t, AllocationId> m_alive;     // by the original's id
    std::map<std::int64_t, std::vector<AllocationId>> m_ofSize;  // alive, by size, the latest last
};

}  // namespace

std::shared_ptr<const Snapshot> repeatRun(const Snapshot& run, std::uint64_t spans) {
    return Repeater(run).take(spans);
}

}  // namespace warpglass::test
