#include "tests/support/snapshot_walk.h"

#include <bit>
#include <cstdio>
#include <sstream>

namespace warpglass::test {

namespace {

class Mixer {
public:
    void add(std::uint64_t value) { m_sum = (m_sum ^ value) * 0x9e3779b97f4a7c15u; }
    void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
    void add(std::string_view text) {
        for (const char c : text)
            add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    std::uint64_t sum() const { return m_sum; }

private:
    std::uint64_t m_sum = 1;
};

void addPlace(Mixer& mixer, const Snapshot& snapshot, PlaceId id) {
    const Place place = snapshot.place(id);
    mixer.add(phaseName(place.phase));
    mixer.add(snapshot.name(place.module));
    mixer.add(snapshot.name(place.part));
}

void addLane(Mixer& mixer, const Snapshot& snapshot, const SpanLane& lane) {
    mixer.add(snapshot.name(snapshot.track(lane.track()).name));
    lane.forEachChunk(0, lane.rows(),
                      [&](const SpanChunk& chunk, std::uint32_t from, std::uint32_t to, std::uint64_t) {
                          for (std::uint32_t i = from; i < to; ++i) {
                              const SpanRow row = chunk.row(i);
                              mixer.add(row.end());
                              mixer.add(row.self);
                              mixer.add(snapshot.name(row.name));
                              addPlace(mixer, snapshot, row.place);
                              mixer.add(std::int64_t{row.step});
                              mixer.add(row.link);
                          }
                      });
    for (std::size_t c = 0; c < lane.chunkCount(); ++c) {
        const TimeRange range = lane.chunkRange(c);
        mixer.add(lane.firstEndingAfter(range.begin));
        mixer.add(lane.firstStartingAt(range.end));
        for (std::uint32_t b = 0; b < lane.rowsInChunk(c) / kBlockRows; ++b) {
            const SpanSummary& block = lane.mip(c).blocks[b];
            mixer.add(block.end);
            mixer.add(block.busy);
            mixer.add(snapshot.name(block.longestName));
        }
    }
}

std::string exact(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%a", value);
    return text;
}

std::string placeText(const Snapshot& snapshot, PlaceId id) {
    const Place place = snapshot.place(id);
    return std::string(phaseName(place.phase)) + "|" + std::string(snapshot.name(place.module)) + "|" +
           std::string(snapshot.name(place.part));
}

/// Nothing where there is none, as in every file of version 1.
std::string detailText(const Snapshot& snapshot, DetailId id) {
    const auto detail = snapshot.detail(id);
    if (!detail)
        return {};
    std::ostringstream out;
    out << " " << kDetailKindNames[static_cast<std::size_t>(detail->kind)] << "|"
        << kCopyKindNames[static_cast<std::size_t>(detail->copy)] << "|" << snapshot.name(detail->fullName)
        << "|" << snapshot.name(detail->op);
    for (std::size_t i = 0; i < 3; ++i)
        out << "|" << detail->grid[i] << "|" << detail->block[i];
    out << "|" << detail->registers << "|" << detail->staticShared << "|" << detail->dynamicShared << "|"
        << detail->bytes << "|" << detail->graphNode << "|" << exact(static_cast<double>(detail->occupancy));
    return out.str();
}

}  // namespace

std::uint64_t readEverything(const Snapshot& snapshot) {
    Mixer mixer;
    for (const auto& [key, value] : snapshot.info().pairs()) {
        mixer.add(key);
        mixer.add(value);
    }
    for (const LossCount& loss : snapshot.losses())
        mixer.add(loss.count);
    for (std::size_t i = 0; i < snapshot.detailCount(); ++i) {
        if (const auto detail = snapshot.detail(DetailId(i))) {
            mixer.add(snapshot.name(detail->fullName));
            mixer.add(snapshot.name(detail->op));
            mixer.add(detail->bytes);
            mixer.add(std::uint64_t{detail->grid[0]});
        }
    }
    for (std::size_t i = 0; i < snapshot.laneCount(); ++i)
        addLane(mixer, snapshot, snapshot.lane(LaneId(i)));
    for (std::size_t i = 0; i < snapshot.trackCount(); ++i)
        mixer.add(static_cast<std::uint64_t>(snapshot.lanesOf(TrackId(i)).size()));
    for (const OpenSpan& span : snapshot.openSpans()) {
        mixer.add(std::uint64_t{snapshot.lane(span.lane).depth()});
        mixer.add(span.start);
        mixer.add(snapshot.name(span.name));
    }
    for (std::uint64_t i = 0; i < snapshot.memoryEventCount(); ++i) {
        if (const auto event = snapshot.memoryEvent(i)) {
            mixer.add(event->time);
            if (const auto allocation = snapshot.allocation(event->allocation)) {
                mixer.add(allocation->bytes);
                mixer.add(categoryName(allocation->category));
                mixer.add(snapshot.name(allocation->op));
            }
        }
    }
    for (std::uint64_t i = 0; i < snapshot.segmentEventCount(); ++i) {
        if (const auto event = snapshot.segmentEvent(i)) {
            mixer.add(event->time);
            mixer.add(event->address);
            mixer.add(event->bytes);
            mixer.add(kSegmentActionNames[static_cast<std::size_t>(event->action)]);
            addPlace(mixer, snapshot, event->place);
            if (const auto allocation = snapshot.allocation(event->allocation))
                mixer.add(allocation->bytes);
        }
    }
    for (std::uint64_t i = 0; i < snapshot.counterSampleCount(); ++i) {
        if (const auto sample = snapshot.counterSample(i)) {
            mixer.add(snapshot.name(sample->counter));
            mixer.add(std::bit_cast<std::uint64_t>(sample->value));
        }
    }
    return mixer.sum();
}

std::string describeEverything(const Snapshot& snapshot) {
    std::ostringstream out;
    out << "end " << snapshot.range().end.value << "\n";
    for (const auto& [key, value] : snapshot.info().pairs())
        out << "info " << key << " = " << value << "\n";
    for (const LossCount& loss : snapshot.losses())
        out << "loss " << loss.name << " " << loss.count << "\n";
    for (std::size_t i = 0; i < snapshot.laneCount(); ++i) {
        const SpanLane lane = snapshot.lane(LaneId(i));
        const TrackInfo& track = snapshot.track(lane.track());
        out << "lane " << snapshot.name(track.name) << " ("
            << kTrackKindNames[static_cast<std::size_t>(track.kind)] << ") depth " << lane.depth() << " rows "
            << lane.rows() << "\n";
        for (std::uint64_t r = 0; r < lane.rows(); ++r) {
            const auto row = lane.row(r);
            if (!row) {
                out << "span lost\n";
                continue;
            }
            out << "span " << row->start << " " << row->duration << " " << row->self << " " << row->step
                << " " << row->link << " " << snapshot.name(row->name) << " "
                << placeText(snapshot, row->place) << detailText(snapshot, row->detail) << "\n";
        }
    }
    for (const OpenSpan& span : snapshot.openSpans())
        out << "open " << span.lane.value << " " << span.start << " " << span.step << " "
            << snapshot.name(span.name) << " " << placeText(snapshot, span.place) << "\n";
    for (std::uint64_t i = 0; i < snapshot.memoryEventCount(); ++i) {
        const auto event = snapshot.memoryEvent(i);
        if (event)
            out << "event " << event->time << " " << event->allocation.value
                << (event->action == MemoryAction::kFree ? " free" : " allocate") << "\n";
    }
    for (std::uint64_t i = 0; i < snapshot.allocationCount(); ++i) {
        const auto row = snapshot.allocation(AllocationId(i));
        if (row)
            out << "allocation " << row->address << " " << row->requested << " " << row->bytes << " "
                << row->step << " " << categoryName(row->category) << " " << snapshot.name(row->op) << " "
                << placeText(snapshot, row->place) << "\n";
    }
    for (std::uint64_t i = 0; i < snapshot.segmentEventCount(); ++i) {
        const auto event = snapshot.segmentEvent(i);
        if (event)
            out << "segment " << event->time << " "
                << kSegmentActionNames[static_cast<std::size_t>(event->action)] << " " << event->address
                << " " << event->bytes << " " << event->stream << " " << event->pool << " " << event->step
                << " " << event->allocation.value << " " << snapshot.name(event->op) << " "
                << placeText(snapshot, event->place) << "\n";
    }
    for (std::uint64_t i = 0; i < snapshot.counterSampleCount(); ++i) {
        const auto sample = snapshot.counterSample(i);
        if (sample)
            out << "counter " << sample->time << " " << snapshot.name(sample->counter) << " "
                << exact(sample->value) << "\n";
    }
    return out.str();
}

}  // namespace warpglass::test
