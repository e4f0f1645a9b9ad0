#include "app/window/session_controller.h"

#include <algorithm>
#include <utility>

#include "app/window/run_words.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/spans/step_spans.h"
#include "ui/models/worker_pool.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

SessionController::SessionController(QObject* parent)
    : QObject(parent),
      m_markKeeping(new MarkKeeping(m_runs, this)),
      m_recording(new RunRecording(this)),
      m_opening(
          new RunOpening([this](const QString& path,
                                const RunInfo& info) { return m_markKeeping->markedCopyOf(path, info); },
                         this)),
      m_saving(new RunSaving(m_runs, *m_recording, this)) {
    connect(&m_document, &ui::RunDocument::snapshotChanged, this, [this] {
        if (const auto& snapshot = m_document.snapshot())
            m_axis.setFullRange(snapshot->range());
    });
    connectRecording();
    connect(m_opening, &RunOpening::workChanged, this, &SessionController::changePendingWork);
    connect(m_saving, &RunSaving::workChanged, this, &SessionController::changePendingWork);
    connect(m_saving, &RunSaving::failed, this, &SessionController::failed);
    connect(m_saving, &RunSaving::saved, this,
            [this](const auto& snapshot, const auto& path, const auto& marks) {
                for (const OpenedRunEntry& run : m_runs) {
                    if (run.snapshot == snapshot && run.marks != marks)
                        m_markKeeping->store(run);  // edited during the save
                }
                if (shownRun() && shownRun()->snapshot == snapshot)
                    tellWarnings();
                emit runsChanged();
                emit fileSaved(path);
            });
    connect(m_markKeeping, &MarkKeeping::workChanged, this, &SessionController::changePendingWork);
    connect(m_markKeeping, &MarkKeeping::failed, this, &SessionController::failed);
    connect(m_markKeeping, &MarkKeeping::runsChanged, this, &SessionController::runsChanged);
}

SessionController::~SessionController() {
    m_saving->cancel();
    m_opening->abandon();
    delete m_recording;  // stops, joins, completes the file
    ui::workerPool().waitForDone();
    delete m_markKeeping;  // writes what waits
}

void SessionController::tellWarnings() {
    m_document.setWarnings(shownRun()->allWarnings(), shownRun()->incomplete);
}

void SessionController::showRun(int index, Show show) {
    if (!m_runs.has(index))
        return;
    marks().finishEditing();
    if (index != currentRun())
        emit aboutToShowOther();
    m_runs.setShown(index);
    OpenedRunEntry& run = m_runs.at(index);
    m_axis.setCursor({});
    m_axis.setPinnedCursor({});
    m_axis.setSelectedRange({});
    m_axis.setSelectedSpan({});
    if (run.snapshot) {
        m_axis.setFollowing(false);
        m_document.setSnapshot(run.snapshot, run.memory);
        run.memory = m_document.sharedMemory();
    } else if (const auto feed =
                   m_recording->takeFeed()) {  // not once more, which would end a note being written
        m_axis.setFollowing(true);
        m_document.follow(feed);
    } else {
        m_document.awaitRun();  // an entry without a snapshot is the run that is being recorded
    }
    marks().setMarks(run.marks);
    m_axis.fitAll();
    // Warm-ups and set-up take most of a short run's time and count for nothing: they lie to the left.
    if (run.snapshot)
        m_axis.setVisibleRange(averagedRange(*run.snapshot), false);
    tellWarnings();
    emit currentRunChanged(index, show);
}

void SessionController::showNone() {
    m_document.clear();
    marks().setMarks({});
    emit currentRunChanged(-1, Show::kBehind);
}

void SessionController::closeRun(int index) {
    if (!m_runs.has(index) || index == recordingRun())
        return;
    marks().finishEditing();
    const bool wasShown = index == currentRun();
    // Before anyone is told: whoever is reads the current run of the list.
    m_runs.remove(index);
    emit runsChanged();
    if (!wasShown)
        emit otherRunClosed();  // the run that is shown stays as it is looked at
    else if (!m_runs.empty())
        showRun(std::min(index, static_cast<int>(m_runs.size()) - 1), Show::kBehind);
    else
        showNone();
}

void SessionController::renameRun(int index, const QString& name) {
    m_runs.rename(index, name);
    emit runsChanged();
}

void SessionController::addRun(OpenedRunEntry entry, Show show) {
    const int index = m_runs.add(std::move(entry));
    emit runsChanged();
    if (show == Show::kInFront || currentRun() < 0)
        showRun(index);
}

void SessionController::connectRecording() {
    connect(m_recording, &RunRecording::began, this, &SessionController::begin);
    connect(m_recording, &RunRecording::feedCame, this, [this] {
        if (currentRun() == recordingRun())
            showRun(currentRun(), Show::kBehind);
    });
    connect(m_recording, &RunRecording::fileFailed, this, [this](const QString& problem) {
        OpenedRunEntry& run = m_runs.at(recordingRun());
        run.fileProblem = tr("%1 The run is kept in memory only; save it when it ends.").arg(problem);
        run.path.clear();
        emit runsChanged();
        if (currentRun() == recordingRun())
            tellWarnings();
    });
    connect(m_recording, &RunRecording::ended, this, &SessionController::finish);
}

