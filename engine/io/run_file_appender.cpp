#include "engine/io/run_file_appender.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

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

/// Writes the rows [next, rows) of a table, whose ids they are; fill(row, id) binds the rest of each. `next`
/// is then `rows`.
template <class Fill>
bool RunFileAppender::appendRows(Database& database, std::string_view table, std::size_t& next,
                                 std::size_t rows, Fill&& fill) {
    RowWriter row(database, m_checksums, table);
    if (!row)
        return false;
    for (; next < rows; ++next) {
        fill(row.bind(1, asInteger(next)), next);
        if (!row.run())
            return false;
    }
    return true;
}

/// In place of all rows that the table has.
template <class Items, class Fill>
bool RunFileAppender::replaceRows(Database& database, std::string_view table, const Items& items,
                                  Fill&& fill) {
    std::size_t next = 0;
    return m_checksums.clear(database, table) &&
           appendRows(database, table, next, items.size(),
                      [&](RowWriter& row, std::size_t i) { fill(row, items[i]); });
}

bool RunFileAppender::appendNames(Database& database, const Snapshot& snapshot) {
    return appendRows(database, "strings", m_names, snapshot.nameCount(),
                      [&](RowWriter& row, std::size_t i) { row.bind(2, snapshot.name(NameId(i))); });
}

bool RunFileAppender::appendPlaces(Database& database, const Snapshot& snapshot) {
    return appendRows(database, "places", m_places, snapshot.placeCount(),
                      [&](RowWriter& row, std::size_t i) {
                          const Place place = snapshot.place(PlaceId(i));
                          row.bind(2, static_cast<std::int64_t>(place.phase));
                          bindId(row, 3, place.module);
                          bindId(row, 4, place.part);
                      });
}

bool RunFileAppender::appendDetails(Database& database, const Snapshot& snapshot) {
    return appendRows(
        database, "details", m_details, snapshot.detailCount(), [&](RowWriter& row, std::size_t id) {
            const SpanDetail detail = *snapshot.detail(DetailId(id));
            row.bind(2, static_cast<std::int64_t>(detail.kind));
            row.bind(3, static_cast<std::int64_t>(detail.copy));
            bindId(row, 4, detail.fullName);
            bindId(row, 5, detail.op);
            for (int i = 0; i < 3; ++i) {
                row.bind(6 + i, std::int64_t{detail.grid[static_cast<std::size_t>(i)]});
                row.bind(9 + i, std::int64_t{detail.block[static_cast<std::size_t>(i)]});
            }
            row.bind(12, std::int64_t{detail.registers}).bind(13, detail.staticShared);
            row.bind(14, detail.dynamicShared).bind(15, detail.bytes).bind(16, asInteger(detail.graphNode));
            row.bind(17, static_cast<double>(detail.occupancy));
        });
}

bool RunFileAppender::appendTracks(Database& database, const Snapshot& snapshot) {
    return appendRows(database, "tracks", m_tracks, snapshot.trackCount(),
                      [&](RowWriter& row, std::size_t i) {
                          const TrackInfo& track = snapshot.track(TrackId(i));
                          row.bind(2, static_cast<std::int64_t>(track.kind));
                          bindId(row, 3, track.name);
                      });
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
    auto pairs = snapshot.info().pairs();
    if (m_isCopy && snapshot.info().get("state") == run_state::kRecording &&
        !snapshot.info().has(run_state::kCopyOfRecording))
        pairs.emplace_back(run_state::kCopyOfRecording, "yes");
    if (!replaceRows(database, "info", pairs, [](RowWriter& row, const auto& pair) {
            row.bind(2, std::string_view(pair.first)).bind(3, std::string_view(pair.second));
        }))
        return false;
    m_info = snapshot.info();
    return true;
}

bool RunFileAppender::updateLosses(Database& database, const Snapshot& snapshot) {
    if (m_losses == snapshot.losses())
        return true;
    if (!replaceRows(database, "losses", snapshot.losses(), [](RowWriter& row, const LossCount& loss) {
            row.bind(2, std::string_view(loss.name)).bind(3, asInteger(loss.count));
        }))
        return false;
    m_losses = snapshot.losses();
    return true;
}

