#include "engine/io/run_file_appender.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "engine/io/kernel_clock_codec.h"

namespace warpglass::run_file {

namespace {

template <class Id>
void bindId(RowWriter& row, int parameter, Id id) {
    if (id.valid())
        row.bind(parameter, std::int64_t{id.value});
    else
        row.bindNull(parameter);
}

std::int64_t asInteger(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

}  // namespace

bool createTables(Database& database) {
    const std::string stamp = "PRAGMA application_id=" + std::to_string(kApplicationId) +
                              "; PRAGMA user_version=" + std::to_string(kFormatVersion) + ";";
    return database.execute(stamp.c_str()) &&
           std::all_of(std::begin(kTables), std::end(kTables), [&](const FileTable& table) {
               return !table.always || database.execute(creation(table).c_str());
           });
}

bool RunFileAppender::Progress::add(std::uint64_t rows) {
    done += rows;
    return !report || report(std::min(1.0, static_cast<double>(done) / static_cast<double>(total)));
}

RunFileAppender::Outcome RunFileAppender::append(Database& database, const Snapshot& snapshot,
                                                 const std::function<bool(double)>& progress) {
    Progress counted{progress};
    counted.total = std::max<std::uint64_t>(1, snapshot.spanCount() + snapshot.memoryEventCount() +
                                                   snapshot.allocationCount() + snapshot.segmentEventCount() +
                                                   snapshot.counterSampleCount());
    if (!appendTables(database, snapshot))
        return Outcome::kFailed;
    if (const Outcome outcome = appendChunks(database, snapshot, counted); outcome != Outcome::kDone)
        return outcome;
    // The count of chunks is known now.
    return updateTotals(database, snapshot) && m_checksums.store(database) ? Outcome::kDone
                                                                           : Outcome::kFailed;
}

// Tables come before chunks, and so lie before them in the file: what is cut off first is events, not their
// meaning.
bool RunFileAppender::appendTables(Database& database, const Snapshot& snapshot) {
    return updateInfo(database, snapshot) && updateTotals(database, snapshot) &&
           appendNames(database, snapshot) && appendPlaces(database, snapshot) &&
           appendDetails(database, snapshot) && appendTracks(database, snapshot) &&
           updateLanes(database, snapshot) && updateLosses(database, snapshot) &&
           appendClocks(database, snapshot) && replaceOpenSpans(database, snapshot);
}

bool RunFileAppender::appendNames(Database& database, const Snapshot& snapshot) {
    RowWriter insert(database, m_checksums, "strings");
    if (!insert)
        return false;
    for (; m_names < snapshot.nameCount(); ++m_names) {
        if (!insert.bind(1, asInteger(m_names)).bind(2, snapshot.name(NameId(m_names))).run())
            return false;
    }
    return true;
}

bool RunFileAppender::appendPlaces(Database& database, const Snapshot& snapshot) {
    RowWriter insert(database, m_checksums, "places");
    if (!insert)
        return false;
    for (; m_places < snapshot.placeCount(); ++m_places) {
        const Place place = snapshot.place(PlaceId(m_places));
        insert.bind(1, asInteger(m_places)).bind(2, static_cast<std::int64_t>(place.phase));
        bindId(insert, 3, place.module);
        bindId(insert, 4, place.part);
        if (!insert.run())
            return false;
    }
    return true;
}

bool RunFileAppender::appendDetails(Database& database, const Snapshot& snapshot) {
    RowWriter insert(database, m_checksums, "details");
    if (!insert)
        return false;
    for (; m_details < snapshot.detailCount(); ++m_details) {
        const SpanDetail detail = *snapshot.detail(DetailId(m_details));
        insert.bind(1, asInteger(m_details)).bind(2, static_cast<std::int64_t>(detail.kind));
        insert.bind(3, static_cast<std::int64_t>(detail.copy));
        bindId(insert, 4, detail.fullName);
        bindId(insert, 5, detail.op);
        for (int i = 0; i < 3; ++i) {
            insert.bind(6 + i, std::int64_t{detail.grid[static_cast<std::size_t>(i)]});
            insert.bind(9 + i, std::int64_t{detail.block[static_cast<std::size_t>(i)]});
        }
        insert.bind(12, std::int64_t{detail.registers}).bind(13, detail.staticShared);
        insert.bind(14, detail.dynamicShared).bind(15, detail.bytes).bind(16, asInteger(detail.graphNode));
        if (!insert.bind(17, static_cast<double>(detail.occupancy)).run())
            return false;
    }
    return true;
}

bool RunFileAppender::appendTracks(Database& database, const Snapshot& snapshot) {
    RowWriter insert(database, m_checksums, "tracks");
    if (!insert)
        return false;
    for (; m_tracks < snapshot.trackCount(); ++m_tracks) {
        const TrackInfo& track = snapshot.track(TrackId(m_tracks));
        insert.bind(1, asInteger(m_tracks)).bind(2, static_cast<std::int64_t>(track.kind));
        bindId(insert, 3, track.name);
        if (!insert.run())
            return false;
    }
    return true;
}

bool RunFileAppender::updateLanes(Database& database, const Snapshot& snapshot) {
    RowWriter insert(database, m_checksums, "lanes");
    if (!insert)
        return false;
    for (std::size_t i = 0; i < snapshot.laneCount(); ++i) {
        const SpanLane lane = snapshot.lane(LaneId(i));
        if (i < m_lanes.size() && m_lanes[i].rows == lane.rows())
            continue;
        insert.bind(1, asInteger(i))
            .bind(2, std::int64_t{lane.track().value})
            .bind(3, std::int64_t{lane.depth()});
        if (!insert.bind(4, asInteger(lane.rows())).run())
            return false;
    }
    return true;
}

bool RunFileAppender::updateInfo(Database& database, const Snapshot& snapshot) {
    if (m_info == snapshot.info())
        return true;
    if (!m_checksums.clear(database, "info"))
        return false;
    RowWriter insert(database, m_checksums, "info");
    if (!insert)
        return false;
    std::int64_t id = 0;
    for (const auto& [key, value] : snapshot.info().pairs()) {
        if (!insert.bind(1, id++).bind(2, std::string_view(key)).bind(3, std::string_view(value)).run())
            return false;
    }
    if (m_isCopy && snapshot.info().get("state") == run_state::kRecording &&
        !snapshot.info().has(run_state::kCopyOfRecording) &&
        !insert.bind(1, id++).bind(2, run_state::kCopyOfRecording).bind(3, std::string_view("yes")).run())
        return false;
    m_info = snapshot.info();
    return true;
}

bool RunFileAppender::updateLosses(Database& database, const Snapshot& snapshot) {
    if (m_losses == snapshot.losses())
        return true;
    if (!m_checksums.clear(database, "losses"))
        return false;
    RowWriter insert(database, m_checksums, "losses");
    if (!insert)
        return false;
    std::int64_t id = 0;
    for (const LossCount& loss : snapshot.losses()) {
        if (!insert.bind(1, id++).bind(2, std::string_view(loss.name)).bind(3, asInteger(loss.count)).run())
            return false;
    }
    m_losses = snapshot.losses();
    return true;
}

bool RunFileAppender::appendClocks(Database& database, const Snapshot& snapshot) {
    const KernelClocksList& kernels = snapshot.kernelClocks();
    if (m_clocks == kernels.size())
        return true;
    if (m_clocks == 0 && !database.execute(creation(fileTable("kernel_clocks")).c_str()))
        return false;
    RowWriter insert(database, m_checksums, "kernel_clocks");
    if (!insert)
        return false;
    for (; m_clocks < kernels.size(); ++m_clocks) {
        const KernelClocks& kernel = kernels[m_clocks];
        insert.bind(1, asInteger(m_clocks)).bind(2, std::string_view(kernel.kernel));
        insert.bind(3, std::int64_t{kernel.step}).bind(4, std::int64_t{kernel.heads});
        insert.bind(5, std::int64_t{kernel.batch}).bind(6, std::int64_t{kernel.tilesOfHead});
        insert.bind(7, std::int64_t{kernel.rowsOfTile}).bind(8, std::int64_t{kernel.causal ? 1 : 0});
        insert.bind(9, asInteger(kernel.lostTiles)).bind(10, asInteger(kernel.lostRounds));
        const Buffer data = encodeClocks(kernel);
        if (!insert.bind(11, BytesView(data)).run())
            return false;
    }
    return true;
}

bool RunFileAppender::replaceOpenSpans(Database& database, const Snapshot& snapshot) {
    if (m_hasOpenSpans && !m_checksums.clear(database, "open_spans"))
        return false;
    m_hasOpenSpans = !snapshot.openSpans().empty();
    RowWriter insert(database, m_checksums, "open_spans");
    if (!insert)
        return false;
    std::int64_t id = 0;
    for (const OpenSpan& span : snapshot.openSpans()) {
        insert.bind(1, id++).bind(2, std::int64_t{span.lane.value}).bind(3, span.start);
        bindId(insert, 4, span.name);
        bindId(insert, 5, span.place);
        if (!insert.bind(6, std::int64_t{span.step}).run())
            return false;
    }
    return true;
}

bool RunFileAppender::updateTotals(Database& database, const Snapshot& snapshot) {
    if (!m_checksums.clear(database, "totals"))
        return false;
    RowWriter insert(database, m_checksums, "totals");
    if (!insert)
        return false;
    const std::pair<std::string_view, std::int64_t> totals[] = {
        {"names", asInteger(snapshot.nameCount())},
        {"places", asInteger(snapshot.placeCount())},
        {"details", asInteger(snapshot.detailCount())},
        {"tracks", asInteger(snapshot.trackCount())},
        {"lanes", asInteger(snapshot.laneCount())},
        {"chunks", m_lastChunkId},
        {"memory_events", asInteger(snapshot.memoryEventCount())},
        {"allocations", asInteger(snapshot.allocationCount())},
        {"segment_events", asInteger(snapshot.segmentEventCount())},
        {"counter_samples", asInteger(snapshot.counterSampleCount())},
        {"end_ns", snapshot.range().end.value},
    };
    return std::all_of(std::begin(totals), std::end(totals), [&](const auto& total) {
        return insert.bind(1, total.first).bind(2, total.second).run();
    });
}

template <class EncodeOne>
RunFileAppender::Outcome RunFileAppender::appendSeries(RowWriter& insert, Series& series, std::uint64_t from,
                                                       std::uint64_t rows, Progress& progress,
                                                       EncodeOne&& encodeOne) {
    if (from == rows && series.rows == rows)
        return Outcome::kDone;
    for (std::uint64_t first = from / kChunkRows * kChunkRows; first < rows; first += kChunkRows) {
        const auto index = static_cast<std::uint32_t>(first / kChunkRows);
        const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(rows - first, kChunkRows));
        if (index == series.ids.size())
            series.ids.push_back(++m_lastChunkId);
        // A chunk that an opened file had lost stays lost when that run is saved again.
        const std::optional<Encoded> encoded = encodeOne(index, count);
        if (encoded) {
            const ChunkHeader& header = encoded->header;
            insert.bind(1, series.ids[index]).bind(2, static_cast<std::int64_t>(header.kind));
            insert.bind(3, std::int64_t{header.lane}).bind(4, std::int64_t{header.chunk});
            insert.bind(5, std::int64_t{header.rows}).bind(6, header.begin).bind(7, header.end);
            insert.bind(8, static_cast<std::int64_t>(hashOf(encoded->data)));
            if (encoded->mip.empty())
                insert.bindNull(9);
            else
                insert.bind(9, BytesView(encoded->mip));
            if (!insert.bind(10, BytesView(encoded->data)).run())
                return Outcome::kFailed;
        }
        if (!progress.add(count))
            return Outcome::kCanceled;
    }
    series.rows = rows;
    return Outcome::kDone;
}

RunFileAppender::Outcome RunFileAppender::appendChunks(Database& database, const Snapshot& snapshot,
                                                       Progress& progress) {
    RowWriter insert(database, m_checksums, "chunks");
    if (!insert)
        return Outcome::kFailed;
    m_lanes.resize(snapshot.laneCount());
    for (std::size_t i = 0; i < snapshot.laneCount(); ++i) {
        const SpanLane lane = snapshot.lane(LaneId(i));
        const Outcome outcome = appendSeries(
            insert, m_lanes[i], m_lanes[i].rows, lane.rows(), progress,
            [&](std::uint32_t index, std::uint32_t rows) -> std::optional<Encoded> {
                const SpanChunk* chunk = lane.chunk(index);
                if (!chunk)
                    return std::nullopt;
                const ChunkHeader header = headerOf(*chunk, static_cast<std::uint32_t>(i), index, rows);
                return Encoded{header, encodeMip(header, *chunk), encode(header, *chunk)};
            });
        if (outcome != Outcome::kDone)
            return outcome;
    }
    Outcome outcome =
        appendSeries(insert, m_memoryEvents, m_memoryEvents.rows, snapshot.memoryEventCount(), progress,
                     [&](std::uint32_t index, std::uint32_t rows) -> std::optional<Encoded> {
                         const MemoryEventChunk* chunk = snapshot.memoryEventChunk(index);
                         if (!chunk)
                             return std::nullopt;
                         const ChunkHeader header = headerOf(*chunk, index, rows);
                         return Encoded{header, {}, encode(header, *chunk)};
                     });
    if (outcome != Outcome::kDone)
        return outcome;
    // Chunks whose categories were preliminary are written again, not only those with new rows.
    const std::uint64_t unsettled = std::min(m_settled, m_allocations.rows);
    outcome = appendSeries(insert, m_allocations, unsettled, snapshot.allocationCount(), progress,
                           [&](std::uint32_t index, std::uint32_t rows) -> std::optional<Encoded> {
                               const AllocationChunk* chunk = snapshot.allocationChunk(index);
                               if (!chunk)
                                   return std::nullopt;
                               const ChunkHeader header{ChunkKind::kAllocations, 0, index, rows, 0, 0};
                               return Encoded{header, {}, encode(header, *chunk, snapshot)};
                           });
    m_settled = snapshot.settledAllocationCount();
    if (outcome != Outcome::kDone)
        return outcome;
    outcome = appendSeries(insert, m_segmentEvents, m_segmentEvents.rows, snapshot.segmentEventCount(),
                           progress, [&](std::uint32_t index, std::uint32_t rows) -> std::optional<Encoded> {
                               const SegmentEventChunk* chunk = snapshot.segmentEventChunk(index);
                               if (!chunk)
                                   return std::nullopt;
                               const ChunkHeader header = headerOf(*chunk, index, rows);
                               return Encoded{header, {}, encode(header, *chunk)};
                           });
    if (outcome != Outcome::kDone)
        return outcome;
    return appendSeries(insert, m_counters, m_counters.rows, snapshot.counterSampleCount(), progress,
                        [&](std::uint32_t index, std::uint32_t rows) -> std::optional<Encoded> {
                            const CounterChunk* chunk = snapshot.counterChunk(index);
                            if (!chunk)
                                return std::nullopt;
                            const ChunkHeader header = headerOf(*chunk, index, rows);
                            return Encoded{header, {}, encode(header, *chunk)};
                        });
}

bool RunFileAppender::writeStatistics(Database& database, const std::vector<StatisticsEntry>& statistics) {
    if (!m_checksums.clear(database, "statistics"))
        return false;
    RowWriter insert(database, m_checksums, "statistics");
    if (!insert)
        return false;
    std::int64_t id = 0;
    for (const StatisticsEntry& row : statistics) {
        insert.bind(1, id++).bind(2, std::string_view(row.name)).bind(3, row.family);
        insert.bind(4, row.timeShare).bind(5, row.total.value).bind(6, row.selfShare).bind(7, row.self.value);
        insert.bind(8, row.instances).bind(9, row.average).bind(10, row.median);
        insert.bind(11, row.min.value).bind(12, row.max.value);
        if (row.spread)
            insert.bind(13, *row.spread);
        else
            insert.bindNull(13);
        if (!insert.run())
            return false;
    }
    return m_checksums.store(database);
}

}  // namespace warpglass::run_file
