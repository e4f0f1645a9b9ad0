#include "app/window/open_experiments.h"

#include <QDir>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrent/QtConcurrentRun>
#include <exception>
#include <new>

#include "app/window/run_words.h"
#include "ui/experiments/opened_experiment.h"
#include "ui/experiments/running_experiment.h"
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
    } catch (const std::exception& failure) {
        return {nullptr, OpenExperiments::tr("Cannot open %1: %2.").arg(path, ui::toQString(failure.what()))};
    }
}

}  // namespace

OpenExperiments::OpenExperiments(QWidget& parent) : OpenPages(parent, RunningWork::Kind::kExperiment) {}

int OpenExperiments::indexOfFolder(const QString& folder) const {
    return indexWhere([&](const ui::ExperimentPage* page) { return page->folder() == folder; });
}

QString OpenExperiments::titleOf(int index) const {
    const auto& experiment = page(index).experiment();
    return experiment ? ui::toQString(experiment->result.title) : QFileInfo(page(index).folder()).fileName();
}

void OpenExperiments::read(const QString& path, bool toFront) {
    // What runs here says itself how far it is.
    const QString folder = ui::experimentFolder(path);
    if (const int index = indexOfFolder(folder); index >= 0 && page(index).isRunning())
        return emit opened(index, folder);
    auto* watcher = new QFutureWatcher<Reading>(this);
    ++m_reading;
    connect(watcher, &QFutureWatcher<Reading>::finished, this, [this, watcher, folder, toFront] {
        watcher->deleteLater();
        --m_reading;
        const Reading read = watcher->result();
        if (!read.experiment)
            emit failed(read.problem);
        else if (toFront)
            show(folder, read.experiment);
        else if (const int index = indexOfFolder(folder); index >= 0 && !page(index).isRunning()) {
            page(index).setExperiment(read.experiment);
            emit changed();
        }
    });
    watcher->setFuture(QtConcurrent::run(&ui::workerPool(), readingOf, path));
}

void OpenExperiments::show(const QString& folder, std::shared_ptr<const ui::OpenedExperiment> experiment) {
    int index = indexOfFolder(folder);
    if (index < 0)
        index = add(folder);
    if (!page(index).isRunning())
        page(index).setExperiment(std::move(experiment));
    emit changed();
    emit opened(index, folder);
}

void OpenExperiments::start(const ExperimentRequest& request, const QString& folder) {
    const QString whole = QDir::cleanPath(QFileInfo(folder).absoluteFilePath());
    int index = indexOfFolder(whole);
    if (index < 0)
        index = add(whole);
    if (!page(index).isRunning())
        follow(page(index), request);
    emit changed();
    emit opened(index, whole);
}

void OpenExperiments::follow(ui::ExperimentPage& page, const ExperimentRequest& request) {
    page.follow(ui::RunningExperiment::start(request, nativePath(page.folder()), m_runOptions), request);
}

void OpenExperiments::onEnded(ui::ExperimentPage& page, const QString& problem) {
    if (problem.isEmpty())
        emit said(tr("%1: the answer is there.").arg(titleOf(indexOf(&page))));
    else
        emit said(problem);
    read(page.folder(), false);
}

int OpenExperiments::add(const QString& folder) {
    auto* page = new ui::ExperimentPage(folder, &m_parent);
    page->hide();
    m_pages.push_back(page);
    connect(page, &ui::ExperimentPage::openRequested, this, &OpenExperiments::openRequested);
    connect(page, &ui::ExperimentPage::exportFigureRequested, this, &OpenExperiments::exportFigureRequested);
    connect(page, &ui::ExperimentPage::stateChanged, this, &OpenExperiments::changed);
    connect(page, &ui::ExperimentPage::ended, this,
            [this, page](const QString& problem) { onEnded(*page, problem); });
    connect(page, &ui::ExperimentPage::goOnRequested, this,
            [this, page] { follow(*page, ExperimentRequest(*page->experiment()->request)); });
    connect(page, &ui::ExperimentPage::said, this, &OpenExperiments::said);
    connect(page, &ui::ExperimentPage::failed, this, &OpenExperiments::failed);
    return count() - 1;
}

}  // namespace warpglass::app
