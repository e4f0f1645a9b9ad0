// An experiment's folder as the window shows it: what it found, and the files that this rests on.
#pragma once

#include <QDateTime>
#include <QString>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiments/experiment_request.h"

namespace warpglass::ui {

/// A sweep, a run or a run's memory snapshot beside the result.
struct EvidenceFile {
    enum class Kind { kSweep, kRun, kMemorySnapshot };
    Kind kind = Kind::kSweep;
    QString title;
    /// What a sweep varies, and how many of its cells are done; how a memory snapshot is opened; of a file
    /// that cannot be read or is not there, that.
    QString holds;
    /// What every cell of a sweep has alike: "tiny · batch 4 · naive".
    QString alike;
    /// Absolute.
    QString path;
    bool isThere = true;
};

struct OpenedExperiment {
    /// Without an answer, the experiment's name, title and question alone.
    ExperimentResult result;
    /// When the result was written; invalid while there is none: it has been begun and not finished.
    QDateTime written;
    std::vector<EvidenceFile> files;
    /// What was asked, where the folder says so.
    std::optional<ExperimentRequest> request;
    /// Cells of the sweeps beside it, and of all that it is to run (0 where nothing says that).
    std::int64_t done = 0, cells = 0;

    bool hasAnswer() const { return written.isValid(); }
};

/// Whether a path is one that openExperiment() is for: a folder, or a file called result.json.
bool isExperimentPath(const QString& path);
/// The folder, absolute, of such a path.
QString experimentFolder(const QString& path);

/// Reads the result and looks at the sweeps beside it. Files are not trusted: an error is one sentence. Any
/// thread; a large result takes seconds.
Result<OpenedExperiment> openExperiment(const QString& path);

}  // namespace warpglass::ui
