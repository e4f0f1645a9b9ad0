#include "engine/io/run_file_tables.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "engine/base/format.h"
#include "engine/io/checked_tables.h"
#include "engine/io/kernel_clock_codec.h"
#include "engine/io/utf8.h"

namespace warpglass::run_file {

namespace {

// Capacities of TraceColumns.
constexpr std::uint64_t kMaxNames = 256 * 16384 - 1;  // one is left for the reader's own
constexpr std::uint64_t kMaxPlaces = 256 * 16384;
constexpr std::uint64_t kMaxDetails = 256 * 16384;
constexpr std::uint64_t kMaxTracks = 64 * 64 - 1;
constexpr std::uint64_t kMaxLanes = 64 * 256;
constexpr std::uint32_t kMaxChunksOfSeries = 64 * 256;
/// Mip-maps of chunks take this much in any case, and beyond it so many bytes for each byte of the file. A
/// full chunk has some hundred kilobytes, and its mip-map takes half of that.
constexpr std::uint64_t kMipFloor = std::uint64_t{64} << 20;
constexpr std::uint64_t kMipsPerByte = 16;
/// No run states that much about itself, nests that deep, or loses in that many ways.
constexpr std::uint64_t kMaxSmallRows = 65536;

/// What an id that ought to be below `count` stands for.
template <class Id>
Id idBelow(const Statement& row, int column, std::uint64_t count) {
    if (!row.isInteger(column))
        return Id();
    const std::int64_t value = row.integer(column);
    return value >= 0 && static_cast<std::uint64_t>(value) < count ? Id(value) : Id();
}

std::optional<std::int64_t> integerWithin(const Statement& row, int column, std::int64_t least,
                                          std::int64_t greatest) {
    if (!row.isInteger(column))
        return std::nullopt;
    const std::int64_t value = row.integer(column);
    return value >= least && value <= greatest ? std::optional(value) : std::nullopt;
}

class TableReader {
public:
    TableReader(Database& database, FileTables& tables, int version)
        : m_tables(tables), m_checked(database, version) {
        const auto fileSize = static_cast<std::uint64_t>(database.fileSize());
        m_mipsLeft = (kMipFloor + fileSize * kMipsPerByte) / sizeof(SpanMip);
        m_mostChunks = 1024 + fileSize / 1024;
        m_tables.hasDataSums = m_checked.hasSums();
        m_tables.refusal = m_checked.refusal();
    }

    void readAll() {
        if (!m_tables.refusal.empty())
            return;
        readTotals();
        readInfo();
        readNames();
        readPlaces();
        readDetails();
        readTracks();
        readLanes();
        readLosses();
        readOpenSpans();
        readClocks();
        readChunks();
        const std::vector<std::string> damaged = m_checked.check();
        m_tables.warnings.insert(m_tables.warnings.end(), damaged.begin(), damaged.end());
        m_tables.readAnything = m_checked.readAnything();
    }

private:
    void warnIfMissing(std::uint64_t sound, std::optional<std::uint64_t> expected, const char* what) {
        if (expected && sound < *expected)
            m_tables.warnings.push_back(formatGrouped(static_cast<std::int64_t>(*expected - sound)) + " of " +
                                        formatGrouped(static_cast<std::int64_t>(*expected)) + " " + what +
                                        " are missing from the file.");
    }

    void readTotals() {
        FileTables::Totals& totals = m_tables.totals;
        const std::map<std::string, std::int64_t, std::less<>> values = readTotalValues();
        const auto read = [&](std::string_view key, std::int64_t greatest,
                              int since = 1) -> std::optional<std::int64_t> {
            if (since > m_checked.version())
                return std::nullopt;
            const auto found = values.find(key);
            if (found != values.end() && found->second >= 0 && found->second <= greatest)
                return found->second;
            m_checked.problem("totals", "it does not say what the file should hold");
            return std::nullopt;
        };
        const auto count = [&](std::string_view key, std::uint64_t greatest,
                               int since = 1) -> std::optional<std::uint64_t> {
            const auto value = read(key, static_cast<std::int64_t>(greatest), since);
            return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
        };
        constexpr std::uint64_t maxRows = std::uint64_t{kMaxChunksOfSeries} * kChunkRows;
        totals.names = count("names", kMaxNames);
        totals.places = count("places", kMaxPlaces);
        totals.details = count("details", kMaxDetails, 2);
        totals.tracks = count("tracks", kMaxTracks);
        totals.lanes = count("lanes", kMaxLanes);
        totals.chunks = count("chunks", kMaxLanes * kMaxChunksOfSeries);
        totals.memoryEvents = count("memory_events", maxRows);
        totals.allocations = count("allocations", maxRows);
        totals.segmentEvents = count("segment_events", maxRows, 3);
        totals.counterSamples = count("counter_samples", maxRows);
        totals.end = read("end_ns", kMaxTime);
    }

