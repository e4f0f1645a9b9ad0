#include "app/window/menu_conditions.h"

#include <QAction>
#include <utility>

#include "app/window/commands.h"
#include "app/window/session_controller.h"
#include "app/window/window_pages.h"

namespace warpglass::app {

MenuConditions::MenuConditions(SessionController& controller, WindowPages& pages, QObject* parent)
    : QObject(parent), m_controller(controller), m_pages(pages) {
    using Controller = SessionController;
    for (auto changed : {&Controller::runsChanged, &Controller::runStarted})
        connect(&controller, changed, this, &MenuConditions::refresh);
    connect(&controller, &Controller::currentRunChanged, this, &MenuConditions::refresh);
    connect(&controller, &Controller::runEnded, this, &MenuConditions::refresh);
    for (auto changed : {&ui::RunDocument::snapshotChanged, &ui::RunDocument::runChanged})
        connect(&controller.document(), changed, this, &MenuConditions::refresh);
    connect(&pages, &QStackedWidget::currentChanged, this, &MenuConditions::refresh);
}

QAction* MenuConditions::enableWhile(QAction* action, Condition condition, std::function<QString()> whyNot) {
    action->setEnabled(condition());
    m_entries.push_back({action, std::move(condition), std::move(whyNot)});
    return action;
}

QAction* MenuConditions::enableWhile(QAction* action, Condition condition, const QString& whyNot) {
    return enableWhile(action, std::move(condition), [whyNot] { return whyNot; });
}

QAction* MenuConditions::needsRun(QAction* action) {
    return enableWhile(
        action, [this] { return m_controller.currentRun() >= 0; }, tr("needs a run"));
}

QAction* MenuConditions::needsRunInFront(QAction* action) {
    return enableWhile(
        action, [this] { return m_pages.showsRun() || m_pages.compares(); },
        [this] { return whyNoRunInFront(); });
}

QAction* MenuConditions::needsOneRun(QAction* action) {
    return enableWhile(
        action, [this] { return m_pages.showsRun(); },
        [this] { return m_pages.compares() ? tr("not in a comparison") : whyNoRunInFront(); });
}

QString MenuConditions::whyNoRunInFront() const {
    return m_controller.currentRun() >= 0 ? tr("needs a run in front") : tr("needs a run");
}

QAction* MenuConditions::needsComparison(QAction* action) {
    return enableWhile(
        action, [this] { return m_pages.compares(); }, tr("in a comparison"));
}

QString MenuConditions::whyNot(const QAction& action) const {
    if (const QString refusal = refusalOf(action); !refusal.isEmpty())
        return refusal;
    for (const Entry& entry : m_entries) {
        if (entry.action == &action)
            return entry.whyNot();
    }
    return tr("not available now");
}

void MenuConditions::refresh() {
    for (const Entry& entry : m_entries) {
        if (entry.action)
            entry.action->setEnabled(entry.condition());
    }
    emit refreshed();
}

}  // namespace warpglass::app
