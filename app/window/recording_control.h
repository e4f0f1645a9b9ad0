// Starts and stops recordings for the run panel, tells it how they go and which devices there are; goes back
// to what was in front where nothing was recorded.
//
// GUI thread only; the devices are looked for on a worker.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <utility>

#include "app/window/window_fwd.h"
#include "app/window/workspace.h"
#include "engine/plan/valid_config.h"

namespace warpglass::app {

class RecordingControl : public QObject {
    Q_OBJECT
public:
    /// `devicesAtOnce`: waits for the GPUs, which a figure needs and a person would not. All of these outlive
    /// it; `parent` is the dialogs' parent too.
    RecordingControl(SessionController& controller, WindowPages& pages, ui::RunPanel& panel,
                     bool devicesAtOnce, QWidget& parent);

private:
    /// Asks first where the run is predicted not to fit this machine's memory.
    void start(const ValidConfig& config);
    void findDevices();
    void goBack();

    /// What was in front as the recording began.
    struct Before {
        Workspace::Page page;
        std::pair<std::shared_ptr<const Snapshot>, std::shared_ptr<const Snapshot>> compared;
    };

    SessionController& m_controller;
    WindowPages& m_pages;
    ui::RunPanel& m_panel;
    QWidget& m_window;
    bool m_devicesAtOnce;
    std::optional<Before> m_before;  // nothing once the person has gone elsewhere
};

}  // namespace warpglass::app
