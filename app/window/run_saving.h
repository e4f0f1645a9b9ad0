// Saves open runs under names of the user's choice, with their marks, off the window's thread.
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <memory>
#include <vector>

#include "app/window/window_fwd.h"
#include "engine/io/run_marks.h"
#include "engine/trace/snapshot.h"

namespace warpglass::app {

class RunSaving : public QObject {
    Q_OBJECT
public:
    /// Both outlive this.
    RunSaving(OpenRuns& runs, const RunRecording& recording, QObject* parent = nullptr);
    /// Precondition: no worker is at work.
    ~RunSaving() override = default;

    /// saved() or failed() follows. Precondition: `index` is a run.
    void save(int index, const QString& path);
    void cancel() { m_canceled = true; }
    QString suggestedFileName(int index) const;

signals:
    /// The runs of that snapshot have that file now, with these marks.
    void saved(const std::shared_ptr<const Snapshot>& snapshot, const QString& path,
               const std::vector<RunMark>& marks);
    /// One sentence.
    void failed(const QString& sentence);
    /// 0…1 while saving.
    void progress(double fraction);
    /// After saved() or failed() of a save that was begun.
    void ended();
    /// Work has begun (1) or ended (−1).
    void workChanged(int by);

private:
    /// What is recorded of a run so far; null when that is nothing.
    std::shared_ptr<const Snapshot> snapshotOf(int index) const;
    /// `marks` are those that went into the file.
    void take(const std::shared_ptr<const Snapshot>& snapshot, const QString& path,
              const std::vector<RunMark>& marks);

    OpenRuns& m_runs;
    const RunRecording& m_recording;
    std::atomic<bool> m_canceled{false};
};

}  // namespace warpglass::app
