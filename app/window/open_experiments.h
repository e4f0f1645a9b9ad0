// The experiments that are open, each a page of its own.
//
// GUI thread only; folders are read on a worker.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

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
    void close(int index);

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

    QWidget& m_parent;
    std::vector<ui::ExperimentPage*> m_pages;
    int m_reading = 0;
};

}  // namespace warpglass::app
