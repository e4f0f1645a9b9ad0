#include "app/window/mark_keeping.h"

#include <QFileInfo>

#include "app/window/open_runs.h"
#include "app/window/run_recording.h"
#include "app/window/run_words.h"
#include "app/window/sample_runs.h"

namespace warpglass::app {

MarkKeeping::MarkKeeping(OpenRuns& runs, QObject* parent)
    : QObject(parent), m_runs(runs), m_saver(new MarkSaver(sampleFolder(), RunRecording::folder(), this)) {
    connect(&m_list, &ui::MarkList::edited, this, &MarkKeeping::takeEdits);
    connect(m_saver, &MarkSaver::busyChanged, this, [this](bool busy) { emit workChanged(busy ? 1 : -1); });
    connect(m_saver, &MarkSaver::saved, this, &MarkKeeping::stored);
    connect(m_saver, &MarkSaver::failed, this, &MarkKeeping::notStored);
}

MarkKeeping::~MarkKeeping() {
    delete m_saver;
}

void MarkKeeping::takeEdits() {
    if (m_runs.shown() < 0)
        return;
    OpenedRunEntry& run = m_runs.at(m_runs.shown());
    run.marks = m_list.marks();
    // A file that is open twice has one list of marks, not two that overwrite each other.
    for (OpenedRunEntry& other : m_runs) {
        if (leadToOneFile(other.path, run.path))
            other.marks = run.marks;
    }
    store(run);
}

void MarkKeeping::store(const OpenedRunEntry& run) {
    // A recording's file belongs to its own thread until it ends, also where it has been opened meanwhile.
    const bool recorded =
        m_runs.recorded() >= 0 && leadToOneFile(m_runs.at(m_runs.recorded()).path, run.path);
    if (!run.path.isEmpty() && run.snapshot && !recorded)
        m_saver->save(run.path, run.marks);
}

void MarkKeeping::stored(const QString& path, const QString& file) {
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

void MarkKeeping::notStored(const QString& path, const QString& problem) {
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
        emit failed(tr("%1 The marks are kept in this window only; Save As keeps them in a copy.").arg(why));
    }
}

}  // namespace warpglass::app
