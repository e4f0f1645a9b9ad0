// What the window says and where. How the shown run or sweep is damaged, or why it failed, over its views;
// what could not be opened or begun there too, until it is dismissed; the rest, and long work, in the status
// bar. Each is said once: elsewhere stands at most a word of it. Nothing of it waits for an answer.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <memory>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class WindowMessages : public QObject {
    Q_OBJECT
public:
    /// All of these outlive it; `parent` owns it and its widgets. To be made after whoever is to be told
    /// of the beginning and the end of a run before it is said here.
    WindowMessages(SessionController& controller, WindowPages& pages, TrialRuns& trials, ui::RunPanel& panel,
                   StatusPlace& place, QWidget& parent);

    /// What lies over the views, for the window's layout.
    QWidget& banners() const;

public slots:
    void say(const QString& sentence) { show(sentence, false); }
    /// Something has gone wrong.
    void complain(const QString& sentence) { show(sentence, true); }
    /// The recording is being stopped for the window to close: its progress is no news any more.
    void sayStopping();
    void sayWaiting();
    /// One view alone has the window: only what cannot wait is shown beside it.
    void setAlone(bool alone);

signals:
    void saveRequested();

private:
    void buildBanners();
    void buildStatusBar();
    void connectRun();
    void connectFiles();
    void connectMarks();
    void show(const QString& sentence, bool problem);
    void showStatusBar();
    void showWarnings();
    /// Each begins with "A: " or "B: ".
    QStringList warningsOf(const std::shared_ptr<const Snapshot>& run, const QString& letter) const;
    void showProblems(const QStringList& sentences, bool ofRun);
    void forgetRunProblem();
    void showRunResult(bool ok, const QString& sentence);
    void onRunShown(bool again);
    void onOthersShown();
    /// What m_runMessage says, while a run is being recorded; else nothing.
    QString recordingMessage() const;
    void sayOfRun();
    /// The status bar shows a problem.
    bool complains() const;

    SessionController& m_controller;
    WindowPages& m_pages;
    TrialRuns& m_trials;
    ui::RunPanel& m_panel;
    StatusPlace& m_place;
    CalmStrip* m_strip;  // of the banners
    Banner* m_problems;
    Banner* m_copyNotice;
    Banner* m_warnings;
    QPushButton* m_save = nullptr;
    QLabel* m_message;
    WorkBar* m_work;
    MarkNotice* m_markNotice;
    QTimer m_damage;               // while two runs are compared
    QTimer m_toRead;               // how long a sentence stays where the bar lies over the views
    bool m_problemsOfRun = false;  // and not of files
    bool m_stopping = false;
    bool m_alone = false;
    /// How the recording goes, or how the last one ended.
    QString m_runMessage;
};

}  // namespace warpglass::app
