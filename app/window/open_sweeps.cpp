#include "app/window/open_sweeps.h"

#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrent/QtConcurrentRun>
#include <exception>
#include <new>
#include <utility>

#include "app/window/run_words.h"
#include "engine/sweep/sweep_file.h"
#include "ui/models/worker_pool.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

/// On a worker.
template <class Made>
Made readSweep(const QString& path) {
    auto sweep = openSweep(nativePath(path));
    if (!sweep)
        return {nullptr, nullptr, sentence(sweep.message())};
    return {std::make_shared<const Sweep>(std::move(*sweep)), nullptr, {}};
}

}  // namespace

OpenSweeps::OpenSweeps(QWidget& parent) : OpenPages(parent, RunningWork::Kind::kSweep) {}

QString OpenSweeps::titleOf(int index) const {
    return QFileInfo(page(index).path()).completeBaseName();
}

/// What a worker has read or made; `file` is to be written by whoever takes it.
struct OpenSweeps::Made {
    std::shared_ptr<const Sweep> sweep;
    std::unique_ptr<SweepFile> file;
    QString problem;
};

void OpenSweeps::onWorker(std::function<Made()> work, std::function<void(Made&)> then) {
    using Shared = std::shared_ptr<Made>;
    auto* watcher = new QFutureWatcher<Shared>(this);
    ++m_reading;
    connect(watcher, &QFutureWatcher<Shared>::finished, this, [this, watcher, then = std::move(then)] {
        watcher->deleteLater();
        --m_reading;
        then(*watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(&ui::workerPool(), [work = std::move(work)] {
        try {
            return std::make_shared<Made>(work());
        } catch (const std::bad_alloc&) {  // a file may ask for any amount
            return std::make_shared<Made>(
                Made{nullptr, nullptr, tr("There is not enough memory for the sweep.")});
        } catch (const std::exception& failure) {
            return std::make_shared<Made>(
                Made{nullptr, nullptr,
                     tr("The sweep's file cannot be used: %1.").arg(ui::toQString(failure.what()))});
        }
    }));
}

int OpenSweeps::indexOfFile(const QString& path) const {
    return indexWhere([&](const ui::SweepPage* page) { return leadToOneFile(page->path(), path); });
}

void OpenSweeps::read(const QString& path, std::function<void(Made&)> then) {
    onWorker([path] { return readSweep<Made>(path); }, std::move(then));
}

void OpenSweeps::open(const QString& path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    if (const int index = indexOfFile(whole); index >= 0) {
        if (!page(index).isRunning())
            reread(page(index));
        return emit opened(index, page(index).path());
    }
    read(whole, [this, whole](Made& made) {
        int index = indexOfFile(whole);
        if (index < 0 && !made.sweep)
            return emit failed(made.problem);
        if (index < 0)
            index = add(whole, made.sweep);
        emit opened(index, whole);
    });
}

void OpenSweeps::reread(ui::SweepPage& page) {
    read(page.path(), [page = QPointer(&page)](Made& made) {
        if (!page)
            return;
        if (made.sweep)
            page->setSweep(made.sweep);
        else
            page->refuse(made.problem);
    });
}

void OpenSweeps::start(const SweepPlan& plan, const QString& path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    const auto make = [whole, plan]() -> Made {
        auto file = SweepFile::create(nativePath(whole), plan);
        if (file)
            return {std::make_shared<const Sweep>((*file)->sweep()), std::move(*file), {}};
        Made made{nullptr, nullptr, sentence(file.message())};
        if (QFileInfo::exists(whole))
            made.sweep = readSweep<Made>(whole).sweep;
        return made;
    };
    onWorker(make, [this, plan, whole](Made& made) {
        if (!made.file)
            return emit notStarted(plan, whole, made.problem, made.sweep);
        const int index = add(whole, made.sweep);
        page(index).follow(SweepRun::start(std::move(made.file), m_runOptions));
        emit opened(index, whole);
    });
}

void OpenSweeps::goOn(const QString& path, bool toFront) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    if (const int index = indexOfFile(whole); index >= 0 && page(index).isRunning())
        return emit opened(index, page(index).path());
    const auto take = [whole]() -> Made {
        auto file = SweepFile::resume(nativePath(whole));
        if (file)
            return {std::make_shared<const Sweep>((*file)->sweep()), std::move(*file), {}};
        Made made = readSweep<Made>(whole);
        // If it goes on elsewhere, that is all there is to say.
        if (!made.sweep || !made.sweep->isBeingRun)
            made.problem = sentence(file.message());
        return made;
    };
    onWorker(take, [this, whole, toFront](Made& made) {
        int index = indexOfFile(whole);
        if (index < 0 && !toFront)
            return;  // its tab has been closed
        if (index < 0 && !made.sweep)
            return emit failed(made.problem);
        if (index < 0)
            index = add(whole, made.sweep);
        ui::SweepPage& page = this->page(index);
        if (page.isRunning()) {
            // It has been gone on with meanwhile.
        } else if (made.file) {
            page.follow(SweepRun::start(std::move(made.file), m_runOptions));
        } else {
            if (made.sweep)
                page.setSweep(made.sweep);
            if (!made.problem.isEmpty())
                page.refuse(made.problem);
        }
        if (toFront)
            emit opened(index, page.path());
    });
}

int OpenSweeps::add(const QString& path, std::shared_ptr<const Sweep> sweep) {
    auto* page = new ui::SweepPage(path, std::move(sweep), &m_parent);
    page->hide();
    m_pages.push_back(page);
    connect(page, &ui::SweepPage::openRequested, this, &OpenSweeps::openRunRequested);
    connect(page, &ui::SweepPage::compareRequested, this, &OpenSweeps::compareRequested);
    connect(page, &ui::SweepPage::goOnRequested, this, [this, page] { goOn(page->path(), false); });
    connect(page, &ui::SweepPage::rereadWanted, this, [this, page] { reread(*page); });
    connect(page, &ui::SweepPage::stateChanged, this, &OpenSweeps::changed);
    connect(page, &ui::SweepPage::ended, this, &OpenSweeps::ended);
    emit changed();
    return count() - 1;
}

}  // namespace warpglass::app
