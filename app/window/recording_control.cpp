#include "app/window/recording_control.h"

#include <QFutureWatcher>
#include <QtConcurrent/QtConcurrentRun>

#include "app/window/run_dialogs.h"
#include "app/window/session_controller.h"
#include "app/window/start_page.h"
#include "app/window/window_pages.h"
#include "engine/base/gpu_devices.h"
#include "engine/plan/memory_prediction.h"
#include "engine/session/runner_library.h"
#include "ui/models/worker_pool.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

RecordingControl::RecordingControl(SessionController& controller, WindowPages& pages, ui::RunPanel& panel,
                                   bool devicesAtOnce, QWidget& parent)
    : QObject(&parent),
      m_controller(controller),
      m_pages(pages),
      m_panel(panel),
      m_window(parent),
      m_devicesAtOnce(devicesAtOnce) {
    panel.setDevices({hostDevice()});
    findDevices();
    connect(&panel, &ui::RunPanel::runRequested, this, &RecordingControl::start);
    connect(&panel, &ui::RunPanel::stopRequested, &controller.recording(), &RunRecording::stop);
    connect(&controller, &SessionController::runStarted, this, [this] {
        m_before = {m_pages.workspace().page(), m_pages.compared()};
        m_panel.setRunning(true);
    });
    connect(&controller.recording(), &RunRecording::progress, &panel, &ui::RunPanel::setProgress);
    connect(&controller, &SessionController::currentRunChanged, this, [this](int index) {
        if (m_controller.isRunning() && index != m_controller.recordingRun())
            m_before.reset();
    });
    connect(&controller, &SessionController::runEnded, this, [this] {
        m_panel.setRunning(false);
        findDevices();  // for what is free of their memory now
        if (m_controller.endedRun() < 0)
            goBack();
        m_before.reset();
    });
    StartPage& start = pages.startPage();
    connect(&start, &StartPage::runRequested, &panel, &ui::RunPanel::requestRun);
    const auto offerRun = [&panel, &start] { start.setRunEnabled(panel.canRun()); };
    connect(&panel, &ui::RunPanel::canRunChanged, &start, offerRun);
    const QString why = RunRecording::whyNothingRuns();
    // Where only a library is missing, it can be put right while the window is open.
    panel.setCannotRun(why, expectedTorchVersion().empty());
    start.setCannotRun(!why.isEmpty());
    offerRun();
}

void RecordingControl::start(const ValidConfig& config) {
    const Bytes available = hostDevice().available;
    const MemoryPrediction memory = predictMemory(config);
    const bool overcommit = needsOvercommit(memory, available);
    if (!overcommit || askToRunAnyway(&m_window, ui::toQString(fitSentence(memory, available))))
        m_controller.recording().start(config, overcommit);
}

void RecordingControl::goBack() {
    if (!m_before || m_controller.currentRun() < 0 || m_pages.hasSweepOrExperiment())
        return;
    const Before before = *m_before;
    m_pages.workspace().setPage(before.page);
    const int a = m_controller.runs().indexOf(before.compared.first);
    const int b = m_controller.runs().indexOf(before.compared.second);
    if (a >= 0 && b >= 0)
        m_pages.compare(a, b);
}

/// The driver takes its time to wake a GPU, which the first paint does not wait for.
void RecordingControl::findDevices() {
    if (m_devicesAtOnce)
        return m_panel.setDevices(allDevices());
    auto* watcher = new QFutureWatcher<std::vector<DeviceInfo>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        m_panel.setDevices(watcher->result());
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run(&ui::workerPool(), allDevices));
}

}  // namespace warpglass::app