    std::map<std::string, std::int64_t, std::less<>> readTotalValues() {
        std::map<std::string, std::int64_t, std::less<>> values;
        m_checked.readKeys("totals", "key,value", [&](const Statement& row) {
            if (row.isInteger(1))
                values[std::string(row.text(0))] = row.integer(1);
            return row.isInteger(1);
        });
        return values;
    }

    void readInfo() {
        m_checked.readDense("info", "key,value", 0, std::nullopt, kMaxSmallRows,
                            [&](const Statement& row, std::uint64_t) {
                                const std::string key = validUtf8(row.text(1));
                                if (!key.empty() && m_checked.takeText("info", row.text(1)) &&
                                    m_checked.takeText("info", row.text(2)))
                                    m_tables.info.set(key, validUtf8(row.text(2)));
                                return !key.empty();
                            });
        if (!m_tables.info.has("state"))
            m_tables.warnings.emplace_back("The run information is missing or incomplete.");
    }

    void readNames() {
        auto& names = m_tables.names;
        const std::uint64_t sound =
            m_checked.readDense("strings", "text", 0, m_tables.totals.names, kMaxNames,
                                [&](const Statement& row, std::uint64_t id) {
                                    names.resize(static_cast<std::size_t>(id) + 1);
                                    const bool taken = m_checked.takeText("strings", row.text(1));
                                    if (taken)
                                        names.back() = validUtf8(row.text(1));
                                    return taken;
                                });
        warnIfMissing(sound, m_tables.totals.names, "names");
    }

    void readPlaces() {
        auto& places = m_tables.places;
        const std::uint64_t names = m_tables.names.size();
        const std::uint64_t sound = m_checked.readDense(
            "places", "phase,module,part", 0, m_tables.totals.places, kMaxPlaces,
            [&](const Statement& row, std::uint64_t id) {
                places.resize(static_cast<std::size_t>(id) + 1);
                const auto phase = integerWithin(row, 1, 0, kPhaseCount - 1);
                places.back() = {static_cast<Phase>(phase.value_or(0)), idBelow<NameId>(row, 2, names),
                                 idBelow<NameId>(row, 3, names)};
                return phase.has_value();
            });
        warnIfMissing(sound, m_tables.totals.places, "places");
        m_tables.lostPlaces =
            m_tables.totals.places.value_or(sound) - std::min(m_tables.totals.places.value_or(sound), sound);
    }

    void readDetails() {
        auto& details = m_tables.details;
        const std::uint64_t names = m_tables.names.size();
        const std::uint64_t sound = m_checked.readDense(
            "details",
            "kind,copy,full_name,op,grid_x,grid_y,grid_z,block_x,block_y,block_z,registers,static_shared,"
            "dynamic_shared,bytes,graph_node,occupancy",
            0, m_tables.totals.details, kMaxDetails, [&](const Statement& row, std::uint64_t id) {
                details.resize(static_cast<std::size_t>(id) + 1);
                const auto kind = integerWithin(row, 1, 0, kDetailKindNames.size() - 1);
                const auto copy = integerWithin(row, 2, 0, kCopyKindNames.size() - 1);
                std::array<std::optional<std::int64_t>, 7> small;  // grid, block, registers
                for (int i = 0; i < 7; ++i)
                    small[static_cast<std::size_t>(i)] =
                        integerWithin(row, 5 + i, 0, std::numeric_limits<std::uint32_t>::max());
                const auto staticShared = integerWithin(row, 12, 0, kMaxBytes);
                const auto dynamicShared = integerWithin(row, 13, 0, kMaxBytes);
                const auto bytes = integerWithin(row, 14, 0, kMaxBytes);
                const double occupancy = row.real(16);
                if (!kind || !copy || !staticShared || !dynamicShared || !bytes || !row.isInteger(15) ||
                    !(occupancy >= 0 && occupancy <= 1) ||
                    !std::ranges::all_of(small, [](const auto& value) { return value.has_value(); }))
                    return false;
                const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(*small[i]); };
                details.back() = {static_cast<DetailKind>(*kind),
                                  static_cast<CopyKind>(*copy),
                                  idBelow<NameId>(row, 3, names),
                                  idBelow<NameId>(row, 4, names),
                                  {at(0), at(1), at(2)},
                                  {at(3), at(4), at(5)},
                                  at(6),
                                  *staticShared,
                                  *dynamicShared,
                                  *bytes,
                                  static_cast<std::uint64_t>(row.integer(15)),
                                  static_cast<float>(occupancy)};
                return true;
            });
        warnIfMissing(sound, m_tables.totals.details, "kernel details");
    }

