// Puts what a snapshot adds to the last one written into an open run file. The caller owns the transaction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/io/chunk_codec.h"
#include "engine/io/run_file.h"
#include "engine/io/sqlite_database.h"
#include "engine/io/table_checksum.h"
#include "engine/trace/snapshot.h"

namespace warpglass::run_file {

/// Makes the tables and stamps the header, in the caller's transaction.
bool createTables(Database& database);

class RunFileAppender {
public:
    /// kCopy: the file is whole with one append(), and says so of a run that goes on.
    enum class Purpose { kRecording, kCopy };
    explicit RunFileAppender(Purpose purpose = Purpose::kRecording) : m_isCopy(purpose == Purpose::kCopy) {
        m_checksums.beginFile();
    }

    enum class Outcome { kDone, kFailed, kCanceled };

    /// Snapshots must be of one run, each as late as or later than the one before. kFailed is the database's
    /// failure; then neither the file nor this object is up to date. `progress` as in writeRun().
    Outcome append(Database& database, const Snapshot& snapshot,
                   const std::function<bool(double)>& progress = {});
    /// The op statistics, once, at the end.
    bool writeStatistics(Database& database, const std::vector<StatisticsEntry>& statistics);

private:
    /// What one series of chunks has in the file: its rows, and each chunk's id.
    struct Series {
        std::uint64_t rows = 0;
        std::vector<std::int64_t> ids;
    };
    struct Progress {
        const std::function<bool(double)>& report;
        std::uint64_t total = 1;
        std::uint64_t done = 0;
        /// False to stop.
        bool add(std::uint64_t rows);
    };

    template <class Fill>
    bool appendRows(Database& database, std::string_view table, std::size_t& next, std::size_t rows,
                    Fill&& fill);
    template <class Items, class Fill>
    bool replaceRows(Database& database, std::string_view table, const Items& items, Fill&& fill);
    bool appendTables(Database& database, const Snapshot& snapshot);
    bool appendNames(Database& database, const Snapshot& snapshot);
    bool appendPlaces(Database& database, const Snapshot& snapshot);
    bool appendDetails(Database& database, const Snapshot& snapshot);
    bool appendTracks(Database& database, const Snapshot& snapshot);
    bool updateLanes(Database& database, const Snapshot& snapshot);
    bool updateInfo(Database& database, const Snapshot& snapshot);
    bool updateLosses(Database& database, const Snapshot& snapshot);
    bool appendClocks(Database& database, const Snapshot& snapshot);
    bool replaceOpenSpans(Database& database, const Snapshot& snapshot);
    bool updateTotals(Database& database, const Snapshot& snapshot);
    Outcome appendChunks(Database& database, const Snapshot& snapshot, Progress& progress);
    /// Writes the chunks of one series that hold rows of [from, rows). `encodeOne(index, rows)` gives a
    /// chunk's blobs, or nothing when the snapshot itself has lost it.
    struct Encoded {
        ChunkHeader header;
        Buffer mip;
        Buffer data;
    };
    template <class EncodeOne>
    Outcome appendSeries(RowWriter& insert, Series& series, std::uint64_t from, std::uint64_t rows,
                         Progress& progress, EncodeOne&& encodeOne);

    ChecksumLedger m_checksums;
    std::size_t m_names = 0;
    std::size_t m_places = 0;
    std::size_t m_details = 0;
    std::size_t m_tracks = 0;
    bool m_hasOpenSpans = false;
    const bool m_isCopy;
    std::optional<RunInfo> m_info;
    std::vector<LossCount> m_losses;
    std::size_t m_clocks = 0;
    std::vector<Series> m_lanes;
    Series m_memoryEvents, m_allocations, m_segmentEvents, m_counters;
    /// Allocations below this are in the file with their final category.
    std::uint64_t m_settled = 0;
    std::int64_t m_lastChunkId = 0;
};

}  // namespace warpglass::run_file