bool RunFileAppender::appendClocks(Database& database, const Snapshot& snapshot) {
    const KernelClocksList& kernels = snapshot.kernelClocks();
    if (m_clocks == kernels.size())
        return true;
    if (m_clocks == 0 && !database.execute(creation(fileTable("kernel_clocks")).c_str()))
        return false;
    Buffer data;
    return appendRows(
        database, "kernel_clocks", m_clocks, kernels.size(), [&](RowWriter& row, std::size_t i) {
            const KernelClocks& kernel = kernels[i];
            row.bind(2, std::string_view(kernel.kernel));
            row.bind(3, std::int64_t{kernel.step}).bind(4, std::int64_t{kernel.heads});
            row.bind(5, std::int64_t{kernel.batch}).bind(6, std::int64_t{kernel.tilesOfHead});
            row.bind(7, std::int64_t{kernel.rowsOfTile}).bind(8, std::int64_t{kernel.causal ? 1 : 0});
            row.bind(9, asInteger(kernel.lostTiles)).bind(10, asInteger(kernel.lostRounds));
            data = encodeClocks(kernel);
            row.bind(11, BytesView(data));
        });
}

bool RunFileAppender::replaceOpenSpans(Database& database, const Snapshot& snapshot) {
    const auto& spans = snapshot.openSpans();
    if (std::exchange(m_hasOpenSpans, !spans.empty()) && !m_checksums.clear(database, "open_spans"))
        return false;
    std::size_t next = 0;
    return appendRows(database, "open_spans", next, spans.size(), [&](RowWriter& row, std::size_t i) {
        row.bind(2, std::int64_t{spans[i].lane.value}).bind(3, spans[i].start);
        bindId(row, 4, spans[i].name);
        bindId(row, 5, spans[i].place);
        row.bind(6, std::int64_t{spans[i].step});
    });
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
    const auto appendEvents = [&](Series& series, std::uint64_t rows, auto&& chunkAt) {
        return appendSeries(insert, series, series.rows, rows, progress,
                            [&](std::uint32_t index, std::uint32_t count) -> std::optional<Encoded> {
                                const auto* chunk = chunkAt(index);
                                if (!chunk)
                                    return std::nullopt;
                                const ChunkHeader header = headerOf(*chunk, index, count);
                                return Encoded{header, {}, encode(header, *chunk)};
                            });
    };
    Outcome outcome = appendEvents(m_memoryEvents, snapshot.memoryEventCount(),
                                   [&](std::uint32_t index) { return snapshot.memoryEventChunk(index); });
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
    if (outcome == Outcome::kDone)
        outcome = appendEvents(m_segmentEvents, snapshot.segmentEventCount(),
                               [&](std::uint32_t index) { return snapshot.segmentEventChunk(index); });
    if (outcome == Outcome::kDone)
        outcome = appendEvents(m_counters, snapshot.counterSampleCount(),
                               [&](std::uint32_t index) { return snapshot.counterChunk(index); });
    return outcome;
}

bool RunFileAppender::writeStatistics(Database& database, const std::vector<StatisticsEntry>& statistics) {
    const auto fill = [](RowWriter& row, const StatisticsEntry& entry) {
        row.bind(2, std::string_view(entry.name)).bind(3, entry.family);
        row.bind(4, entry.timeShare)
            .bind(5, entry.total.value)
            .bind(6, entry.selfShare)
            .bind(7, entry.self.value);
        row.bind(8, entry.instances).bind(9, entry.average).bind(10, entry.median);
        row.bind(11, entry.min.value).bind(12, entry.max.value);
        if (entry.spread)
            row.bind(13, *entry.spread);
        else
            row.bindNull(13);
    };
    return replaceRows(database, "statistics", statistics, fill) && m_checksums.store(database);
}

}  // namespace warpglass::run_file
