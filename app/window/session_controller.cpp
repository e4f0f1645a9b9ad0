#include "app/window/session_controller.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>
#include <QThreadPool>
#include <algorithm>
#include <utility>

#include "app/window/run_names.h"
#include "app/window/run_titles.h"
#include "app/window/run_words.h"
#include "app/window/sample_runs.h"
#include "engine/base/format.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/spans/step_spans.h"
#include "engine/query/summary/out_of_memory.h"
#include "engine/session/runner_library.h"
#include "ui/models/worker_pool.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

/// Folded now where nobody has yet.
const std::shared_ptr<MemoryTimeline>& memoryOf(OpenedRunEntry& run) {
    if (!run.memory) {
        run.memory = std::make_shared<MemoryTimeline>();
        run.memory->update(run.snapshot);
    }
    return run.memory;
}

/// What had filled the memory of a run that ran out of it; nothing for any other.
QStringList outOfMemorySentences(const MemoryTimeline& memory) {
    const std::optional<OutOfMemory> failure = outOfMemory(memory);
    const std::string alive = failure ? aliveSentence(*failure) : std::string();
    return alive.empty() ? QStringList() : QStringList(ui::toQString(alive));
}

QString outcomeSentence(const RunOutcome& outcome, const RunControl& control) {
    if (outcome.state == run_state::kFinished) {
        return outcome.steps == 1 ? SessionController::tr("Finished: 1 step.")
                                  : SessionController::tr("Finished: %1 steps.").arg(outcome.steps);
    }
    if (outcome.state == run_state::kStopped) {
        return SessionController::tr("Stopped after %1 of %2 steps; what was recorded is kept.")
            .arg(control.step.load())
            .arg(control.totalSteps.load());
    }
    return sentence(outcome.message);
}

}  // namespace

SessionController::SessionController(QObject* parent)
    : QObject(parent), m_markSaver(new MarkSaver(sampleFolder(), recordingFolder(), this)) {
    m_poll.setInterval(50);  // fast enough for a progress line; snapshots have their own clock in RunDocument
    connect(&m_poll, &QTimer::timeout, this, &SessionController::pollSession);
    connect(&m_document, &ui::RunDocument::snapshotChanged, this, [this] {
        if (const auto& snapshot = m_document.snapshot())
            m_axis.setFullRange(snapshot->range());
    });
    connectMarks();
}

SessionController::~SessionController() {
    m_cancelSave = true;
    *m_openingCanceled = true;
    m_session.reset();  // stops, joins, completes the file
    ui::workerPool().waitForDone();
    delete m_markSaver;  // writes what waits
}

QString SessionController::recordingFolder() {
    return QStringLiteral("%1/%2/runs")
        .arg(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation),
             QCoreApplication::applicationName());
}

QString SessionController::whyNothingRuns() {
    const Status runner = checkRunner();
    return runner ? QString() : sentence(runner.message());
}

int SessionController::indexOf(const std::shared_ptr<const Snapshot>& snapshot) const {
    const auto run = std::find_if(m_runs.begin(), m_runs.end(), [&snapshot](const OpenedRunEntry& entry) {
        return snapshot && entry.snapshot == snapshot;
    });
    return run == m_runs.end() ? -1 : static_cast<int>(run - m_runs.begin());
}

int SessionController::indexOf(std::uint64_t id) const {
    const auto run = std::find_if(m_runs.begin(), m_runs.end(),
                                  [id](const OpenedRunEntry& entry) { return entry.id == id; });
    return run == m_runs.end() ? -1 : static_cast<int>(run - m_runs.begin());
}

bool SessionController::isUnsaved(int index) const {
    return run(index).snapshot && (run(index).path.isEmpty() || run(index).marksInWindowOnly);
}

std::vector<int> SessionController::unsavedRuns() const {
    std::vector<int> unsaved;
    for (int i = 0; i < static_cast<int>(m_runs.size()); ++i) {
        if (isUnsaved(i))
            unsaved.push_back(i);
    }
    return unsaved;
}

