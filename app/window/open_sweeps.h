// The sweeps that are open, each a page of its own: opened from files, or running here.
//
// GUI thread only; a running sweep has a thread of its own, and one that is closed is stopped first, after a
// question: its running cell waits again, and the file can be gone on with.
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>
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

    /// Shows it, also where it is open already; failed() follows where it cannot be read.
    void open(const QString& path);
    /// A new file, which must not exist; its cells begin to run.
    void start(const SweepPlan& plan, const QString& path, const SweepRunOptions& options = {});
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
    /// Its page goes with the event loop.
    void closed();
    void openRunRequested(const QString& runFile);
    void compareRequested(const QString& fileA, const QString& fileB);
    void ended(const QString& sentence);
    void failed(const QString& sentence);

private:
    int add(const QString& path, std::shared_ptr<const Sweep> sweep);
    void goOn(ui::SweepPage& page);
    void remove(ui::SweepPage& page);

    QWidget& m_parent;
    std::vector<ui::SweepPage*> m_pages;
    QPointer<QDialog> m_question;
};

}  // namespace warpglass::app
