#include "app/window/run_closing.h"

#include <QDialog>
#include <QScopedValueRollback>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "app/window/run_dialogs.h"
#include "app/window/session_controller.h"
#include "app/window/stop_question.h"

namespace warpglass::app {

QString unsavedPartOf(const OpenedRunEntry& run) {
    return (run.path.isEmpty() ? RunClosing::tr("the run %1") : RunClosing::tr("new marks of the run %1"))
        .arg(run.title);
}

RunClosing::RunClosing(SessionController& controller, QWidget& window, bool asksAboutUnsaved,
                       std::function<bool(int)> save)
    : QObject(&window),
      m_controller(controller),
      m_window(window),
      m_asksAboutUnsaved(asksAboutUnsaved),
      m_save(std::move(save)) {
    // Queued: those who say what has happened look the run up first.
    connect(&m_controller, &SessionController::fileSaved, this, &RunClosing::closeSaved,
            Qt::QueuedConnection);
    // What could not be saved is not closed.
    connect(&m_controller, &SessionController::failed, this, [this] { m_onceSaved.clear(); });
    connect(&m_controller, &SessionController::runEnded, this, &RunClosing::runEnded, Qt::QueuedConnection);
}

void RunClosing::closeAt(int index) {
    if (index >= 0 && index < static_cast<int>(m_controller.runs().size()))
        close({m_controller.run(index).id});
}

void RunClosing::closeAllBut(std::uint64_t id) {
    std::vector<std::uint64_t> ids;
    for (const OpenedRunEntry& run : m_controller.runs()) {
        if (run.id != id)
            ids.push_back(run.id);
    }
    close(std::move(ids));
}

void RunClosing::close(std::vector<std::uint64_t> ids) {
    // While a question is open others may come, as when a run ends: they wait for its answer too.
    std::reverse(ids.begin(), ids.end());
    m_waiting.insert(m_waiting.begin(), ids.begin(), ids.end());
    // What has to be stopped, or asked about, comes when the rest is closed.
    const auto first = std::stable_partition(m_waiting.begin(), m_waiting.end(), [this](std::uint64_t id) {
        const int index = m_controller.runs().indexOf(id);
        return index >= 0 && (index == m_controller.recordingRun() || m_controller.runs().isUnsaved(index));
    });
    std::stable_partition(m_waiting.begin(), first, [this](std::uint64_t id) {
        return m_controller.runs().indexOf(id) == m_controller.recordingRun();
    });
    if (!m_isClosing)
        closeNext();
}

void RunClosing::closeNext() {
    const QScopedValueRollback<bool> closing(m_isClosing, true);
    while (!m_waiting.empty()) {
        const std::uint64_t id = m_waiting.back();
        m_waiting.pop_back();
        const int index = m_controller.runs().indexOf(id);
        if (index < 0)
            continue;
        if (index == m_controller.recordingRun())
            askAboutRecording(id);
        else if (!m_asksAboutUnsaved || !m_controller.runs().isUnsaved(index))
            m_controller.closeRun(index);
        else if (!closeUnsaved(index))
            m_waiting.clear();
    }
}

bool RunClosing::closeUnsaved(int index) {
    const OpenedRunEntry& run = m_controller.run(index);
    const std::uint64_t id = run.id;
    const UnsavedAnswer answer = askAboutUnsaved(&m_window, {unsavedPartOf(run)});
    const int now = m_controller.runs().indexOf(id);  // the window went on meanwhile
    if (now < 0 || answer == UnsavedAnswer::kCancel)
        return now < 0;
    if (answer == UnsavedAnswer::kDiscard) {
        m_controller.closeRun(now);
        return true;
    }
    if (!m_save(now))
        return false;
    m_onceSaved.insert(id);
    return true;
}

void RunClosing::askAboutRecording(std::uint64_t id) {
    if (m_question || m_onceStopped == id)
        return;
    const QString title = m_controller.run(m_controller.runs().indexOf(id)).title;
    m_question = askToStop(&m_window, {{RunningWork::Kind::kRun, title}}, StopFor::kClose, [this, id] {
        m_onceStopped = id;
        emit stopRequested();
    });
}

/// It may end by itself while the question is open: that has answered itself.
void RunClosing::runEnded() {
    if (m_question)
        m_question->close();
    if (const std::uint64_t id = std::exchange(m_onceStopped, 0);
        id != 0 && m_controller.runs().indexOf(id) >= 0)
        close({id});
}

void RunClosing::closeSaved() {
    for (auto id = m_onceSaved.begin(); id != m_onceSaved.end();) {
        const int index = m_controller.runs().indexOf(*id);
        if (index >= 0 && m_controller.runs().isUnsaved(index)) {
            ++id;
            continue;
        }
        id = m_onceSaved.erase(id);
        m_controller.closeRun(index);
    }
}

}  // namespace warpglass::app
