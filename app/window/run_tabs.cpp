#include "app/window/run_tabs.h"

#include <QSignalBlocker>

#include "app/window/session_controller.h"

namespace warpglass::app {

RunTabs::RunTabs(SessionController& controller, QWidget* parent) : QTabBar(parent), m_controller(controller) {
    setObjectName(QStringLiteral("runTabs"));
    setAccessibleName(tr("Open runs"));
    setDocumentMode(true);
    setDrawBase(false);
    setExpanding(false);
    setTabsClosable(true);
    setElideMode(Qt::ElideMiddle);
    connect(this, &QTabBar::currentChanged, &m_controller, &SessionController::showRun);
    connect(&m_controller, &SessionController::runsChanged, this, &RunTabs::refresh);
    connect(&m_controller, &SessionController::currentRunChanged, this, &RunTabs::refresh);
    refresh();
}

void RunTabs::refresh() {
    const QSignalBlocker quiet(this);
    const auto& runs = m_controller.runs();
    while (count() > static_cast<int>(runs.size()))
        removeTab(count() - 1);
    for (int i = 0; i < static_cast<int>(runs.size()); ++i) {
        const OpenedRunEntry& run = runs[static_cast<std::size_t>(i)];
        if (i >= count())
            addTab(run.title);
        setTabText(i, run.title);
        setTabToolTip(i, run.path.isEmpty() ? tr("In memory only: save it to keep it") : run.path);
    }
    setCurrentIndex(m_controller.currentRun());
    // The menu bar lays its corner out anew only when the corner widget is shown.
    if (static_cast<int>(runs.size()) != m_shownCount) {
        m_shownCount = static_cast<int>(runs.size());
        hide();
        setVisible(!runs.empty());
    }
}

}  // namespace warpglass::app
