// Which entries of the menus can be chosen now, and of each that cannot, why, in a few words. An entry is
// registered once with what it needs, and is enabled and disabled from then on as the runs, the pages and the
// recording change.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <vector>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class MenuConditions : public QObject {
    Q_OBJECT
public:
    using Condition = std::function<bool()>;

    /// Both outlive it.
    MenuConditions(SessionController& controller, WindowPages& pages, QObject* parent);

    // Each returns the action.
    QAction* enableWhile(QAction* action, Condition condition, std::function<QString()> whyNot);
    QAction* enableWhile(QAction* action, Condition condition, const QString& whyNot);
    /// It leads to a run, or acts on one.
    QAction* needsRun(QAction* action);
    /// On a run that is in front, by itself or in a comparison: not on one behind a sweep or an experiment.
    QAction* needsRunInFront(QAction* action);
    /// Nor in a comparison, where what it would change is out of sight.
    QAction* needsOneRun(QAction* action);
    QAction* needsComparison(QAction* action);

    /// Why an action is disabled.
    QString whyNot(const QAction& action) const;

public slots:
    /// Something else that a condition asks for is other than it was.
    void refresh();

signals:
    void refreshed();

private:
    QString whyNoRunInFront() const;

    struct Entry {
        QPointer<QAction> action;
        Condition condition;
        std::function<QString()> whyNot;
    };

    SessionController& m_controller;
    WindowPages& m_pages;
    std::vector<Entry> m_entries;
};

}  // namespace warpglass::app
