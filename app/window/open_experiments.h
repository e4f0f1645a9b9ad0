// The experiments that are open, each a page of its own: opened from their folders, or running here.
//
// GUI thread only; folders are read on a worker, and a running experiment has a thread of its own. One that
// is closed is stopped first, after a question; what is done is kept.
#pragma once

#include <QDialog>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <memory>
#include <vector>

#include "engine/experiments/experiment_request.h"
#include "engine/sweep/sweep_run.h"

class QWidget;

namespace warpglass::ui {
class ExperimentPage;
struct OpenedExperiment;
}  // namespace warpglass::ui

namespace warpglass::app {

class OpenExperiments : public QObject {
    Q_OBJECT
public:
    /// `parent` is the pages' parent, too.
    explicit OpenExperiments(QWidget& parent);

    int count() const { return static_cast<int>(m_pages.size()); }
    ui::ExperimentPage& page(int index) const { return *m_pages[static_cast<std::size_t>(index)]; }
    int indexOf(const QWidget* page) const;
    /// The experiment's title; the folder's name while it has none.
    QString titleOf(int index) const;

    /// A folder, or the result.json in one. It is read on a worker; opened() or failed() follows. One that is
    /// open is read anew.
    void open(const QString& path);
    /// One that has been read, or has just been answered.
    void show(const QString& folder, std::shared_ptr<const ui::OpenedExperiment> experiment);
    bool isReading() const { return m_reading > 0; }
    /// Runs it in that folder, after what is done there. One that runs there already comes to the front.
    void start(const ExperimentRequest& request, const QString& folder);
    /// Runs cells with another program than `warpglass-cli` beside this one (tests).
    void setRunOptions(SweepRunOptions options) { m_runOptions = std::move(options); }
    /// Asks first where it runs.
    void close(int index);
    /// The titles of those that go on.
    QStringList running() const;
    /// changed() follows as each has ended.
    void stopAll();

signals:
    /// One was opened or closed, or its state is another.
    void changed();
    void opened(int index, const QString& folder);
    /// Its page goes with the event loop.
    void closed();
    /// A sweep's or a run's file.
    void openRequested(const QString& path);
    void exportFigureRequested();
    void said(const QString& sentence);
    void failed(const QString& sentence);

private:
    int indexOfFolder(const QString& folder) const;
    int add(const QString& folder);
    void follow(ui::ExperimentPage& page, const ExperimentRequest& request);
    void read(const QString& path, bool toFront);
    void onEnded(ui::ExperimentPage& page, const QString& problem);
    void remove(ui::ExperimentPage& page);

    QWidget& m_parent;
    std::vector<ui::ExperimentPage*> m_pages;
    SweepRunOptions m_runOptions;
    int m_reading = 0;
    QPointer<QDialog> m_question;
};

}  // namespace warpglass::app
