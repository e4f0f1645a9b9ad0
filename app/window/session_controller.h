// The composition root below the window: the runs that are open, the run that is being recorded, and the long
// work (opening, saving) that goes on off the window's thread.
//
// Everything here lives on the window's thread; workers hand results back through queued calls.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <atomic>
#include <memory>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/session/run_session.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::app {

/// A run in the window: recorded here or opened from a file.
struct OpenedRunEntry {
    QString title;
    QString path;  // empty while it is in memory only
    QStringList warnings;
    std::shared_ptr<const Snapshot> snapshot;  // null for the run being recorded, until it ends
    std::shared_ptr<MemoryTimeline> memory;    // of the snapshot; null until it has been folded
};

class SessionController : public QObject {
    Q_OBJECT
public:
    explicit SessionController(QObject* parent = nullptr);
    ~SessionController() override;

    ui::RunDocument& document() { return m_document; }
    ui::TimeAxis& axis() { return m_axis; }

    // The runs, in order of opening; the window shows one.
    const std::vector<OpenedRunEntry>& runs() const { return m_runs; }
    int currentRun() const { return m_current; }
    /// −1 when none is being recorded.
    int recordingRun() const { return m_recordingIndex; }
    /// Recorded, but in no file.
    bool isUnsaved(int index) const;
    int unsavedRuns() const;
    void showRun(int index);
    void closeRun(int index);

    bool isRunning() const { return m_session != nullptr; }
    bool isBusy() const { return m_pendingWork > 0; }
    void startRun(const RunConfig& config);
    void stopRun();

    /// Opens on a worker; fileOpened or failed follows for each.
    void openFiles(const QStringList& paths);
    /// Adds a run that is already open; `memory` is its own, or null to have it folded now.
    void showSnapshot(const QString& path, const OpenedRun& opened,
                      std::shared_ptr<MemoryTimeline> memory = nullptr);
    /// Precondition: currentRun() >= 0.
    void saveCurrentAs(const QString& path);
    void cancelSave() { m_cancelSave = true; }
    QString suggestedFileName() const;

    /// Where runs are recorded: the user's data folder, "warpglass/runs". Nothing recorded is lost when the
    /// window closes without a save.
    static QString recordingFolder();

signals:
    void runsChanged();
    void currentRunChanged(int index);
    void runStarted();
    void runProgress(int step, int total);
    /// The sentence says how it ended.
    void runEnded(bool ok, const QString& sentence);
    void fileOpened(const QString& path);
    void fileSaved(const QString& path);
    /// 0…1 while saving.
    void saveProgress(double fraction);
    /// Something failed: one sentence.
    void failed(const QString& sentence);
    void busyChanged(bool busy);

private:
    void pollSession();
    void finishSession();
    void addRun(OpenedRunEntry entry);
    void changePendingWork(int by);

    ui::RunDocument m_document;
    ui::TimeAxis m_axis;
    std::vector<OpenedRunEntry> m_runs;
    int m_current = -1;
    std::unique_ptr<RunSession> m_session;
    int m_recordingIndex = -1;
    bool m_feedShown = false;
    QString m_recordingPath;
    QString m_reportedFileError;
    std::pair<int, int> m_reportedProgress{-1, -1};
    QTimer m_poll;
    int m_pendingWork = 0;
    std::atomic<bool> m_cancelSave{false};
};

}  // namespace warpglass::app
