// The View menu: what is shown of the run, and the views' own actions, so that the command palette has them
// too. A key after a tab is a view's, which has it only while it has the focus: it would be typed elsewhere.
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>
#include <functional>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class ViewMenu : public QObject {
    Q_OBJECT
public:
    /// Fills `view`, which is empty and owns it; all others outlive it.
    ViewMenu(QMenu& view, MenuConditions& conditions, SessionController& controller, WindowPages& pages,
             CompareWith& compareWith);

signals:
    /// One sentence on what an action has not done.
    void said(const QString& sentence);

private:
    void addZooms(QMenu& view);
    void addFollowing(QMenu& view);
    void addClock(QMenu& view);
    void addPages(QMenu& view);
    void addFind(QMenu& view);
    void addSteps(QMenu& filters);
    void addComparisons(QMenu& view);
    void addRows(QMenu& rows);
    void addSpan(QMenu& span);
    void addMarks(QMenu& marks);
    void addUndo(QMenu& marks);
    void fillOptions(QMenu& menu);
    /// An action of the timeline in front.
    void onTimeline(QMenu& menu, const QString& title, std::function<void(ui::TimelineView&)> action,
                    const QKeySequence& keys = {});
    void onRows(QMenu& menu, const QString& title, void (ui::TimelineLabels::*action)());
    void zoomBy(double factor);

    MenuConditions& m_conditions;
    SessionController& m_controller;
    WindowPages& m_pages;
    CompareWith& m_compareWith;
    Workspace& m_workspace;
    QAction* m_zoomBack = nullptr;
};

}  // namespace warpglass::app