void SessionController::showRun(int index, Show show) {
    if (index < 0 || index >= static_cast<int>(m_runs.size()))
        return;
    m_marks.finishEditing();
    if (index != m_current)
        emit aboutToShowOther();
    m_current = index;
    OpenedRunEntry& run = m_runs[static_cast<std::size_t>(index)];
    m_axis.setCursor({});
    m_axis.setPinnedCursor({});
    m_axis.setSelectedRange({});
    m_axis.setSelectedSpan({});
    if (run.snapshot) {
        m_axis.setFollowing(false);
        m_document.setSnapshot(run.snapshot, run.memory);
        run.memory = m_document.sharedMemory();
    } else if (const auto feed = liveFeed()) {
        m_feedShown = true;  // not once more, which would end a note being written
        m_axis.setFollowing(true);
        m_document.follow(feed);
    } else {
        m_document.awaitRun();  // an entry without a snapshot is the run that is being recorded
    }
    m_marks.setMarks(run.marks);
    m_axis.fitAll();
    // Warm-ups and set-up take most of a short run's time and count for nothing: they lie to the left.
    if (run.snapshot)
        m_axis.setVisibleRange(averagedRange(*run.snapshot), false);
    m_document.setWarnings(run.allWarnings(), run.incomplete);
    emit currentRunChanged(index, show);
}

void SessionController::closeRun(int index) {
    if (index < 0 || index >= static_cast<int>(m_runs.size()) || index == m_recordingIndex)
        return;
    m_marks.finishEditing();
    m_runs.erase(m_runs.begin() + index);
    giveTitles();
    if (m_recordingIndex > index)
        --m_recordingIndex;
    if (index != m_current) {
        // The run that is shown stays as it is looked at.
        m_current -= index < m_current ? 1 : 0;
        emit runsChanged();
        emit otherRunClosed();
        return;
    }
    const int next = std::min(m_current, static_cast<int>(m_runs.size()) - 1);
    // Before anyone is told: whoever is reads the current run of the list.
    m_current = -1;
    emit runsChanged();
    if (next >= 0) {
        showRun(next, Show::kBehind);
    } else {
        m_document.clear();
        m_marks.setMarks({});
        emit currentRunChanged(-1, Show::kBehind);
    }
}

void SessionController::giveTitles() {
    std::vector<TitledRun> titled;
    for (const OpenedRunEntry& run : m_runs)
        titled.push_back({!run.name.isEmpty() ? run.name : titleOf(run.config, run.path), run.config,
                          run.started, run.path});
    const QStringList titles = titlesSideBySide(titled);
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        m_runs[i].title = titles[static_cast<qsizetype>(i)];
}

void SessionController::renameRun(int index, const QString& name) {
    OpenedRunEntry& renamed = m_runs[static_cast<std::size_t>(index)];
    renamed.name = name.trimmed();
    for (OpenedRunEntry& run : m_runs) {
        if (leadToOneFile(run.path, renamed.path))
            run.name = renamed.name;
    }
    if (!renamed.path.isEmpty())
        RunNames::set(renamed.path, renamed.name);
    giveTitles();
    emit runsChanged();
}

void SessionController::addRun(OpenedRunEntry entry, Show show) {
    entry.id = ++m_lastId;
    m_runs.push_back(std::move(entry));
    giveTitles();
    emit runsChanged();
    if (show == Show::kInFront || m_current < 0)
        showRun(static_cast<int>(m_runs.size()) - 1);
}

int SessionController::runOfFile(const QString& path) const {
    for (std::size_t i = m_runs.size(); i > 0; --i) {
        if (m_runs[i - 1].snapshot && leadToOneFile(m_runs[i - 1].path, path))
            return static_cast<int>(i - 1);
    }
    return -1;
}

QString SessionController::newRecordingPath(const RunConfig& config, QString& problem) const {
    if (QDir().mkpath(recordingFolder())) {
        return QStringLiteral("%1/%2-%3.wgrun")
            .arg(recordingFolder(),
                 QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz")),
                 fileStem(config));
    }
    problem = tr("The folder %1 cannot be created, so this run is kept in memory "
                 "only; save it when it ends.")
                  .arg(recordingFolder());
    return {};
}

void SessionController::startRun(const ValidConfig& config, bool overcommit) {
    if (m_session)
        return;
    QString problem;
    m_recordingPath = newRecordingPath(config, problem);
    begin(RunSession::start(config, nativePath(m_recordingPath),
                            {.overcommit = overcommit, .memorySnapshot = {}}),
          problem);
}

void SessionController::startRunWith(Runner& runner, const ValidConfig& config) {
    if (m_session)
        return;
    QString problem;
    m_recordingPath = newRecordingPath(config, problem);
    begin(RunSession::startWith(runner, config, nativePath(m_recordingPath)), problem);
}

