#include "app/window/run_recording.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QStandardPaths>

#include "app/window/run_words.h"
#include "engine/session/runner_library.h"

namespace warpglass::app {

namespace {

QString outcomeSentence(const RunOutcome& outcome, const RunControl& control) {
    if (outcome.state == run_state::kFinished) {
        return outcome.steps == 1 ? RunRecording::tr("Finished: 1 step.")
                                  : RunRecording::tr("Finished: %1 steps.").arg(outcome.steps);
    }
    if (outcome.state == run_state::kStopped) {
        return RunRecording::tr("Stopped after %1 of %2 steps; what was recorded is kept.")
            .arg(control.step.load())
            .arg(control.totalSteps.load());
    }
    return sentence(outcome.message);
}

}  // namespace

RunRecording::RunRecording(QObject* parent) : QObject(parent) {
    m_poll.setInterval(50);  // fast enough for a progress line; snapshots have their own clock in RunDocument
    connect(&m_poll, &QTimer::timeout, this, &RunRecording::poll);
}

QString RunRecording::folder() {
    return QStringLiteral("%1/%2/runs")
        .arg(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation),
             QCoreApplication::applicationName());
}

QString RunRecording::whyNothingRuns() {
    const Status runner = checkRunner();
    return runner ? QString() : sentence(runner.message());
}

QString RunRecording::nameFile(const RunConfig& config) {
    m_path.clear();
    if (!QDir().mkpath(folder()))
        return tr("The folder %1 cannot be created, so this run is kept in memory only; save it when it "
                  "ends.")
            .arg(folder());
    m_path = QStringLiteral("%1/%2-%3.wgrun")
                 .arg(folder(), QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz")),
                      fileStem(config));
    return {};
}

void RunRecording::start(const ValidConfig& config, bool overcommit) {
    if (m_session)
        return;
    const QString problem = nameFile(config);
    begin(RunSession::start(config, nativePath(m_path), {.overcommit = overcommit, .memorySnapshot = {}}),
          problem);
}

void RunRecording::startWith(Runner& runner, const ValidConfig& config) {
    if (m_session)
        return;
    const QString problem = nameFile(config);
    begin(RunSession::startWith(runner, config, nativePath(m_path)), problem);
}

void RunRecording::begin(std::unique_ptr<RunSession> session, const QString& folderProblem) {
    m_session = std::move(session);
    m_feedTaken = false;
    m_reportedFileError.clear();
    m_reportedProgress = {-1, -1};
    emit began(m_session->config(), folderProblem);
    m_poll.start();
}

void RunRecording::stop() {
    if (m_session)
        m_session->requestStop();
}

std::shared_ptr<TraceFeed> RunRecording::takeFeed() {
    auto taken = feed();
    m_feedTaken = m_feedTaken || taken;
    return taken;
}

void RunRecording::poll() {
    if (!m_session)
        return;
    if (!m_feedTaken && takeFeed())
        emit feedCame();
    const RunControl& control = m_session->control();
    // Nothing is under way before there is a feed: LibTorch is being loaded.
    const std::pair<int, int> now = m_feedTaken ? std::pair(static_cast<int>(control.step.load()),
                                                            static_cast<int>(control.totalSteps.load()))
                                                : std::pair(0, 0);
    if (now != m_reportedProgress) {
        m_reportedProgress = now;
        emit progress(now.first, now.second);
    }
    const QString fileError = sentence(m_session->fileError());
    if (!fileError.isEmpty() && fileError != m_reportedFileError) {
        m_reportedFileError = fileError;
        emit fileFailed(fileError);
    }
    if (m_session->finished())
        finish();
}

void RunRecording::finish() {
    m_poll.stop();
    const RunOutcome outcome = m_session->outcome().value_or(RunOutcome{});
    const QString sentence = outcomeSentence(outcome, m_session->control());
    const auto feed = m_session->feed();
    m_session.reset();
    emit ended(feed ? feed->latest() : nullptr, outcome.state == run_state::kFailed || outcome.state.empty(),
               sentence);
}

}  // namespace warpglass::app
