// Export Report: what of the open runs, sweeps and experiments can go into a report now.
#pragma once

#include <QObject>
#include <vector>

#include "app/window/report_dialog.h"
#include "app/window/window_fwd.h"

namespace warpglass::app {

class ReportCommands : public QObject {
    Q_OBJECT
public:
    /// All of these outlive it; the window is the dialog's parent.
    ReportCommands(SessionController& controller, WindowPages& pages, QWidget& window);

    /// Ended runs, sweeps, and experiments with an answer; what is in front is ticked, or both compared runs.
    std::vector<ReportChoice> choices() const;
    bool hasChoices() const;

public slots:
    /// Returns when the dialog is closed.
    void exportReport();

private:
    SessionController& m_controller;
    WindowPages& m_pages;
    QWidget& m_window;
};

}  // namespace warpglass::app
