// The experiments that are open, each a page of its own: opened from their folders, or running here.
//
// GUI thread only; folders are read on a worker, and a running experiment has a thread of its own. What is
// done of one that is closed is kept.
#pragma once

#include <memory>

#include "app/window/open_pages.h"
#include "engine/experiments/experiment_request.h"
#include "ui/experiments/experiment_page.h"

namespace warpglass::app {

class OpenExperiments : public OpenPages<OpenExperiments, ui::ExperimentPage> {
    Q_OBJECT
public:
    explicit OpenExperiments(QWidget& parent);

    /// The experiment's title; the folder's name while it has none.
    QString titleOf(int index) const;

    /// A folder, or the result.json in one. It is read on a worker; opened() or failed() follows. One that is
    /// open is read anew.
    void open(const QString& path) { read(path, true); }
    /// One that has been read, or has just been answered.
    void show(const QString& folder, std::shared_ptr<const ui::OpenedExperiment> experiment);
    /// Runs it in that folder, after what is done there. One that runs there already comes to the front.
    void start(const ExperimentRequest& request, const QString& folder);

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
};

}  // namespace warpglass::app
