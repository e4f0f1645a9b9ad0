#include "engine/io/run_file_reader.h"

#include <sqlite3.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/format.h"
#include "engine/io/sqlite_header.h"
#include "engine/io/table_checksum.h"

namespace warpglass::run_file {

namespace {

namespace fs = std::filesystem;

/// One chunk at its widest, with its mip, is below 6 MB.
constexpr int kMaxValueSize = 16 << 20;
/// No value is larger than its file, but a file that is being recorded grows.
constexpr std::int64_t kLeastValueLimit = 1 << 20;

Error cannotOpen(const fs::path& path, const std::string& cause) {
    return Error{"cannot open " + path.string() + ": " + cause};
}

std::string describe(const ChunkHeader& header) {
    static constexpr std::string_view kRowNames[kChunkKindCount] = {"spans", "memory events", "allocations",
                                                                    "counter samples", "segment events"};
    std::string text = formatGrouped(header.rows) + " ";
    text += kRowNames[static_cast<std::size_t>(header.kind)];
    if (header.kind == ChunkKind::kSpans)
        text += " of lane " + std::to_string(header.lane);
    if (header.kind != ChunkKind::kAllocations)
        text += " from " + formatDuration(Nanoseconds(header.begin)) + " to " +
                formatDuration(Nanoseconds(header.end));
    return text + " (chunk " + std::to_string(header.chunk) + ")";
}

std::string damageOf(const ChunkHeader& header) {
    return "Damaged, and so lost: " + describe(header) + ".";
}

}  // namespace

Result<std::shared_ptr<RunFileReader>> RunFileReader::open(const fs::path& path) {
    if (auto problem = fileProblem(path))
        return *problem;
    auto source = openToRead(path);
    if (!source)
        return source.error();
    return open(path, std::move(*source));
}

Result<std::shared_ptr<RunFileReader>> RunFileReader::open(const fs::path& path, RunSource source) {
    std::shared_ptr<RunFileReader> reader(new RunFileReader(path, std::move(source)));
    if (auto problem = reader->checkHeader())
        return *problem;
    if (auto problem = reader->readEverything())
        return *problem;
    return reader;
}

RunFileReader::RunFileReader(fs::path path, RunSource source)
    : m_path(std::move(path)), m_database(std::move(source.database)), m_isFile(source.isFile) {
    if (source.warning.empty())
        return;
    if (!source.mayLack)
        m_remarks.push_back(source.warning);
    else
        m_warnings.push_back(std::move(source.warning));
}

std::optional<Error> RunFileReader::checkHeader() {
    const std::string header = m_database.rawBytes(0, kHeaderSize);
    if (!header.starts_with(kMagic) && !kMagic.starts_with(header))
        return cannotOpen(m_path, "it is not a Warpglass run file");
    if (header.size() < static_cast<std::size_t>(kHeaderSize))
        return cannotOpen(m_path, "it is cut off after " + formatGrouped(m_database.fileSize()) +
                                      " bytes, and nothing in it can be read");
    if (bigEndian32(header, kApplicationIdOffset) != static_cast<std::uint32_t>(kApplicationId))
        return cannotOpen(m_path, "it is a SQLite database, but not a Warpglass run file");
    const auto version = static_cast<std::int32_t>(bigEndian32(header, kUserVersionOffset));
    if (version > kFormatVersion)
        return cannotOpen(m_path, "it has format version " + std::to_string(version) +
                                      ", and this Warpglass reads versions up to " +
                                      std::to_string(kFormatVersion) + "; a newer Warpglass can open it");
    if (version < 1)
        return cannotOpen(m_path,
                          "its format version, " + std::to_string(version) + ", is none that ever was");
    m_version = version;
    return std::nullopt;
}

bool RunFileReader::begin() const {
    m_database.limitValueSize(
        static_cast<int>(std::clamp<std::int64_t>(m_database.fileSize(), kLeastValueLimit, kMaxValueSize)));
    // writable_schema lets SQLite read a file that is shorter than its header says. One read transaction
    // makes the tables agree with one another while a recording goes on.
    return m_database.execute(
        "PRAGMA writable_schema=ON; PRAGMA query_only=ON; PRAGMA cell_size_check=ON; BEGIN;"
        "SELECT count(*) FROM sqlite_schema;");
}

std::optional<Error> RunFileReader::readEverything() {
    const bool wasBeingRecorded = m_isFile && m_database.isBeingWritten();
    if (!begin()) {
        const DatabaseError error = m_database.lastError();
        const int code = error.code & 0xff;
        if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
            return cannotOpen(m_path, "it is damaged, and nothing in it can be read");
        return cannotOpen(m_path, error.cause);
    }
    // A crafted file could make SQLite search for ever; an honest one of this size takes far fewer steps.
    m_database.limitWork(m_database.fileSize());
    m_tables = readTables(m_database, m_version);
    m_database.execute("COMMIT");
    m_database.limitWork(-1);
    if (!m_tables.refusal.empty())
        return cannotOpen(m_path, m_tables.refusal);
    if (!m_tables.readAnything)
        return cannotOpen(m_path, "it is damaged, and nothing in it can be read");
    const bool recording = m_tables.info.get("state") == run_state::kRecording;
    m_isBeingRecorded = recording && m_isFile && (wasBeingRecorded || run_file::isBeingRecorded(m_database));
    warnOfCuts();
    // A complete file is read without its journal from now on: one that comes may be of a newer recording of
    // this name.
    if (m_tables.info.has("state") && !recording && m_isFile) {
        auto complete = Database::open(m_database.path(), Database::Mode::kImmutable, m_path);
        if (complete && !m_database.hasMoved()) {
            m_database = std::move(*complete);
            begin();
        }
    }
    return std::nullopt;
}

void RunFileReader::warnOfCuts() {
    const std::string header = m_database.rawBytes(0, kHeaderSize);
    if (header.size() == static_cast<std::size_t>(kHeaderSize)) {
        const std::int64_t expected =
            std::int64_t{pageSizeOf(header)} * std::int64_t{bigEndian32(header, kPageCountOffset)};
        const std::int64_t size = m_database.fileSize();
        if (size < expected)
            m_warnings.push_back("The file is cut off: " + formatGrouped(expected - size) + " of " +
                                 formatGrouped(expected) + " bytes are missing.");
    }
    if (m_tables.info.get("state") == run_state::kRecording)
        m_remarks.push_back(recordingSentence());
    for (const LossCount& loss : m_tables.losses)
        m_remarks.push_back("Lost while recording: " + formatGrouped(static_cast<std::int64_t>(loss.count)) +
                            " × " + loss.name + ".");
    if (const std::string problem = m_tables.info.get("capture.problem"); !problem.empty())
        m_remarks.push_back("Kernels were not recorded: " + problem + ".");
    m_warnings.insert(m_warnings.end(), m_remarks.begin(), m_remarks.end());
    m_warnings.insert(m_warnings.end(), m_tables.warnings.begin(), m_tables.warnings.end());
}

/// What the run states of itself; of a recording that nobody goes on with, that it was cut off, and when.
RunInfo RunFileReader::infoWithState() const {
    RunInfo info = m_tables.info;
    if (info.get("state") == run_state::kRecording && !m_isBeingRecorded) {
        info.set("state", run_state::kCutOff);
        info.set("state.message", recordingSentence());
    }
    return info;
}

/// What is said of a run whose file does not say that it ended.
std::string RunFileReader::recordingSentence() const {
    const Nanoseconds end(m_tables.totals.end.value_or(0));
    const bool isEmpty = end.value == 0 && m_tables.chunks.empty();
    if (m_isBeingRecorded)
        return isEmpty ? "The run is still being recorded: nothing of it is in the file yet."
                       : "The run is still being recorded: the file holds its first " + formatDuration(end) +
                             " so far.";
    if (m_tables.info.has(run_state::kCopyOfRecording))
        return "The copy was saved while the run was still being recorded: it holds its first " +
               formatDuration(end) + ".";
    return isEmpty ? "The recording was cut off before anything was in the file."
                   : "The recording was cut off: the run had not ended when the file was last written, at " +
                         formatDuration(end) + ".";
}

std::vector<std::string> RunFileReader::damage() const {
    std::vector<std::string> sentences;
    std::ranges::copy_if(m_warnings, std::back_inserter(sentences), [this](const std::string& sentence) {
        return std::ranges::find(m_remarks, sentence) == m_remarks.end();
    });
    return sentences;
}

Buffer RunFileReader::loadFrame(std::int64_t id) const {
    const std::lock_guard lock(m_mutex);
    std::optional<Buffer> data = readFrame(id);
    if (!data && m_isFile && (m_database.lastError().code & 0xff) == SQLITE_READONLY) {
        // The recording was killed in the midst of a write since. Another file that has the name by now is
        // another run: it is this one that has to be there before and after.
        auto source = openToRead(m_database.path());
        m_wasReplaced = m_database.hasMoved();
        if (source && !m_wasReplaced) {
            m_database = std::move(source->database);
            m_isFile = source->isFile;
            begin();
            m_database.execute("COMMIT");
            data = readFrame(id);
        }
    }
    return data ? std::move(*data) : Buffer();
}

std::string RunFileReader::lossOf(const ChunkHeader& header) const {
    const std::lock_guard lock(m_mutex);
    return m_wasReplaced
               ? "Lost, as the file was replaced, moved or deleted while it was open: " + describe(header) +
                     "."
               : damageOf(header);
}

std::optional<Buffer> RunFileReader::readFrame(std::int64_t id) const {
    Statement select;
    const char* const sql = m_tables.hasDataSums ? "SELECT data,data_sum FROM chunks WHERE id=?"
                                                 : "SELECT data FROM chunks WHERE id=?";
    if (!m_database.prepare(select, sql) || select.bind(1, id).step() != Statement::Row::kYes)
        return std::nullopt;
    const BytesView data = select.blob(0);
    // A frame of another run is sound by itself.
    if (m_tables.hasDataSums && static_cast<std::int64_t>(hashOf(data)) != select.integer(1))
        return Buffer();
    return Buffer(data.begin(), data.end());
}

MarkTable RunFileReader::readMarks() const {
    const std::lock_guard lock(m_mutex);
    MarkTable marks = readMarkTable(m_database);
    m_database.limitWork(-1);
    m_database.limitValueSize(kMaxValueSize);
    return marks;
}

bool RunFileReader::isSound(const ChunkEntry& entry) const {
    const Buffer frame = loadFrame(entry.id);
    switch (entry.header.kind) {
        case ChunkKind::kSpans:
            return decodeSpans(entry.header, frame, m_limits) != nullptr;
        case ChunkKind::kMemoryEvents:
            return decodeMemoryEvents(entry.header, frame, m_limits) != nullptr;
        case ChunkKind::kAllocations:
            return decodeAllocations(entry.header, frame, m_limits) != nullptr;
        case ChunkKind::kCounters:
            return decodeCounters(entry.header, frame, m_limits) != nullptr;
        case ChunkKind::kSegmentEvents:
            return decodeSegmentEvents(entry.header, frame, m_limits) != nullptr;
    }
    return false;
}

void RunFileReader::repairMips() {
    for (ChunkEntry& entry : m_tables.chunks) {
        if (entry.header.kind != ChunkKind::kSpans || entry.mip)
            continue;
        if (const auto rows = decodeSpans(entry.header, loadFrame(entry.id), m_limits))
            entry.mip = buildMip(*rows, entry.header.rows);
    }
    std::erase_if(m_tables.chunks, [](const ChunkEntry& entry) {
        return entry.header.kind == ChunkKind::kSpans && !entry.mip;
    });
}

void RunFileReader::adoptLostLanes() {
    auto& lanes = m_tables.lanes;
    for (const ChunkEntry& entry : m_tables.chunks) {
        if (entry.header.kind == ChunkKind::kSpans && entry.header.lane >= lanes.size())
            lanes.resize(entry.header.lane + std::size_t{1});
    }
    const bool anyLost = std::ranges::any_of(lanes, [](const LaneEntry& l) { return !l.track.valid(); });
    if (!anyLost)
        return;
    const TrackId track(m_tables.tracks.size());
    m_tables.names.emplace_back("lost track");
    m_tables.tracks.push_back({TrackKind::kCpuThread, NameId(m_tables.names.size() - 1)});
    std::uint32_t depth = 0;
    for (LaneEntry& lane : lanes) {
        if (!lane.track.valid())
            lane = {track, depth++, 0};
    }
}

template <class Chunk, class Decode>
std::unique_ptr<ChunkSlot<Chunk>> RunFileReader::makeSlot(const ChunkEntry* entry, Decode decode,
                                                          const std::shared_ptr<DamageLog>& damage) const {
    if (!entry)
        return ChunkSlot<Chunk>::makeLazy([] { return std::unique_ptr<Chunk>(); });
    return ChunkSlot<Chunk>::makeLazy([self = shared_from_this(), decode, damage, id = entry->id,
                                       header = entry->header, limits = m_limits] {
        auto rows = decode(header, self->loadFrame(id), limits);
        if (!rows)
            damage->add(self->lossOf(header));
        return rows;
    });
}

template <class Chunk, class Decode>
void RunFileReader::mountSeries(ChunkDirectory<Chunk>& directory, const ChunkSeries& series, Decode decode,
                                const std::shared_ptr<DamageLog>& damage) {
    for (const ChunkEntry* entry : series.chunks)
        directory.pushBack(makeSlot<Chunk>(entry, decode, damage));
}

void RunFileReader::mountLane(TraceColumns& columns, const LaneEntry& lane, const ChunkSeries& series) {
    auto store = std::make_unique<LaneStore>();
    store->track = lane.track;
    store->depth = lane.depth;
    mountSeries(store->chunks, series, &decodeSpans, columns.damage);
    std::int64_t lastEnd = 0;
    for (ChunkEntry* entry : series.chunks) {
        if (entry) {
            lastEnd = entry->header.end;
            store->mounted.push_back({entry->header.begin, entry->header.end});
            store->mips.pushBack(std::move(entry->mip));
            continue;
        }
        // Lost rows take no time and stand where the rows before them end, so searches still find their way.
        auto mip = std::make_unique<SpanMip>();
        for (SpanSummary& block : mip->blocks)
            block.start = block.end = lastEnd;
        for (SpanSummary& block : mip->superBlocks)
            block.start = block.end = lastEnd;
        store->mounted.push_back({lastEnd, lastEnd});
        store->mips.pushBack(std::move(mip));
    }
    columns.lanes.pushBack(std::move(store));
}

void RunFileReader::countLost(const ChunkSeries& series, std::uint64_t expected, RecordKind kind) {
    MissingRecords::Count& count = m_missing.of(kind);
    // A file may state any number: sums of it stay below the largest that is printed.
    const auto add = [](std::uint64_t& sum, std::uint64_t rows) {
        constexpr std::uint64_t kMost = INT64_MAX;
        sum = std::min(kMost, sum + std::min(kMost, rows));
    };
    add(count.missing, series.lostRows);
    add(count.amidst, series.amidstRows);
    add(count.total, std::max(series.rows, expected));
}

void RunFileReader::warnOfLost(std::uint64_t lost, std::uint64_t present, const char* what) {
    if (lost > 0)
        m_warnings.push_back(formatGrouped(static_cast<std::int64_t>(lost)) + " of " +
                             formatGrouped(static_cast<std::int64_t>(present)) + " " + what +
                             " are missing from the file.");
}

std::shared_ptr<const Snapshot> RunFileReader::mount() {
    m_limits = m_tables.idLimits();
    m_limits.allocations = AllocationId::kNone;  // until they have been counted
    const std::size_t chunksInFile = m_tables.chunks.size();
    repairMips();
    adoptLostLanes();
    ChunkOrder order(m_tables.chunks, chunksInFile,
                     [this](const ChunkEntry& entry) { return isSound(entry); });

    auto columns = std::make_shared<TraceColumns>();
    SnapshotSizes sizes;
    std::uint64_t spans = 0, lostSpans = 0;
    std::vector<ChunkSeries> laneSeries;
    for (std::size_t i = 0; i < m_tables.lanes.size(); ++i) {
        const std::uint64_t expected = m_tables.lanes[i].rows;
        laneSeries.push_back(order.series(ChunkKind::kSpans, static_cast<std::uint32_t>(i), expected));
        spans += std::max(expected, laneSeries.back().rows);
        lostSpans += laneSeries.back().lostRows;
        countLost(laneSeries.back(), expected,
                  recordKindOf(m_tables.tracks[m_tables.lanes[i].track.index()].kind));
    }
    const FileTables::Totals& totals = m_tables.totals;
    const ChunkSeries events = order.series(ChunkKind::kMemoryEvents, 0, totals.memoryEvents);
    const ChunkSeries allocations = order.series(ChunkKind::kAllocations, 0, totals.allocations);
    const ChunkSeries segments = order.series(ChunkKind::kSegmentEvents, 0, totals.segmentEvents);
    const ChunkSeries counters = order.series(ChunkKind::kCounters, 0, totals.counterSamples);
    m_missing.of(RecordKind::kPlaces) = {m_tables.lostPlaces, totals.places.value_or(0)};
    countLost(events, totals.memoryEvents.value_or(0), RecordKind::kMemoryEvents);
    countLost(allocations, totals.allocations.value_or(0), RecordKind::kAllocations);
    countLost(segments, totals.segmentEvents.value_or(0), RecordKind::kSegments);
    countLost(counters, totals.counterSamples.value_or(0), RecordKind::kCounters);
    warnOfLost(lostSpans, spans, "spans");
    warnOfLost(events.lostRows, std::max(events.rows, totals.memoryEvents.value_or(0)), "memory events");
    warnOfLost(allocations.lostRows, std::max(allocations.rows, totals.allocations.value_or(0)),
               "allocations");
    warnOfLost(segments.lostRows, std::max(segments.rows, totals.segmentEvents.value_or(0)),
               "segment events");
    warnOfLost(counters.lostRows, std::max(counters.rows, totals.counterSamples.value_or(0)),
               "counter samples");

    // Allocations whose rows are lost still count, as far as there can be events of them.
    sizes.allocations = std::max(allocations.rows, std::min(totals.allocations.value_or(0), events.rows));
    sizes.settledAllocations = sizes.allocations;
    // Those behind the last chunk stand among the others now, as rows that cannot be read.
    const std::uint64_t inChunks = allocations.chunks.size() * kChunkRows;
    m_missing.of(RecordKind::kAllocations).amidst +=
        sizes.allocations - std::min(sizes.allocations, inChunks);
    sizes.memoryEvents = events.rows;
    sizes.segmentEvents = segments.rows;
    sizes.counterSamples = counters.rows;
    m_limits = m_tables.idLimits();
    m_limits.allocations = sizes.allocations;

    // A run that does not say how it stands may never have said it.
    if (damage().size() > (m_tables.info.has("state") ? 0u : 1u))
        stateMissing(m_tables.info, m_missing);

    std::int64_t end = totals.end.value_or(0);
    for (const ChunkEntry& entry : m_tables.chunks)
        end = std::max(end, entry.header.end);
    for (std::size_t i = 0; i < laneSeries.size(); ++i) {
        mountLane(*columns, m_tables.lanes[i], laneSeries[i]);
        sizes.laneRows.push_back(laneSeries[i].rows);
    }
    mountSeries(columns->memoryEvents, events, &decodeMemoryEvents, columns->damage);
    mountSeries(columns->allocations, allocations, &decodeAllocations, columns->damage);
    mountSeries(columns->segmentEvents, segments, &decodeSegmentEvents, columns->damage);
    mountSeries(columns->counters, counters, &decodeCounters, columns->damage);
    while (columns->allocations.size() * kChunkRows < sizes.allocations)
        columns->allocations.pushBack(
            makeSlot<AllocationChunk>(nullptr, &decodeAllocations, columns->damage));
    for (std::string& name : m_tables.names)
        columns->names.pushBack(std::move(name));
    for (const Place& place : m_tables.places)
        columns->places.pushBack(place);
    for (const SpanDetail& detail : m_tables.details)
        columns->details.pushBack(detail);
    for (const TrackInfo& track : m_tables.tracks)
        columns->tracks.pushBack(track);
    sizes.names = columns->names.size();
    sizes.places = columns->places.size();
    sizes.details = columns->details.size();
    sizes.tracks = columns->tracks.size();
    return std::make_shared<const Snapshot>(
        std::move(columns), std::move(sizes), std::vector<Category>(), m_tables.openSpans,
        std::make_shared<const RunInfo>(infoWithState()), m_tables.losses, Nanoseconds(end), 1,
        std::make_shared<const KernelClocksList>(std::move(m_tables.clocks)));
}

std::vector<std::string> RunFileReader::verify() {
    const auto snapshot = mount();
    std::vector<std::string> damaged = damage();
    for (const ChunkEntry& entry : m_tables.chunks) {
        if (isSound(entry))
            continue;
        damaged.push_back(damageOf(entry.header));
        m_unreadable += entry.header.rows;
    }
    if (const MarkTable marks = readMarks(); !marks.problem.empty())
        damaged.push_back(marks.sentence());
    return damaged;
}

std::uint64_t RunFileReader::lostRecords() const {
    std::uint64_t lost = m_unreadable;
    for (const MissingRecords::Count& count : m_missing.counts)
        lost += std::min<std::uint64_t>(count.missing, UINT64_MAX - lost);
    return lost;
}

}  // namespace warpglass::run_file
