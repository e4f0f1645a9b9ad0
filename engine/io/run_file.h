// The run file, .wgrun: a SQLite database with plain tables for run information, strings, places, tracks,
// losses and statistics, and the columns as zstd-compressed chunks. Layout and encodings:
// engine/io/run_file_format.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/io/run_marks.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// A row of the file's table "statistics", whose columns run_file_format.h names: an op over the measured
/// steps. Average, median and spread are in ns.
struct StatisticsEntry {
    std::string name;
    std::string_view family;  // one that lives for ever
    double timeShare = 0;
    Nanoseconds total;
    double selfShare = 0;
    Nanoseconds self;
    std::int64_t instances = 0;
    double average = 0;
    double median = 0;
    Nanoseconds min, max;
    std::optional<double> spread;
};
/// The rows of that table. Asked for once, when all else is written; by those who write runs it is answered
/// in one place (engine/session/save_run.h).
using StatisticsSource = std::function<std::vector<StatisticsEntry>(const Snapshot&)>;

/// Writes a run file while the run goes on, from successive snapshots of it. Not thread-safe: one thread at a
/// time. Every write() is one transaction: a crash, a kill or a full disk leaves the last complete one.
class RunFileWriter {
public:
    /// What to do with a file that has the name.
    enum class Existing { kReplace, kRefuse };
    /// A new file is there at once, and opens as a run of which nothing is known yet; an existing one is
    /// replaced only once the first write succeeds. Until finish() or the writer's end no other process can
    /// write the file. The error names the path and the cause.
    static Result<std::unique_ptr<RunFileWriter>> create(const std::filesystem::path& path,
                                                         Existing existing = Existing::kReplace);
    virtual ~RunFileWriter() = default;

    /// Appends what this snapshot adds to the last one written. After an error the file holds what it held
    /// before and later calls return the same error.
    virtual Status write(const Snapshot& snapshot) = 0;
    /// The last write: also stores statistics and leaves one file with no journal beside it.
    virtual Status finish(const Snapshot& snapshot, const StatisticsSource& statistics) = 0;
};

/// Writes a whole snapshot into a file. `progress` is called with 0…1 and returns false to cancel, which is
/// an error and leaves no file. An existing file at `path` stays as it is unless all of it succeeds.
Status writeRun(const Snapshot& snapshot, const std::filesystem::path& path,
                const StatisticsSource& statistics, const std::function<bool(double)>& progress = {});

struct OpenedRun {
    std::shared_ptr<const Snapshot> snapshot;
    /// One sentence each: what is missing (the run was cut off, a chunk is damaged), losses recorded.
    std::vector<std::string> warnings;
    /// What a person has noted.
    std::vector<RunMark> marks{};
    /// Whether records are missing: by damage, an early end of the file or of the recording, or losses. Not
    /// where some were never asked for.
    bool isIncomplete = false;
    /// A process was still recording into the file when it was opened: its run has not ended nor was cut off.
    bool isBeingRecorded = false;
};

/// Opens lazily: tables and mip-maps now, chunks when they are read. Keeps the file open while the snapshot
/// lives. Nothing on the disk is changed by it: a write that was killed is undone on a private copy, in the
/// folder for temporary files. An error for a file that is missing, empty, not a run file, of a newer
/// version, or damaged where nothing can be read; otherwise opens as far as the file goes and says what is
/// missing.
Result<OpenedRun> openRun(const std::filesystem::path& path);

/// Reads the whole file, every table, chunk and mark of it, against its checksums, and says what is damaged:
/// one sentence each. For `info`, tests, and "check file".
std::vector<std::string> verifyRun(const std::filesystem::path& path);

/// The journal of a write that was killed, which goes wherever the run's file goes; nothing where there is
/// none, or one of something else. Reads the whole run where there is one.
std::optional<std::filesystem::path> journalOf(const std::filesystem::path& path);

}  // namespace warpglass
