// The middle of the window: the start page, the views of one run, or two runs over each other. Knows which of
// them is in front, and has every way from one to another; the views of a run, and of a comparison, come back
// as they were left.
#pragma once

#include <QPointer>
#include <QStackedWidget>
#include <memory>
#include <utility>

#include "app/window/window_fwd.h"
#include "app/window/workspace.h"

namespace warpglass::app {

class WindowPages : public QStackedWidget {
    Q_OBJECT
public:
    /// Both outlive it. It follows the controller's current run from here on.
    WindowPages(SessionController& controller, RecentRuns& recent, QWidget* parent = nullptr);

    StartPage& startPage() const { return *m_startPage; }
    Workspace& workspace() const { return *m_workspace; }
    ui::ComparisonView& comparison() const { return *m_comparison; }

    OpenSweeps& sweeps() const { return *m_sweeps; }
    /// Null where no sweep is in front.
    ui::SweepPage* sweepInFront() const;
    OpenExperiments& experiments() const { return *m_experiments; }
    /// Null where no experiment is in front.
    ui::ExperimentPage* experimentInFront() const;

    /// A sweep or an experiment is in front: what is of the run behind it is out of sight.
    bool hasSweepOrExperiment() const { return sweepInFront() || experimentInFront(); }
    /// How many tabs there are, of runs, sweeps and experiments.
    int tabCount() const;
    /// The views of one run are in front.
    bool showsRun() const { return currentWidget() == m_workspace; }
    bool compares() const;
    /// A and B; null while nothing is compared.
    std::pair<std::shared_ptr<const Snapshot>, std::shared_ptr<const Snapshot>> compared() const;

    /// The time axis of the run in front; in a comparison, A's.
    ui::TimeAxis& axis() const;
    /// In a comparison the timeline that has the focus, else A's; null on the start page.
    ui::TimelineView* timeline() const;
    /// The name of the view that has the focus, else of the first that the page shows.
    QString viewInFront() const;
    /// The table that has the focus, else the first beside what has it; null where none is shown.
    ui::DataTable* tableInFront() const;

public slots:
    /// The views of a run; the start page for −1.
    void showRun(int index);
    void showSweep(int index);
    void showExperiment(int index);
    /// The run, sweep or experiment `by` tabs further, round the end.
    void stepRun(int by);
    /// Two runs over each other, `a` first. Nothing happens unless both have ended.
    void compare(int a, int b);
    /// Back to the run in front, from a sweep or an experiment, too; after a comparison the keyboard goes
    /// back to what had it before.
    void closeComparison();
    void showPage(warpglass::app::Workspace::Page page);
    /// With the keyboard, so that the page's own keys work there.
    void goToPage(warpglass::app::Workspace::Page page);
    /// `name`: one of Workspace::views().
    void goToView(const QString& name);
    // In a comparison both runs are searched.
    void openFind();
    void findNext();
    void findPrevious();

signals:
    /// Something else is about to come to the front; until then a view may be shown alone.
    void aboutToLeave();
    /// `again`: the run has been in front before.
    void runShown(bool again);
    void comparisonShown();
    void sweepShown(int index);
    void experimentShown(int index);
    /// What the window is to be called.
    void titleChanged(const QString& title);

private:
    /// A page that is none of the run's: a sweep's or an experiment's.
    void bringToFront(QWidget& page);
    /// The tab that is in front has been closed: another one comes, and its page goes.
    void leaveClosed(QWidget& page);
    void sayTitles();

    SessionController& m_controller;
    StartPage* m_startPage;
    Workspace* m_workspace;
    ui::ComparisonView* m_comparison;
    OpenSweeps* m_sweeps;
    OpenExperiments* m_experiments;
    RunViews* m_views;
    QPointer<QWidget> m_beforeComparison;  // what had the focus
};

}  // namespace warpglass::app
