#include "app/window/window_closing.h"

#include <QDialog>
#include <algorithm>
#include <utility>

#include "app/window/open_experiments.h"
#include "app/window/open_sweeps.h"
#include "app/window/run_closing.h"
#include "app/window/run_dialogs.h"
#include "app/window/session_controller.h"
#include "app/window/stop_question.h"
#include "app/window/window_pages.h"

namespace warpglass::app {

WindowClosing::WindowClosing(SessionController& controller, WindowPages& pages, QWidget& window,
                             bool asksAboutUnsaved, std::function<bool(int)> save)
    : QObject(&window),
      m_controller(controller),
      m_pages(pages),
      m_window(window),
      m_asksAboutUnsaved(asksAboutUnsaved),
      m_save(std::move(save)) {
    const auto closeAnswered = [this] {
        if (m_stopQuestion && running().empty())
            m_stopQuestion->close();  // it has answered itself
    };
    connect(&controller, &SessionController::runEnded, this, closeAnswered);
    // Queued: the page that says so has more to do with its end.
    connect(&pages.sweeps(), &OpenSweeps::changed, this, closeAnswered, Qt::QueuedConnection);
    connect(&pages.sweeps(), &OpenSweeps::changed, this, &WindowClosing::closeOnceStopped,
            Qt::QueuedConnection);
    connect(&pages.experiments(), &OpenExperiments::changed, this, closeAnswered, Qt::QueuedConnection);
    connect(&pages.experiments(), &OpenExperiments::changed, this, &WindowClosing::closeOnceStopped,
            Qt::QueuedConnection);
    // What could not be saved is not closed.
    connect(&controller, &SessionController::failed, this, [this] { m_onceIdle = m_lossAccepted = false; });
    connect(&controller, &SessionController::busyChanged, this, [this](bool busy) {
        if (!busy && std::exchange(m_onceIdle, false))
            m_window.close();
    });
}

std::vector<RunningWork> WindowClosing::running() const {
    std::vector<RunningWork> all;
    if (m_controller.isRunning())
        all.push_back({RunningWork::Kind::kRun, m_controller.run(m_controller.recordingRun()).title});
    for (const QString& title : m_pages.sweeps().running())
        all.push_back({RunningWork::Kind::kSweep, title});
    for (const QString& title : m_pages.experiments().running())
        all.push_back({RunningWork::Kind::kExperiment, title});
    return all;
}

/// A run ends between two ops with its file complete, a sweep's cell waits again; then the window closes.
void WindowClosing::stopAll() {
    m_onceStopped = true;
    stopWhatRuns();
    closeOnceStopped();  // where all has ended meanwhile
}

void WindowClosing::stopWhatRuns() {
    if (m_controller.isRunning())
        emit recordingStopRequested();
    m_pages.sweeps().stopAll();
    m_pages.experiments().stopAll();
}

bool WindowClosing::mayClose() {
    if (const std::vector<RunningWork> work = running(); !work.empty()) {
        m_lossAccepted = false;
        if (m_onceStopped)
            stopWhatRuns();
        else if (!(m_stopQuestion && m_stopQuestion->isVisible()))
            m_stopQuestion = askToStop(&m_window, work, StopFor::kQuit, [this] { stopAll(); });
        return false;
    }
    m_onceStopped = false;
    // What is being saved is not asked about: it ends first.
    const bool saving = m_controller.isBusy() && !m_controller.opening().isOpening();
    if (!saving && !settleUnsaved()) {
        // A close that was called off leaves what is being opened alone.
        if (m_onceIdle)
            m_controller.opening().cancel();
        return false;
    }
    if (!m_controller.isBusy())
        return true;
    // Canceled, a file is no longer shown, but its worker may be in the midst of it for a while.
    m_lossAccepted = m_lossAccepted || !saving;
    m_controller.opening().cancel();
    m_onceIdle = true;
    emit waitsForWork();
    return false;
}

void WindowClosing::closeOnceStopped() {
    if (!m_onceStopped)
        return;
    if (running().empty())
        m_window.close();
    else
        stopWhatRuns();  // what was asked for before the stop may have begun after it
}

bool WindowClosing::settleUnsaved() {
    if (!m_asksAboutUnsaved || std::exchange(m_lossAccepted, false))
        return true;
    m_onceIdle = false;
    const std::vector<int> unsaved = m_controller.runs().unsaved();
    if (unsaved.empty())
        return true;
    QStringList parts;
    for (const int index : unsaved)
        parts << unsavedPartOf(m_controller.run(index));
    const UnsavedAnswer answer = askAboutUnsaved(&m_window, parts);
    if (answer != UnsavedAnswer::kSave)
        return answer == UnsavedAnswer::kDiscard;
    // Saving goes on after this; the window closes once all of it has succeeded.
    m_onceIdle = true;
    if (!std::all_of(unsaved.begin(), unsaved.end(), m_save))
        m_onceIdle = false;
    return false;
}

}  // namespace warpglass::app
