// What a SessionController does to keep a run: saves it under a name, with its marks.
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>

#include "app/window/run_names.h"
#include "app/window/run_words.h"
#include "app/window/session_controller.h"
#include "engine/session/save_run.h"
#include "ui/models/worker_pool.h"

namespace warpglass::app {

std::shared_ptr<const Snapshot> SessionController::snapshotOf(int index) const {
    const auto& snapshot = m_runs[static_cast<std::size_t>(index)].snapshot;
    if (snapshot || index != m_recordingIndex)
        return snapshot;
    const auto feed = liveFeed();
    return feed ? feed->latest() : nullptr;
}

void SessionController::saveRunAs(int index, const QString& path) {
    const auto snapshot = snapshotOf(index);
    if (!snapshot) {
        emit failed(tr("There is nothing recorded yet to save."));
        return;
    }
    if (m_session && QFileInfo(path).absoluteFilePath() == QFileInfo(m_recordingPath).absoluteFilePath()) {
        emit failed(tr("%1 is being recorded: choose another name, or wait for the "
                       "run to end.")
                        .arg(path));
        return;
    }
    m_cancelSave = false;
    changePendingWork(1);
    ui::workerPool().start(
        [this, self = QPointer(this), snapshot, path, marks = m_runs[static_cast<std::size_t>(index)].marks] {
            Status saved = saveRun(*snapshot, nativePath(path), [this, self](double fraction) {
                QMetaObject::invokeMethod(this, [self, fraction] {
                    if (self)
                        emit self->saveProgress(fraction);
                });
                return !m_cancelSave.load();
            });
            if (saved && !marks.empty())
                saved = writeMarks(nativePath(path), marks);
            const QString problem = saved ? QString() : sentence(saved.message());
            QMetaObject::invokeMethod(this, [self, snapshot, path, marks, problem] {
                if (!self)
                    return;
                // The outcome first: what waits for the work to end closes the window.
                if (problem.isEmpty())
                    self->runSaved(snapshot, path, marks);
                else
                    emit self->failed(problem);
                emit self->saveEnded();
                self->changePendingWork(-1);
            });
        });
}

void SessionController::runSaved(const std::shared_ptr<const Snapshot>& snapshot, const QString& path,
                                 const std::vector<RunMark>& marks) {
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        OpenedRunEntry& run = m_runs[i];
        if (run.snapshot != snapshot)
            continue;
        run.path = path;
        if (!run.name.isEmpty())
            RunNames::set(path, run.name);
        run.marksInWindowOnly = false;
        run.fileProblem.clear();
        if (run.marks != marks)
            storeMarks(run);  // edited during the save
        if (static_cast<int>(i) == m_current)
            m_document.setWarnings(run.allWarnings(), run.incomplete);
    }
    giveTitles();
    emit runsChanged();
    emit fileSaved(path);
}

QString SessionController::suggestedFileName(int index) const {
    const auto snapshot = snapshotOf(index);
    if (!snapshot)
        return QStringLiteral("run.wgrun");
    const Result<RunConfig> config = configFromPairs(snapshot->info().pairs());
    return (config ? fileStem(*config) : QStringLiteral("run")) + QStringLiteral(".wgrun");
}

}  // namespace warpglass::app
