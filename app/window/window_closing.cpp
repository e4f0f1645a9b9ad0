#include "app/window/window_closing.h"

#include <QDialog>
#include <algorithm>
#include <utility>

#include "app/window/run_closing.h"
#include "app/window/run_dialogs.h"
#include "app/window/session_controller.h"

namespace warpglass::app {

WindowClosing::WindowClosing(SessionController& controller, QWidget& window, bool asksAboutUnsaved,
                             std::function<bool(int)> save)
    : QObject(&window),
      m_controller(controller),
      m_window(window),
      m_asksAboutUnsaved(asksAboutUnsaved),
      m_save(std::move(save)) {
    connect(&controller, &SessionController::runEnded, this, [this] {
        if (m_stopQuestion)
            m_stopQuestion->close();  // it has answered itself
    });
    // What could not be saved is not closed.
    connect(&controller, &SessionController::failed, this, [this] { m_onceIdle = m_lossAccepted = false; });
    connect(&controller, &SessionController::busyChanged, this, [this](bool busy) {
        if (!busy && std::exchange(m_onceIdle, false))
            m_window.close();
    });
}

bool WindowClosing::mayClose() {
    if (m_controller.isRunning()) {
        m_lossAccepted = false;
        if (!m_onceStopped && !(m_stopQuestion && m_stopQuestion->isVisible())) {
            m_stopQuestion = askToStop(&m_window, RecordingQuestion::kQuit, [this] {
                // The run ends between two ops and its file is completed; then the window closes by itself.
                m_onceStopped = true;
                emit stopRequested();
            });
        }
        return false;
    }
    m_onceStopped = false;
    // What is being saved is not asked about: it ends first.
    const bool saving = m_controller.isBusy() && !m_controller.isOpening();
    if (!saving && !settleUnsaved()) {
        // A close that was called off leaves what is being opened alone.
        if (m_onceIdle)
            m_controller.cancelOpening();
        return false;
    }
    if (!m_controller.isBusy())
        return true;
    // Cancelled, a file is no longer shown, but its worker may be in the midst of it for a while.
    m_lossAccepted = m_lossAccepted || !saving;
    m_controller.cancelOpening();
    m_onceIdle = true;
    emit waitsForWork();
    return false;
}

void WindowClosing::closeOnceStopped() {
    if (m_onceStopped)
        m_window.close();
}

bool WindowClosing::settleUnsaved() {
    if (!m_asksAboutUnsaved || std::exchange(m_lossAccepted, false))
        return true;
    m_onceIdle = false;
    const std::vector<int> unsaved = m_controller.unsavedRuns();
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
