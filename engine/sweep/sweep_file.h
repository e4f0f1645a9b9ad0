// The sweep file (.wgsweep): one SQLite file that holds a sweep's plan and each cell's result from the moment
// it is done. docs/sweep-file.md describes it for other programs.
//
// One transaction per change, synchronous: what a call has returned from survives a crash and a power cut.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "engine/base/result.h"
#include "engine/sweep/sweep.h"

namespace warpglass {

/// Reads a sweep: a finished one, one that another process is running, or one that was cut off (whose running
/// cell then waits again). Files are not trusted: an error is one sentence, and cells that can be read are
/// kept. Writes nothing. Any thread.
Result<Sweep> openSweep(const std::filesystem::path& path);

/// The one writer of a sweep file. One thread at a time.
class SweepFile {
public:
    /// A new file; one that exists is refused, and a run folder that holds files of other runs
    /// (run_folder.h). Precondition: checkPlan(plan).
    static Result<std::unique_ptr<SweepFile>> create(const std::filesystem::path& path,
                                                     const SweepPlan& plan);
    /// To go on with a sweep. Refused while another process writes it, for a file of a newer version, and
    /// where its run folder holds files of other runs.
    static Result<std::unique_ptr<SweepFile>> resume(const std::filesystem::path& path);
    ~SweepFile();

    /// As written so far, the file's own copy.
    const Sweep& sweep() const;
    const std::filesystem::path& path() const;
    /// Whether a run file at the cell's place is this sweep's: its result names it, or the cell was cut off.
    bool hasRunOf(std::int64_t index) const;
    /// Likewise of its memory snapshot.
    bool hasSnapshotOf(std::int64_t index) const;

    Status beginCell(std::int64_t index, std::string_view startedUtc);
    /// Replaces the cell's result; `cell.index` says which. A memory snapshot only where the plan keeps some.
    Status finishCell(const SweepCell& cell);
    /// The cell waits again.
    Status resetCell(std::int64_t index);
    Status setInformation(std::string_view key, std::string_view value);

private:
    struct State;
    explicit SweepFile(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace warpglass
