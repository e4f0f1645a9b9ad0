// The sweeps that are open, each a page of its own: opened from files, or running here.
//
// GUI thread only; files are read and made on a worker, and a running sweep has a thread of its own, and one
// that is closed is stopped first, after a question: its running cell waits again, and the file can be gone
// on with.
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

#include "engine/sweep/sweep_run.h"

class QDialog;

namespace warpglass::ui {
class SweepPage;
}

namespace warpglass::app {

class OpenSweeps : public QObject {
    Q_OBJECT
public:
    /// `parent` is the pages' parent, too.
    explicit OpenSweeps(QWidget& parent);

    int count() const { return static_cast<int>(m_pages.size()); }
    ui::SweepPage& page(int index) const { return *m_pages[static_cast<std::size_t>(index)]; }
    int indexOf(const QWidget* page) const;
    /// The file's name without its suffix.
    QString titleOf(int index) const;

    /// opened() or failed() follows; one that is open already comes to the front, and is read again.
    void open(const QString& path);
    /// A new file; its cells begin to run: opened() or notStarted() follows.
    void start(const SweepPlan& plan, const QString& path);
    /// Opens it and runs what is left of it, unless it runs already; opened() or failed() follows. One that
    /// runs elsewhere is followed.
    void resume(const QString& path) { goOn(path, true); }
    bool isReading() const { return m_reading > 0; }
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
    void remove(ui::SweepPage& page);

    QWidget& m_parent;
    std::vector<ui::SweepPage*> m_pages;
    SweepRunOptions m_runOptions;
    int m_reading = 0;
    QPointer<QDialog> m_question;
};

}  // namespace warpglass::app
