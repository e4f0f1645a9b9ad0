// An experiment's folder as the window shows it: what it found, and the files that this rests on.
#pragma once

#include <QDateTime>
#include <QString>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiments/experiment.h"

namespace warpglass::ui {

/// A sweep or a run beside the result.
struct EvidenceFile {
    enum class Kind { kSweep, kRun };
    Kind kind = Kind::kSweep;
    QString title;
    /// What a sweep varies, and how many of its cells are done; of a file that cannot be read or is not
    /// there, that.
    QString holds;
    /// Absolute.
    QString path;
    bool isThere = true;
};

struct OpenedExperiment {
    ExperimentResult result;
    /// When the result was written.
    QDateTime written;
    std::vector<EvidenceFile> files;
};

/// Whether a path is one that openExperiment() is for: a folder, or a file called result.json.
bool isExperimentPath(const QString& path);
/// The folder, absolute, of such a path.
QString experimentFolder(const QString& path);

/// Reads the result and looks at the sweeps beside it. Files are not trusted: an error is one sentence. Any
/// thread; a large result takes seconds.
Result<OpenedExperiment> openExperiment(const QString& path);

}  // namespace warpglass::ui