void SessionController::begin(const RunConfig& config, const QString& folderProblem) {
    m_runs.setRecorded(static_cast<int>(m_runs.size()));
    m_shownBefore = m_document.snapshot();
    emit runStarted();
    OpenedRunEntry entry;
    entry.config = config;
    entry.started = QDateTime::currentDateTime();
    entry.path = m_recording->path();
    entry.fileProblem = folderProblem;
    addRun(std::move(entry));
}

void SessionController::finish(const std::shared_ptr<const Snapshot>& snapshot, bool hasFailed,
                               const QString& sentence) {
    const int index = recordingRun();
    m_runs.setRecorded(-1);
    m_endedRun = snapshot ? index : -1;
    if (snapshot) {
        m_runs.at(index).snapshot = snapshot;
        keepRecorded(index, hasFailed, sentence);
    } else {
        // Nothing was recorded (the library or the device is missing): no empty run is left behind.
        m_runs.remove(index);
        emit runsChanged();
        if (currentRun() >= 0) {
            emit currentRunChanged(currentRun(), Show::kBehind);
        } else if (!m_runs.empty()) {
            const int before = m_runs.indexOf(m_shownBefore.lock());
            showRun(before >= 0 ? before : static_cast<int>(m_runs.size()) - 1, Show::kBehind);
        } else {
            showNone();
        }
    }
    emit runEnded(!hasFailed, sentence);
}

void SessionController::keepRecorded(int index, bool hasFailed, const QString& sentence) {
    OpenedRunEntry& run = m_runs.at(index);
    if (hasFailed)
        run.warnings << sentence;
    if (currentRun() == index) {
        m_document.stopFollowing();
        run.memory = m_document.sharedMemory();
    }
    if (hasFailed)
        run.warnOutOfMemory();
    for (const LossCount& loss : run.snapshot->losses())
        run.warnings << tr("Not recorded: %1 × %2.").arg(loss.count).arg(ui::toQString(loss.name));
    if (const std::string problem = run.snapshot->info().get("capture.problem"); !problem.empty())
        run.warnings << tr("Kernels were not recorded: %1.").arg(ui::toQString(problem));
    if (currentRun() == index) {
        tellWarnings();
        m_axis.setFollowing(false);
    }
    if (!run.marks.empty())
        m_markKeeping->store(run);
    emit runsChanged();
    if (!run.path.isEmpty())
        emit fileSaved(run.path);
}

void SessionController::changePendingWork(int by) {
    const bool wasBusy = isBusy();
    m_pendingWork += by;
    if (wasBusy != isBusy())
        emit busyChanged(isBusy());
}

void SessionController::openFiles(const QStringList& files, Show show) {
    m_opening->open(files, [this, show](const ReadRun& read) {
        takeOpened(read, show);
        emit fileOpened(read.path);
    });
}

void SessionController::showSnapshot(const QString& path, const OpenedRun& opened,
                                     std::shared_ptr<MemoryTimeline> memory, const QString& markedCopy) {
    addRun(m_runs.entryOf(path, opened, std::move(memory), markedCopy));
}

void SessionController::takeOpened(const ReadRun& read, Show show) {
    // What is another run by now, in a file of that name, is opened beside it.
    const int open = m_runs.ofFile(read.path);
    if (open < 0 || !isSameRun(*run(open).snapshot, *read.opened.snapshot))
        return addRun(m_runs.entryOf(read.path, read.opened, read.memory, read.markedCopy), show);
    if (show == Show::kBehind)
        return;
    if (open == currentRun())
        emit currentRunChanged(open);  // as it is looked at
    else
        showRun(open);
}

void SessionController::openMarkedCopy(int index) {
    const QString copy = std::exchange(m_runs.at(index).markedCopy, {});
    const auto snapshot = run(index).snapshot;
    if (copy.isEmpty())
        return;
    emit runsChanged();
    const auto closeSample = [this, snapshot] {
        if (const int sample = m_runs.indexOf(snapshot); sample >= 0 && !m_runs.isUnsaved(sample))
            closeRun(sample);
    };
    const auto open = std::ranges::find_if(
        m_runs, [&](const OpenedRunEntry& other) { return leadToOneFile(other.path, copy); });
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
    connect(m_opening, &RunOpening::notOpened, once, [this, snapshot, copy, once] {
        once->deleteLater();
        if (const int sample = m_runs.indexOf(snapshot); sample >= 0)
            m_runs.at(sample).markedCopy = copy;
        emit runsChanged();
    });
    openFiles({copy});
}

}  // namespace warpglass::app