void SessionController::begin(std::unique_ptr<RunSession> session, const QString& folderProblem) {
    m_session = std::move(session);
    m_feedShown = false;
    m_reportedFileError.clear();
    m_reportedProgress = {-1, -1};
    m_recordingIndex = static_cast<int>(m_runs.size());
    m_shownBefore = m_document.snapshot();
    emit runStarted();
    OpenedRunEntry entry;
    entry.config = m_session->config();
    entry.started = QDateTime::currentDateTime();
    entry.path = m_recordingPath;
    entry.fileProblem = folderProblem;
    addRun(std::move(entry));
    m_poll.start();
}

void SessionController::stopRun() {
    if (m_session)
        m_session->requestStop();
}

void SessionController::pollSession() {
    if (!m_session)
        return;
    if (!m_feedShown && m_session->feed()) {
        m_feedShown = true;
        if (m_current == m_recordingIndex)
            showRun(m_current, Show::kBehind);
    }
    const RunControl& control = m_session->control();
    // Nothing is under way before there is a feed: LibTorch is being loaded.
    const std::pair<int, int> progress = m_feedShown ? std::pair(static_cast<int>(control.step.load()),
                                                                 static_cast<int>(control.totalSteps.load()))
                                                     : std::pair(0, 0);
    if (progress != m_reportedProgress) {
        m_reportedProgress = progress;
        emit runProgress(progress.first, progress.second);
    }
    const QString fileError = sentence(m_session->fileError());
    if (!fileError.isEmpty() && fileError != m_reportedFileError) {
        m_reportedFileError = fileError;
        OpenedRunEntry& run = m_runs[static_cast<std::size_t>(m_recordingIndex)];
        run.fileProblem = tr("%1 The run is kept in memory only; save it when it ends.").arg(fileError);
        run.path.clear();
        emit runsChanged();
        if (m_current == m_recordingIndex)
            m_document.setWarnings(run.allWarnings(), run.incomplete);
    }
    if (m_session->finished())
        finishSession();
}

void SessionController::finishSession() {
    m_poll.stop();
    const RunOutcome outcome = m_session->outcome().value_or(RunOutcome{});
    const QString sentence = outcomeSentence(outcome, m_session->control());
    const auto feed = m_session->feed();
    const int index = m_recordingIndex;
    m_session.reset();
    m_recordingIndex = -1;

    OpenedRunEntry& run = m_runs[static_cast<std::size_t>(index)];
    run.snapshot = feed ? feed->latest() : nullptr;
    const bool failedRun = outcome.state == run_state::kFailed || outcome.state.empty();
    m_endedRun = run.snapshot ? index : -1;
    if (!run.snapshot) {
        // Nothing was recorded (the library or the device is missing): no empty run is left behind.
        m_current = m_current == index ? -1 : m_current > index ? m_current - 1 : m_current;
        m_runs.erase(m_runs.begin() + index);
        giveTitles();
        emit runsChanged();
        if (m_current >= 0) {
            emit currentRunChanged(m_current, Show::kBehind);
        } else if (!m_runs.empty()) {
            const int before = indexOf(m_shownBefore.lock());
            showRun(before >= 0 ? before : static_cast<int>(m_runs.size()) - 1, Show::kBehind);
        } else {
            m_document.clear();
            m_marks.setMarks({});
            emit currentRunChanged(-1, Show::kBehind);
        }
    } else {
        if (failedRun)
            run.warnings << sentence;
        if (m_current == index) {
            m_document.stopFollowing();
            run.memory = m_document.sharedMemory();
        }
        if (failedRun)
            run.warnings << outOfMemorySentences(*memoryOf(run));
        for (const LossCount& loss : run.snapshot->losses())
            run.warnings << tr("Not recorded: %1 × %2.").arg(loss.count).arg(ui::toQString(loss.name));
        if (const std::string problem = run.snapshot->info().get("capture.problem"); !problem.empty())
            run.warnings << tr("Kernels were not recorded: %1.").arg(ui::toQString(problem));
        if (m_current == index) {
            m_document.setWarnings(run.allWarnings(), run.incomplete);
            m_axis.setFollowing(false);
        }
        if (!run.marks.empty())
            storeMarks(run);
        emit runsChanged();
        if (!run.path.isEmpty())
            emit fileSaved(run.path);
    }
    emit runEnded(!failedRun, sentence);
}

void SessionController::changePendingWork(int by) {
    const bool wasBusy = isBusy();
    m_pendingWork += by;
    if (wasBusy != isBusy())
        emit busyChanged(isBusy());
}

