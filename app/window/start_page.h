// What the window shows while no run is open: what to do first, the recent runs, and the sample runs.
#pragma once

#include <QScrollArea>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class StartPage : public QScrollArea {
    Q_OBJECT
public:
    explicit StartPage(RecentRuns& recent, QWidget* parent = nullptr);

    void setRunEnabled(bool enabled);
    /// This build or installation can run nothing; why, the run panel says.
    /// The words that lead to it say how to show it where it is hidden.
    void setRunPanelShown(bool shown);
    void setCannotRun(bool cannotRun);

signals:
    void runRequested();
    void openRequested();
    void experimentRequested();
    void openPathRequested(const QString& path);
    /// The file of a lesson.
    void lessonRequested(const QString& path);

private:
    QWidget* makeBox(QWidget* parent);
    void addHead(QWidget* box, const QString& text);
    /// A row that opens a run: its name, and what is to be said of it.
    void addRun(QWidget* box, const QString& path, const QString& name, const QString& detail, int nameWidth);
    void listRecent();
    void listSamples();
    void listLessons();

    RecentRuns& m_recent;
    QPushButton* m_run = nullptr;
    QLabel* m_lead = nullptr;
    QLabel* m_cannotRun = nullptr;
    QWidget* m_recentBox = nullptr;
    QWidget* m_sampleBox = nullptr;
    QWidget* m_lessonBox = nullptr;
};

}  // namespace warpglass::app
