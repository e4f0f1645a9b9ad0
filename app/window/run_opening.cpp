#include "app/window/run_opening.h"

#include <QPointer>
#include <QThreadPool>
#include <utility>

#include "app/window/run_words.h"
#include "ui/models/worker_pool.h"

namespace warpglass::app {

RunOpening::RunOpening(std::function<QString(const QString& path, const RunInfo& info)> markedCopyOf,
                       QObject* parent)
    : QObject(parent), m_markedCopyOf(std::move(markedCopyOf)) {}

QStringList RunOpening::runsOf(const QStringList& files) {
    QStringList paths;
    for (const QString& file : files) {
        switch (kindOfFile(file)) {
            case FileKind::kRun:
                paths << file;
                break;
            case FileKind::kSweep:
                emit sweepWanted(file);
                break;
            case FileKind::kExperiment:
                emit experimentWanted(file);
                break;
        }
    }
    return paths;
}

void RunOpening::open(const QStringList& files, std::function<void(const ReadRun& run)> take) {
    const QStringList paths = runsOf(files);
    if (paths.isEmpty())
        return;
    const int count = static_cast<int>(paths.size());
    emit began();
    emit progress(paths.first(), 0, count);
    emit workChanged(1);
    ++m_openings;
    // One after the other, so that the runs appear in the order given.
    ui::workerPool().start([this, self = QPointer(this), paths, count, take = std::move(take),
                            canceled = m_canceled] {
        // Whoever destroys this waits for the pool, so `this` is alive here; `self` guards the queued calls.
        // What is queued when it is canceled does not come any more.
        const auto inWindow = [this, self, canceled](auto act) {
            QMetaObject::invokeMethod(this, [self, canceled, act = std::move(act)] {
                if (self && !*canceled)
                    act(*self);
            });
        };
        for (int i = 0; i < count && !*canceled; ++i) {
            const QString path = paths[i];
            if (i > 0)
                inWindow([path, i, count](RunOpening& opening) { emit opening.progress(path, i, count); });
            const auto opened = openRun(nativePath(path));
            if (!opened) {
                inWindow([problem = sentence(opened.message())](RunOpening& opening) {
                    opening.m_notOpened << problem;
                });
                continue;
            }
            if (*canceled)
                break;
            auto memory = std::make_shared<MemoryTimeline>();
            memory->update(opened->snapshot);
            const ReadRun read{path, *opened, memory, m_markedCopyOf(path, opened->snapshot->info())};
            inWindow([read, take](RunOpening&) { take(read); });
        }
        inWindow([](RunOpening& opening) { opening.finish(); });
        QMetaObject::invokeMethod(this, [self] {
            if (self)
                emit self->workChanged(-1);
        });
    });
}

void RunOpening::finish() {
    if (const QStringList problems = std::exchange(m_notOpened, {}); !problems.isEmpty())
        emit notOpened(problems);
    if (--m_openings == 0)
        emit ended();
}

void RunOpening::cancel() {
    if (m_openings == 0)
        return;
    *m_canceled = true;
    m_canceled = std::make_shared<std::atomic<bool>>(false);
    m_openings = 0;
    emit notOpened(std::exchange(m_notOpened, {}), true);
    emit ended();
}

}  // namespace warpglass::app
