// What the window shows while no run is open: what to do first, and the recent runs.
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace warpglass::app {

class RecentRuns;

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(RecentRuns& recent, QWidget* parent = nullptr);

signals:
    void runRequested();
    void openRequested();
    void openPathRequested(const QString& path);

private:
    void listRecent();

    RecentRuns& m_recent;
    QWidget* m_recentBox = nullptr;
};

}  // namespace warpglass::app
