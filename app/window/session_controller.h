// The composition root below the window: the runs that are open, the run that is being recorded, and the long
// work (opening, saving) that goes on off the window's thread. Each is a part of its own; here they come
// together, with what the window shows.
//
// Everything here lives on the window's thread; workers hand results back through queued calls.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>

#include "app/window/mark_keeping.h"
#include "app/window/open_runs.h"
#include "app/window/run_opening.h"
#include "app/window/run_recording.h"
#include "app/window/run_saving.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::app {

class SessionController : public QObject {
    Q_OBJECT
public:
    explicit SessionController(QObject* parent = nullptr);
    ~SessionController() override;

    ui::RunDocument& document() { return m_document; }
    ui::TimeAxis& axis() { return m_axis; }
    MarkKeeping& markKeeping() { return *m_markKeeping; }
    RunOpening& opening() { return *m_opening; }
    RunSaving& saving() { return *m_saving; }
    /// If nothing is recorded in the end, the run that was in front comes back.
    RunRecording& recording() { return *m_recording; }
    /// Marks of the shown run.
    ui::MarkList& marks() { return m_markKeeping->list(); }

    /// The window shows one of them.
    const OpenRuns& runs() const { return m_runs; }
    const OpenedRunEntry& run(int index) const { return m_runs.at(index); }
    int currentRun() const { return m_runs.shown(); }
    /// The current run; null while none is open.
    const OpenedRunEntry* shownRun() const { return currentRun() < 0 ? nullptr : &run(currentRun()); }
    /// −1 when none is being recorded.
    int recordingRun() const { return m_runs.recorded(); }
    /// The run that runEnded() reports; −1 if nothing of it was recorded.
    int endedRun() const { return m_endedRun; }
    /// kBehind: nobody asked for it, so a sweep or an experiment that is looked at stays in front.
    enum class Show { kInFront, kBehind };
    void showRun(int index, Show show = Show::kInFront);
    void closeRun(int index);
    /// The user's name for it from now on; empty restores its own title.
    void renameRun(int index, const QString& name);

    bool isRunning() const { return m_recording->isRunning(); }
    bool isBusy() const { return m_pendingWork > 0; }

    /// Opens on a worker, in the order given; fileOpened follows for each that could be opened, and opening()
    /// tells the rest. A run that is already open from that file is not opened again but comes to the front.
    /// kBehind: the shown run stays, if there is one.
    void openFiles(const QStringList& paths, Show show = Show::kInFront);
    /// Adds a run that is already open; `memory` is its own, or null to have it folded now.
    void showSnapshot(const QString& path, const OpenedRun& opened,
                      std::shared_ptr<MemoryTimeline> memory = nullptr, const QString& markedCopy = {});
    /// Shows it in the sample's place, once it is open; a sample with marks that are in no file stays too.
    /// From then on it is not offered again. Nothing happens where the run has none.
    void openMarkedCopy(int index);

signals:
    void runsChanged();
    /// Another run is about to be shown: this is the last moment at which its views can be asked.
    void aboutToShowOther();
    void currentRunChanged(int index, warpglass::app::SessionController::Show show = Show::kInFront);
    /// A run that is not shown was closed of several: the shown run's index may have changed.
    void otherRunClosed();
    void runStarted();
    /// The sentence says how it ended.
    void runEnded(bool ok, const QString& sentence);
    void fileOpened(const QString& path);
    void fileSaved(const QString& path);
    /// Something failed: one sentence.
    void failed(const QString& sentence);
    void busyChanged(bool busy);

private:
    void connectRecording();
    void begin(const RunConfig& config, const QString& folderProblem);
    void finish(const std::shared_ptr<const Snapshot>& snapshot, bool hasFailed, const QString& sentence);
    /// The run that was recorded has a snapshot: what is to be known of it.
    void keepRecorded(int index, bool hasFailed, const QString& sentence);
    void addRun(OpenedRunEntry entry, Show show = Show::kInFront);
    /// The run from a file has been read: adds it, or goes to where it is open.
    void takeOpened(const ReadRun& read, Show show);
    void showNone();
    void changePendingWork(int by);
    /// The warnings of the shown run are others.
    void tellWarnings();

    ui::RunDocument m_document;
    ui::TimeAxis m_axis;
    OpenRuns m_runs;
    MarkKeeping* m_markKeeping;
    RunRecording* m_recording;
    RunOpening* m_opening;
    RunSaving* m_saving;
    std::weak_ptr<const Snapshot> m_shownBefore;  // the run in front as the recording began
    int m_endedRun = -1;
    int m_pendingWork = 0;
};

}  // namespace warpglass::app