    void readTracks() {
        auto& tracks = m_tables.tracks;
        const std::uint64_t sound = m_checked.readDense(
            "tracks", "kind,name", 0, m_tables.totals.tracks, kMaxTracks,
            [&](const Statement& row, std::uint64_t id) {
                tracks.resize(static_cast<std::size_t>(id) + 1, TrackInfo{TrackKind::kCpuThread, NameId()});
                const auto kind = integerWithin(row, 1, 0, kTrackKindNames.size() - 1);
                if (kind)
                    tracks.back() = {static_cast<TrackKind>(*kind),
                                     idBelow<NameId>(row, 2, m_tables.names.size())};
                return kind.has_value();
            });
        warnIfMissing(sound, m_tables.totals.tracks, "tracks");
    }

    void readLanes() {
        auto& lanes = m_tables.lanes;
        const std::uint64_t sound = m_checked.readDense(
            "lanes", "track,depth,rows", 0, m_tables.totals.lanes, kMaxLanes,
            [&](const Statement& row, std::uint64_t id) {
                lanes.resize(static_cast<std::size_t>(id) + 1);
                const auto track = idBelow<TrackId>(row, 1, m_tables.tracks.size());
                const auto depth = integerWithin(row, 2, 0, kMaxLanes - 1);
                const auto rows = integerWithin(row, 3, 0, std::numeric_limits<std::int64_t>::max());
                if (!track.valid() || !depth || !rows)
                    return false;
                lanes.back() = {track, static_cast<std::uint32_t>(*depth), static_cast<std::uint64_t>(*rows)};
                return true;
            });
        warnIfMissing(sound, m_tables.totals.lanes, "lanes");
    }

    void readLosses() {
        m_checked.readDense(
            "losses", "name,count", 0, std::nullopt, kMaxSmallRows, [&](const Statement& row, std::uint64_t) {
                const auto count = integerWithin(row, 2, 0, std::numeric_limits<std::int64_t>::max());
                if (count && m_checked.takeText("losses", row.text(1)))
                    m_tables.losses.push_back({validUtf8(row.text(1)), static_cast<std::uint64_t>(*count)});
                return count.has_value();
            });
    }

    void readOpenSpans() {
        m_checked.readDense("open_spans", "lane,start_ns,name,place,step", 0, std::nullopt, kMaxSmallRows,
                            [&](const Statement& row, std::uint64_t) {
                                OpenSpan span;
                                span.lane = idBelow<LaneId>(row, 1, m_tables.lanes.size());
                                const auto start = integerWithin(row, 2, -kMaxTime, kMaxTime);
                                const auto step = integerWithin(row, 5, kNoStep, kMaxStep);
                                if (!span.lane.valid() || !start || !step)
                                    return false;
                                span.start = *start;
                                span.name = idBelow<NameId>(row, 3, m_tables.names.size());
                                span.place = idBelow<PlaceId>(row, 4, m_tables.places.size());
                                span.step = static_cast<std::int32_t>(*step);
                                m_tables.openSpans.push_back(span);
                                return true;
                            });
    }

