// The composition root below the window: the runs that are open, the run that is being recorded, and the long
// work (opening, saving) that goes on off the window's thread.
//
// Everything here lives on the window's thread; workers hand results back through queued calls.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "app/window/mark_saver.h"
#include "engine/io/run_file.h"
#include "engine/session/run_session.h"
#include "ui/models/mark_list.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::app {

/// A run in the window: recorded here or opened from a file.
struct OpenedRunEntry {
    std::uint64_t id = 0;             // of this opening, as long as the program runs
    QString title;                    // no other run has it: titlesSideBySide()
    QString name;                     // that the user has given it; empty for none
    QString path;                     // empty while it is in memory only
    std::optional<RunConfig> config;  // nothing for a file that states none
    QDateTime started;                // invalid where the file does not say
    /// Warnings about the recording or the opened file.
    QStringList warnings;
    /// Whether some of the warnings say that part of the run is missing.
    bool incomplete = false;
    /// Why it is in memory only; empty once it is saved.
    QString fileProblem;
    std::shared_ptr<const Snapshot> snapshot;  // null for the run being recorded, until it ends
    std::shared_ptr<MemoryTimeline> memory;    // of the snapshot; null until it has been folded
    std::vector<RunMark> marks;
    /// For a sample: a copy of it that has marks, while the copy is not shown itself.
    QString markedCopy;
    /// The user has been told that they cannot be kept in the file.
    bool marksInWindowOnly = false;

    QStringList allWarnings() const {
        return fileProblem.isEmpty() ? warnings : warnings + QStringList{fileProblem};
    }
};

class SessionController : public QObject {
    Q_OBJECT
public:
    explicit SessionController(QObject* parent = nullptr);
    ~SessionController() override;

    ui::RunDocument& document() { return m_document; }
    ui::TimeAxis& axis() { return m_axis; }
    /// Marks of the shown run. Edits go to its file once it is no longer being recorded; edits of a sample's
    /// marks go to a copy.
    ui::MarkList& marks() { return m_marks; }

    // The runs, in order of opening; the window shows one.
    const std::vector<OpenedRunEntry>& runs() const { return m_runs; }
    const OpenedRunEntry& run(int index) const { return m_runs[static_cast<std::size_t>(index)]; }
    int currentRun() const { return m_current; }
    /// The current run; null while none is open.
    const OpenedRunEntry* shownRun() const { return m_current < 0 ? nullptr : &run(m_current); }
    /// −1 for a run that is not open any more, and for null.
    int indexOf(const std::shared_ptr<const Snapshot>& snapshot) const;
    int indexOf(std::uint64_t id) const;
    /// −1 when none is being recorded.
    int recordingRun() const { return m_recordingIndex; }
    /// The run that runEnded() reports; −1 if nothing of it was recorded.
    int endedRun() const { return m_endedRun; }
    /// Recorded, but in no file, or with marks that its file could not take.
    bool isUnsaved(int index) const;
    /// Indices, in order.
    std::vector<int> unsavedRuns() const;
    /// kBehind: nobody asked for it, so a sweep or an experiment that is looked at stays in front.
    enum class Show { kInFront, kBehind };
    void showRun(int index, Show show = Show::kInFront);
    void closeRun(int index);
    /// The user's name for it from now on; empty restores its own title.
    void renameRun(int index, const QString& name);

    bool isRunning() const { return m_session != nullptr; }
    bool isBusy() const { return m_pendingWork > 0; }
    /// `overcommit`: run although it is predicted not to fit, because the user wants it. If nothing is
    /// recorded in the end, the run that was in front comes back.
    void startRun(const ValidConfig& config, bool overcommit = false);
    /// Starts with this runner, which outlives the run, instead of the one that runs models: for tests and
    /// benchmarks.
    void startRunWith(Runner& runner, const ValidConfig& config);
    void stopRun();
    /// The feed of the run being recorded; null before recording has begun and when no run is recorded.
    std::shared_ptr<TraceFeed> liveFeed() const { return m_session ? m_session->feed() : nullptr; }

    /// Opens on a worker, in the order given; fileOpened follows for each that could be opened, then, if any
    /// could not, filesNotOpened, and openingEnded in any case. A run that is already open from that file is
    /// not opened again but comes to the front. For a sweep's file only sweepFileWanted follows, for an
    /// experiment's folder only experimentWanted. kBehind: the shown run stays, if there is one.
    void openFiles(const QStringList& paths, Show show = Show::kInFront);
    /// The open run of that file, the last of several; −1 where none is.
    int runOfFile(const QString& path) const;
    /// What is not open yet does not come; filesNotOpened and openingEnded follow at once. Nothing happens
    /// where nothing is being opened.
    void cancelOpening();
    bool isOpening() const { return m_openings > 0; }
    /// Adds a run that is already open; `memory` is its own, or null to have it folded now.
    void showSnapshot(const QString& path, const OpenedRun& opened,
                      std::shared_ptr<MemoryTimeline> memory = nullptr, const QString& markedCopy = {});
    /// Shows it in the sample's place, once it is open; a sample with marks that are in no file stays too.
    /// From then on it is not offered again. Nothing happens where the run has none.
    void openMarkedCopy(int index);
    /// Saves on a worker; fileSaved or failed follows. Precondition: `index` is a run.
    void saveRunAs(int index, const QString& path);
    void cancelSave() { m_cancelSave = true; }
    QString suggestedFileName(int index) const;
    /// It came with Warpglass: its file is not written to, and not deleted.
    bool isSample(const QString& path) const { return m_markSaver->isSample(path); }

