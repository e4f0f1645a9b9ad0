// The open runs, and behind them the open sweeps and experiments, as quiet tabs: that of the current run is
// in front, also behind a comparison, which Esc then leaves for it. Any number fits: long titles are elided,
// and arrows scroll.
#pragma once

#include <QFrame>
#include <QPoint>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class RunTabs : public QFrame {
    Q_OBJECT
public:
    RunTabs(SessionController& controller, WindowPages& pages, QWidget* parent = nullptr);

signals:
    /// The tab of a run, of a sweep, or of an experiment is to be closed.
    void closeRequested(int index);
    void closeSweepRequested(int index);
    void closeExperimentRequested(int index);
    /// The user clicked on any of the runs.
    void clicked();
    /// The menu of the tab at that index was requested, at a position on the screen.
    void menuRequested(int index, QPoint at);

private:
    void refresh();
    int runs() const;
    /// The tabs before those of experiments.
    int runsAndSweeps() const;
    /// The run, sweep or experiment of that tab comes to the front.
    void show(int index);
    void close(int index);
    void addTab(int at, const QString& toolTip);

    SessionController& m_controller;
    WindowPages& m_pages;
    QTabBar* m_bar;
};

}  // namespace warpglass::app
