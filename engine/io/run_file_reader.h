// An opened run file: its tables mounted as a Snapshot whose chunks are loaded when they are first read.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/io/chunk_order.h"
#include "engine/io/mark_table.h"
#include "engine/io/run_file_source.h"
#include "engine/io/run_file_tables.h"
#include "engine/io/sqlite_database.h"
#include "engine/trace/missing_records.h"
#include "engine/trace/snapshot.h"

namespace warpglass::run_file {

/// The snapshot's chunks keep the reader, and so the file, for as long as they live. Loading is thread-safe:
/// the file is read under a mutex, decoding is done outside it.
class RunFileReader : public std::enable_shared_from_this<RunFileReader> {
public:
    static Result<std::shared_ptr<RunFileReader>> open(const std::filesystem::path& path);
    /// The same of a file that is open; `path` is what sentences name.
    static Result<std::shared_ptr<RunFileReader>> open(const std::filesystem::path& path, RunSource source);

    /// Puts the columns together; once.
    std::shared_ptr<const Snapshot> mount();
    /// Complete after mount().
    const std::vector<std::string>& warnings() const { return m_warnings; }
    /// Those warnings that speak of the file: not how the run ended, nor what the recording itself lost.
    std::vector<std::string> damage() const;
    MarkTable readMarks() const;
    /// Whether a process went on recording into the file when it was opened.
    bool isBeingRecorded() const { return m_isBeingRecorded; }
    /// Mounts the run, and reads every table, chunk and mark of it once, keeping none: one sentence for each
    /// that is damaged.
    std::vector<std::string> verify();
    /// As they were read. Before mount(), which takes what it needs out of them.
    const FileTables& tables() const { return m_tables; }
    /// How many records the file should hold and does not, or not readably. After verify().
    std::uint64_t lostRecords() const;

private:
    RunFileReader(std::filesystem::path path, RunSource source);
    /// That it is a run file of a version we read, from its first 100 bytes.
    std::optional<Error> checkHeader();
    std::optional<Error> readEverything();
    /// Sets the connection up for reading, and begins a transaction.
    bool begin() const;
    void warnOfCuts();
    std::string recordingSentence() const;
    RunInfo infoWithState() const;

    /// Chunks of spans whose mip is damaged get one from their rows, or are dropped with them.
    void repairMips();
    /// Chunks of lanes that the file no longer describes go to a track of their own.
    void adoptLostLanes();
    void mountLane(TraceColumns& columns, const LaneEntry& lane, const ChunkSeries& series);
    template <class Chunk, class Decode>
    void mountSeries(ChunkDirectory<Chunk>& directory, const ChunkSeries& series, Decode decode,
                     const std::shared_ptr<DamageLog>& damage);
    void countLost(const ChunkSeries& series, std::uint64_t expected, RecordKind kind);
    void warnOfLost(std::uint64_t lost, std::uint64_t present, const char* what);

    /// The compressed rows of a chunk; empty when they cannot be read. Any thread.
    Buffer loadFrame(std::int64_t id) const;
    std::optional<Buffer> readFrame(std::int64_t id) const;
    /// The sentence of a chunk that could not be read.
    std::string lossOf(const ChunkHeader& header) const;
    template <class Chunk, class Decode>
    std::unique_ptr<ChunkSlot<Chunk>> makeSlot(const ChunkEntry* entry, Decode decode,
                                               const std::shared_ptr<DamageLog>& damage) const;
    bool isSound(const ChunkEntry& entry) const;

    std::filesystem::path m_path;
    mutable std::mutex m_mutex;
    // Guarded by m_mutex once mounted.
    mutable Database m_database;
    mutable bool m_isFile = true;  // not a copy, nor read past its journal
    mutable bool m_wasReplaced = false;
    bool m_isBeingRecorded = false;
    int m_version = 0;
    FileTables m_tables;
    IdLimits m_limits;
    MissingRecords m_missing;
    std::uint64_t m_unreadable = 0;  // rows of the chunks that verify() found damaged
    std::vector<std::string> m_warnings;
    std::vector<std::string> m_remarks;  // the warnings that damage() leaves out
};

}  // namespace warpglass::run_file