    /// Why nothing can be run, as far as that is known before a run; empty if nothing prevents it.
    static QString whyNothingRuns();

    /// Where runs are recorded: the user's data folder, "warpglass/runs". Nothing recorded is lost when the
    /// window closes without a save.
    static QString recordingFolder();

signals:
    void runsChanged();
    /// Another run is about to be shown: this is the last moment at which its views can be asked.
    void aboutToShowOther();
    void currentRunChanged(int index, warpglass::app::SessionController::Show show = Show::kInFront);
    /// A run that is not shown was closed while several were open: the index of the shown run may have
    /// changed.
    void otherRunClosed();
    void runStarted();
    void runProgress(int step, int total);
    /// The sentence says how it ended.
    void runEnded(bool ok, const QString& sentence);
    void filesOpening();
    /// This file is being opened now, after `done` of `count` files.
    void openingProgress(const QString& path, int done, int count);
    void fileOpened(const QString& path);
    /// One sentence for each file, in the order given; after a cancel, only for the files reached until then.
    void filesNotOpened(const QStringList& sentences, bool canceled = false);
    void openingEnded();
    void fileSaved(const QString& path);
    /// 0…1 while saving.
    void saveProgress(double fraction);
    /// openFiles() was given a sweep, which is no run.
    void sweepFileWanted(const QString& path);
    /// Likewise an experiment: a folder, or the result.json in one.
    void experimentWanted(const QString& path);
    /// After fileSaved or failed: of a save that was begun.
    void saveEnded();
    /// A sample has been given marks: they are in this copy of it, which is the run's file now.
    void sampleCopied(const QString& file);
    /// Something failed: one sentence.
    void failed(const QString& sentence);
    void busyChanged(bool busy);

private:
    /// The file that a run will be recorded to; empty, and a sentence in `problem`, where there can be none.
    QString newRecordingPath(const RunConfig& config, QString& problem) const;
    void begin(std::unique_ptr<RunSession> session, const QString& folderProblem);
    void pollSession();
    void finishSession();
    void addRun(OpenedRunEntry entry, Show show = Show::kInFront);
    OpenedRunEntry entryOf(const QString& path, const OpenedRun& opened,
                           std::shared_ptr<MemoryTimeline> memory, const QString& markedCopy);
    /// The run from a file has been read: adds it, or goes to where it is open.
    void takeOpened(OpenedRunEntry entry, Show show);
    /// Completes one openFiles() call when its worker is done.
    void finishOpening();
    void changePendingWork(int by);
    /// Gives each run a title that tells it apart from the others that are open.
    void giveTitles();
    /// What is recorded of a run so far; null when that is nothing.
    std::shared_ptr<const Snapshot> snapshotOf(int index) const;
    /// Writes a run's marks to its file, if it has one that is complete.
    void storeMarks(const OpenedRunEntry& run);
    void connectMarks();
    void marksStored(const QString& path, const QString& file);
    void marksNotStored(const QString& path, const QString& problem);
    /// `marks` are those that went into the file.
    void runSaved(const std::shared_ptr<const Snapshot>& snapshot, const QString& path,
                  const std::vector<RunMark>& marks);

    ui::RunDocument m_document;
    ui::TimeAxis m_axis;
    ui::MarkList m_marks;
    MarkSaver* m_markSaver;
    std::vector<OpenedRunEntry> m_runs;
    std::uint64_t m_lastId = 0;
    int m_current = -1;
    std::unique_ptr<RunSession> m_session;
    int m_recordingIndex = -1;
    std::weak_ptr<const Snapshot> m_shownBefore;  // the run in front as the recording began
    int m_endedRun = -1;
    bool m_feedShown = false;
    QString m_recordingPath;
    QString m_reportedFileError;
    std::pair<int, int> m_reportedProgress{-1, -1};
    QTimer m_poll;
    int m_pendingWork = 0;
    std::atomic<bool> m_cancelSave{false};
    int m_openings = 0;       // that no one has canceled
    QStringList m_notOpened;  // of these: why, not said yet
    /// Cancels what is being opened now; whatever is opened after a cancel has a new flag.
    std::shared_ptr<std::atomic<bool>> m_openingCanceled = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace warpglass::app
