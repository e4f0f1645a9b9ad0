// The runs that come with Warpglass (resources/runs), each with one sentence on what to look at.
#pragma once

#include <QString>
#include <vector>

namespace warpglass::app {

struct SampleRun {
    QString path;
    /// What to look at: no full stop, and a small letter first, as in resources/runs/samples.json.
    QString sentence;
    /// The sentence as it stands by itself.
    QString lookAt() const;
};

/// Beside the program in an archive (bin/../runs), or in this build's sources; empty if neither is there.
QString sampleFolder();
/// The samples that samples.json of the folder lists; missing files are left out.
std::vector<SampleRun> sampleRunsIn(const QString& folder);

}  // namespace warpglass::app
