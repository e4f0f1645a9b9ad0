// What a SessionController does with marks: keeps them with their run, and has them written to its file.
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "app/window/run_words.h"
#include "app/window/session_controller.h"

namespace warpglass::app {

void SessionController::connectMarks() {
    connect(&m_marks, &ui::MarkList::edited, this, [this] {
        if (m_current < 0)
            return;
        OpenedRunEntry& run = m_runs[static_cast<std::size_t>(m_current)];
        run.marks = m_marks.marks();
        // A file that is open twice has one list of marks, not two that overwrite each other.
        for (OpenedRunEntry& other : m_runs) {
            if (leadToOneFile(other.path, run.path))
                other.marks = run.marks;
        }
        storeMarks(run);
    });
    connect(m_markSaver, &MarkSaver::busyChanged, this,
            [this](bool busy) { changePendingWork(busy ? 1 : -1); });
    connect(m_markSaver, &MarkSaver::saved, this, &SessionController::marksStored);
    connect(m_markSaver, &MarkSaver::failed, this, &SessionController::marksNotStored);
}

void SessionController::storeMarks(const OpenedRunEntry& run) {
    // A recording's file belongs to its own thread until it ends, also where it has been opened meanwhile.
    const bool recorded = m_recordingIndex >= 0 &&
                          leadToOneFile(m_runs[static_cast<std::size_t>(m_recordingIndex)].path, run.path);
    if (!run.path.isEmpty() && run.snapshot && !recorded)
        m_markSaver->save(run.path, run.marks);
}

void SessionController::marksStored(const QString& path, const QString& file) {
    for (OpenedRunEntry& run : m_runs) {
        if (!leadToOneFile(run.path, path))
            continue;
        run.path = file;
        run.marksInWindowOnly = false;
        run.markedCopy.clear();
    }
    if (file == path)
        return;
    emit sampleCopied(file);
    emit runsChanged();
}

void SessionController::marksNotStored(const QString& path, const QString& problem) {
    bool said = true, open = false;
    for (OpenedRunEntry& run : m_runs) {
        if (!leadToOneFile(run.path, path))
            continue;
        open = true;
        said = said && run.marksInWindowOnly;
        run.marksInWindowOnly = true;
    }
    const QString why = sentence(problem.toStdString());
    if (!open) {
        emit failed(tr("The marks of %1 were not saved: %2").arg(QFileInfo(path).fileName(), why));
    } else if (!said) {
        emit runsChanged();
        emit failed(tr("%1 The marks are kept in this window only; Save As keeps "
                       "them in a copy.")
                        .arg(why));
    }
}

void SessionController::openMarkedCopy(int index) {
    OpenedRunEntry& sample = m_runs[static_cast<std::size_t>(index)];
    const QString copy = std::exchange(sample.markedCopy, {});
    const auto snapshot = sample.snapshot;
    if (copy.isEmpty())
        return;
    emit runsChanged();
    const auto closeSample = [this, snapshot] {
        for (int i = 0; i < static_cast<int>(m_runs.size()); ++i) {
            if (m_runs[static_cast<std::size_t>(i)].snapshot == snapshot && !isUnsaved(i))
                return closeRun(i);
        }
    };
    const auto open = std::find_if(m_runs.begin(), m_runs.end(),
                                   [&](const OpenedRunEntry& run) { return leadToOneFile(run.path, copy); });
    if (open != m_runs.end()) {
        showRun(static_cast<int>(open - m_runs.begin()));
        return closeSample();
    }
    // Where it cannot be opened, the sample stays, and the copy may be asked for again.
    auto* once = new QObject(this);
    connect(this, &SessionController::fileOpened, once, [closeSample, copy, once](const QString& opened) {
        if (opened != copy)
            return;
        once->deleteLater();
        closeSample();
    });
    connect(this, &SessionController::filesNotOpened, once, [this, snapshot, copy, once] {
        once->deleteLater();
        for (OpenedRunEntry& run : m_runs) {
            if (run.snapshot == snapshot)
                run.markedCopy = copy;
        }
        emit runsChanged();
    });
    openFiles({copy});
}

}  // namespace warpglass::app
