// The sweeps that are open, each a page of its own: opened from files, or running here.
//
// GUI thread only; files are read and made on a worker, and a running sweep has a thread of its own. The
// running cell of one that is closed waits again, and the file can be gone on with.
#pragma once

#include <functional>
#include <memory>

#include "app/window/open_pages.h"
#include "ui/sweep/sweep_page.h"

namespace warpglass::app {

class OpenSweeps : public OpenPages<OpenSweeps, ui::SweepPage> {
    Q_OBJECT
public:
    explicit OpenSweeps(QWidget& parent);

    /// The file's name without its suffix.
    QString titleOf(int index) const;

    /// opened() or failed() follows; one that is open already comes to the front, and is read again.
    void open(const QString& path);
    /// A new file; its cells begin to run: opened() or notStarted() follows.
    void start(const SweepPlan& plan, const QString& path);
    /// Opens it and runs what is left of it, unless it runs already; opened() or failed() follows. One that
    /// runs elsewhere is followed.
    void resume(const QString& path) { goOn(path, true); }

signals:
    /// One was opened or closed, or its state is another.
    void changed();
    void opened(int index, const QString& path);
    /// Why, in one sentence. `there`: the sweep that the file holds already; null where it holds none.
    void notStarted(const SweepPlan& plan, const QString& path, const QString& problem,
                    std::shared_ptr<const Sweep> there);
    /// Its page goes with the event loop.
    void closed();
    void openRunRequested(const QString& runFile);
    void compareRequested(const QString& fileA, const QString& fileB);
    void ended(const QString& sentence);
    void failed(const QString& sentence);

private:
    struct Made;
    /// `work` on a worker, then `then` here.
    void onWorker(std::function<Made()> work, std::function<void(Made&)> then);
    int indexOfFile(const QString& path) const;
    int add(const QString& path, std::shared_ptr<const Sweep> sweep);
    void read(const QString& path, std::function<void(Made&)> then);
    void reread(ui::SweepPage& page);
    void goOn(const QString& path, bool toFront);
};

}  // namespace warpglass::app
