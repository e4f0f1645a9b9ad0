// What the window shows while no run is open: what to do first, and the recent runs.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace warpglass::app {

class RecentRuns;

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(RecentRuns& recent, QWidget* parent = nullptr);

    void setRunEnabled(bool enabled);
    /// Why this build or installation can run nothing; empty when it can.
    void setCannotRun(const QString& sentence);

signals:
    void runRequested();
    void openRequested();
    void openPathRequested(const QString& path);

private:
    void listRecent();

    RecentRuns& m_recent;
    QPushButton* m_run = nullptr;
    QLabel* m_cannotRun = nullptr;
    QWidget* m_recentBox = nullptr;
};

}  // namespace warpglass::app
