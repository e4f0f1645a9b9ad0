#include "app/window/run_saving.h"

#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>

#include "app/window/open_runs.h"
#include "app/window/run_names.h"
#include "app/window/run_recording.h"
#include "app/window/run_words.h"
#include "engine/session/save_run.h"
#include "ui/models/worker_pool.h"

namespace warpglass::app {

RunSaving::RunSaving(OpenRuns& runs, const RunRecording& recording, QObject* parent)
    : QObject(parent), m_runs(runs), m_recording(recording) {}

std::shared_ptr<const Snapshot> RunSaving::snapshotOf(int index) const {
    const auto& snapshot = m_runs.at(index).snapshot;
    if (snapshot || index != m_runs.recorded())
        return snapshot;
    const auto feed = m_recording.feed();
    return feed ? feed->latest() : nullptr;
}

void RunSaving::save(int index, const QString& path) {
    const auto snapshot = snapshotOf(index);
    if (!snapshot)
        return emit failed(tr("There is nothing recorded yet to save."));
    if (m_recording.isRunning() &&
        QFileInfo(path).absoluteFilePath() == QFileInfo(m_recording.path()).absoluteFilePath())
        return emit failed(
            tr("%1 is being recorded: choose another name, or wait for the run to end.").arg(path));
    m_canceled = false;
    emit workChanged(1);
    ui::workerPool().start([this, self = QPointer(this), snapshot, path, marks = m_runs.at(index).marks] {
        Status saved = saveRun(*snapshot, nativePath(path), [this, self](double fraction) {
            QMetaObject::invokeMethod(this, [self, fraction] {
                if (self)
                    emit self->progress(fraction);
            });
            return !m_canceled.load();
        });
        if (saved && !marks.empty())
            saved = writeMarks(nativePath(path), marks);
        const QString problem = saved ? QString() : sentence(saved.message());
        QMetaObject::invokeMethod(this, [self, snapshot, path, marks, problem] {
            if (!self)
                return;
            // The outcome first: what waits for the work to end closes the window.
            if (problem.isEmpty())
                self->take(snapshot, path, marks);
            else
                emit self->failed(problem);
            emit self->ended();
            emit self->workChanged(-1);
        });
    });
}

void RunSaving::take(const std::shared_ptr<const Snapshot>& snapshot, const QString& path,
                     const std::vector<RunMark>& marks) {
    for (OpenedRunEntry& run : m_runs) {
        if (run.snapshot != snapshot)
            continue;
        run.path = path;
        if (!run.name.isEmpty())
            RunNames::set(path, run.name);
        run.marksInWindowOnly = false;
        run.fileProblem.clear();
    }
    m_runs.giveTitles();
    emit saved(snapshot, path, marks);
}

QString RunSaving::suggestedFileName(int index) const {
    const auto snapshot = snapshotOf(index);
    if (!snapshot)
        return QStringLiteral("run.wgrun");
    const Result<RunConfig> config = configFromPairs(snapshot->info().pairs());
    return (config ? fileStem(*config) : QStringLiteral("run")) + QStringLiteral(".wgrun");
}

}  // namespace warpglass::app