    void readClocks() {
        m_checked.readDense(
            "kernel_clocks",
            "kernel,step,heads,batch,tiles_of_head,rows_of_tile,causal,lost_tiles,lost_rounds,data", 0,
            std::nullopt, kMostClockedKernels, [&](const Statement& row, std::uint64_t) {
                constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
                const auto step = integerWithin(row, 2, kNoStep, kMaxStep);
                std::array<std::optional<std::int64_t>, 5> small;  // heads … causal
                for (int i = 0; i < 5; ++i)
                    small[static_cast<std::size_t>(i)] = integerWithin(row, 3 + i, 0, kMost);
                const auto lostTiles = integerWithin(row, 8, 0, kMost);
                const auto lostRounds = integerWithin(row, 9, 0, kMost);
                KernelClocks clocks;
                if (!step || !lostTiles || !lostRounds || !m_checked.takeText("kernel_clocks", row.text(1)) ||
                    !std::ranges::all_of(small, [](const auto& value) { return value.has_value(); }) ||
                    !decodeClocks(row.blob(10), clocks)) {
                    m_checked.problem("kernel_clocks", "a row cannot be read");
                    return false;
                }
                const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(*small[i]); };
                clocks.kernel = validUtf8(row.text(1));
                clocks.step = static_cast<std::int32_t>(*step);
                clocks.heads = at(0);
                clocks.batch = at(1);
                clocks.tilesOfHead = at(2);
                clocks.rowsOfTile = at(3);
                clocks.causal = at(4) != 0;
                clocks.lostTiles = static_cast<std::uint64_t>(*lostTiles);
                clocks.lostRounds = static_cast<std::uint64_t>(*lostRounds);
                m_tables.clocks.push_back(std::move(clocks));
                return true;
            });
    }

    void readChunks() {
        // A series' last chunk may be as small as one row; full ones take far more than a kilobyte.
        const std::uint64_t limit = m_tables.lanes.size() + m_mostChunks;
        const bool sums = m_tables.hasDataSums;
        m_checked.readDense(
            "chunks",
            sums ? "kind,lane,chunk,rows,begin_ns,end_ns,data_sum,mip"
                 : "kind,lane,chunk,rows,begin_ns,end_ns,mip",
            1, m_tables.totals.chunks, limit, [&](const Statement& row, std::uint64_t id) {
                const auto header = readHeader(row);
                if (!header)
                    return false;
                ChunkEntry entry{static_cast<std::int64_t>(id), *header, nullptr};
                if (header->kind == ChunkKind::kSpans) {
                    if (m_mipsLeft == 0) {
                        m_checked.problem("chunks", "it has more chunks than the file has room for");
                        return false;
                    }
                    --m_mipsLeft;
                    entry.mip = decodeMip(*header, row.blob(sums ? 8 : 7), m_tables.idLimits());
                }
                m_tables.chunks.push_back(std::move(entry));
                return true;
            });
    }

    static std::optional<ChunkHeader> readHeader(const Statement& row) {
        const auto kind = integerWithin(row, 1, 0, kChunkKindCount - 1);
        const auto lane = integerWithin(row, 2, 0, kMaxLanes - 1);
        const auto chunk = integerWithin(row, 3, 0, kMaxChunksOfSeries - 1);
        const auto rows = integerWithin(row, 4, 1, kChunkRows);
        const auto begin = integerWithin(row, 5, -kMaxTime, kMaxTime);
        const auto end = integerWithin(row, 6, -kMaxTime, kMaxTime);
        if (!kind || !lane || !chunk || !rows || !begin || !end || *begin > *end)
            return std::nullopt;
        const ChunkHeader header{static_cast<ChunkKind>(*kind),
                                 static_cast<std::uint32_t>(*lane),
                                 static_cast<std::uint32_t>(*chunk),
                                 static_cast<std::uint32_t>(*rows),
                                 *begin,
                                 *end};
        return header.kind != ChunkKind::kSpans && header.lane != 0 ? std::nullopt : std::optional(header);
    }

    FileTables& m_tables;
    CheckedTables m_checked;
    std::uint64_t m_mipsLeft = 0;
    std::uint64_t m_mostChunks = 0;  // besides one a lane
};

}  // namespace

FileTables readTables(Database& database, int version) {
    FileTables tables;
    TableReader(database, tables, version).readAll();
    return tables;
}

}  // namespace warpglass::run_file