void SessionController::openFiles(const QStringList& files, Show show) {
    QStringList paths;
    for (const QString& file : files) {
        switch (kindOfFile(file)) {
            case FileKind::kRun:
                paths << file;
                break;
            case FileKind::kSweep:
                emit sweepFileWanted(file);
                break;
            case FileKind::kExperiment:
                emit experimentWanted(file);
                break;
        }
    }
    if (paths.isEmpty())
        return;
    const int count = static_cast<int>(paths.size());
    emit filesOpening();
    emit openingProgress(paths.first(), 0, count);
    changePendingWork(1);
    ++m_openings;
    // One after the other, so that the runs appear in the order given.
    ui::workerPool().start([this, self = QPointer(this), paths, show, count, canceled = m_openingCanceled] {
        // The destructor waits for the pool, so `this` is alive here; `self` guards the queued calls.
        // What is queued when it is canceled does not come any more.
        const auto inWindow = [this, self, canceled](auto act) {
            QMetaObject::invokeMethod(this, [self, canceled, act = std::move(act)] {
                if (self && !*canceled)
                    act(*self);
            });
        };
        for (int i = 0; i < count && !*canceled; ++i) {
            const QString path = paths[i];
            if (i > 0)
                inWindow([path, i, count](SessionController& c) { emit c.openingProgress(path, i, count); });
            const auto opened = openRun(nativePath(path));
            if (!opened) {
                inWindow([problem = sentence(opened.message())](SessionController& c) {
                    c.m_notOpened << problem;
                });
                continue;
            }
            if (*canceled)
                break;
            auto memory = std::make_shared<MemoryTimeline>();
            memory->update(opened->snapshot);
            const QString copy = m_markSaver->markedCopyOf(path, opened->snapshot->info());
            inWindow([path, show, run = *opened, memory, copy](SessionController& c) {
                c.takeOpened(c.entryOf(path, run, memory, copy), show);
                emit c.fileOpened(path);
            });
        }
        inWindow([](SessionController& c) { c.finishOpening(); });
        QMetaObject::invokeMethod(this, [self] {
            if (self)
                self->changePendingWork(-1);
        });
    });
}

void SessionController::finishOpening() {
    if (const QStringList problems = std::exchange(m_notOpened, {}); !problems.isEmpty())
        emit filesNotOpened(problems);
    if (--m_openings == 0)
        emit openingEnded();
}

void SessionController::cancelOpening() {
    if (m_openings == 0)
        return;
    *m_openingCanceled = true;
    m_openingCanceled = std::make_shared<std::atomic<bool>>(false);
    m_openings = 0;
    emit filesNotOpened(std::exchange(m_notOpened, {}), true);
    emit openingEnded();
}

void SessionController::showSnapshot(const QString& path, const OpenedRun& opened,
                                     std::shared_ptr<MemoryTimeline> memory, const QString& markedCopy) {
    addRun(entryOf(path, opened, std::move(memory), markedCopy));
}

void SessionController::takeOpened(OpenedRunEntry entry, Show show) {
    // What is another run by now, in a file of that name, is opened beside it.
    const int open = runOfFile(entry.path);
    if (open < 0 || !isSameRun(*m_runs[static_cast<std::size_t>(open)].snapshot, *entry.snapshot))
        return addRun(std::move(entry), show);
    if (show == Show::kBehind)
        return;
    if (open == m_current)
        emit currentRunChanged(open);  // as it is looked at
    else
        showRun(open);
}

OpenedRunEntry SessionController::entryOf(const QString& path, const OpenedRun& opened,
                                          std::shared_ptr<MemoryTimeline> memory, const QString& markedCopy) {
    OpenedRunEntry entry;
    entry.markedCopy = markedCopy;
    const TitledRun titled = titledRun({}, opened.snapshot->info(), path);
    entry.name = RunNames::of(path);
    entry.config = titled.config;
    entry.started = titled.started;
    entry.path = path;
    entry.snapshot = opened.snapshot;
    entry.memory = std::move(memory);
    entry.marks = opened.marks;
    // Where it is open already, its marks may not have reached the file.
    for (const OpenedRunEntry& other : m_runs) {
        if (!leadToOneFile(other.path, path))
            continue;
        entry.marks = other.marks;
        entry.marksInWindowOnly = other.marksInWindowOnly;
    }
    for (const std::string& warning : opened.warnings)
        entry.warnings << ui::toQString(warning);
    entry.incomplete = opened.isIncomplete;
    // How it ended is told as it was when it was recorded.
    const RunInfo& info = opened.snapshot->info();
    if (info.get("state") == run_state::kFailed && !info.get("state.message").empty())
        entry.warnings << sentence(info.get("state.message"));
    entry.warnings << outOfMemorySentences(*memoryOf(entry));
    return entry;
}

}  // namespace warpglass::app
