#include "app/window/open_experiments.h"

#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrent/QtConcurrentRun>
#include <algorithm>

#include "ui/experiments/experiment_page.h"
#include "ui/experiments/opened_experiment.h"
#include "ui/models/worker_pool.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

struct Reading {
    std::shared_ptr<const ui::OpenedExperiment> experiment;
    QString problem;
};

/// On a worker; nothing that a file makes it throw may leave it.
Reading readingOf(const QString& path) {
    try {
        auto opened = ui::openExperiment(path);
        if (!opened)
            return {nullptr, ui::toQString(opened.message())};
        return {std::make_shared<const ui::OpenedExperiment>(std::move(*opened)), {}};
    } catch (const std::bad_alloc&) {
        return {nullptr, OpenExperiments::tr("Cannot open %1: there is not enough memory for it.").arg(path)};
    }
}

}  // namespace

OpenExperiments::OpenExperiments(QWidget& parent) : QObject(&parent), m_parent(parent) {}

int OpenExperiments::indexOf(const QWidget* page) const {
    const auto found = std::find(m_pages.begin(), m_pages.end(), page);
    return found == m_pages.end() ? -1 : static_cast<int>(found - m_pages.begin());
}

int OpenExperiments::indexOfFolder(const QString& folder) const {
    const auto found = std::find_if(m_pages.begin(), m_pages.end(),
                                    [&](const ui::ExperimentPage* page) { return page->folder() == folder; });
    return found == m_pages.end() ? -1 : static_cast<int>(found - m_pages.begin());
}

QString OpenExperiments::titleOf(int index) const {
    const auto& experiment = page(index).experiment();
    return experiment ? ui::toQString(experiment->result.title) : QFileInfo(page(index).folder()).fileName();
}

void OpenExperiments::open(const QString& path) {
    auto* watcher = new QFutureWatcher<Reading>(this);
    ++m_reading;
    connect(watcher, &QFutureWatcher<Reading>::finished, this, [this, watcher, path] {
        watcher->deleteLater();
        --m_reading;
        const Reading read = watcher->result();
        if (read.experiment)
            show(ui::experimentFolder(path), read.experiment);
        else
            emit failed(read.problem);
    });
    watcher->setFuture(QtConcurrent::run(&ui::workerPool(), readingOf, path));
}

void OpenExperiments::show(const QString& folder, std::shared_ptr<const ui::OpenedExperiment> experiment) {
    int index = indexOfFolder(folder);
    if (index < 0)
        index = add(folder);
    page(index).setExperiment(std::move(experiment));
    emit changed();
    emit opened(index, folder);
}

int OpenExperiments::add(const QString& folder) {
    auto* page = new ui::ExperimentPage(folder, &m_parent);
    page->hide();
    m_pages.push_back(page);
    connect(page, &ui::ExperimentPage::openRequested, this, &OpenExperiments::openRequested);
    connect(page, &ui::ExperimentPage::exportFigureRequested, this, &OpenExperiments::exportFigureRequested);
    connect(page, &ui::ExperimentPage::said, this, &OpenExperiments::said);
    connect(page, &ui::ExperimentPage::failed, this, &OpenExperiments::failed);
    return count() - 1;
}

void OpenExperiments::close(int index) {
    ui::ExperimentPage* closing = &page(index);
    m_pages.erase(m_pages.begin() + index);
    emit closed();
    emit changed();
    closing->deleteLater();
}

}  // namespace warpglass::app
