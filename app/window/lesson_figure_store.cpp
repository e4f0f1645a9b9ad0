#include "app/window/lesson_figure_store.h"

#include <QFutureWatcher>
#include <QtConcurrent>

#include "app/window/run_words.h"
#include "engine/io/run_file.h"
#include "ui/models/worker_pool.h"

namespace warpglass::app {

const LessonFigures* LessonFigureStore::of(const QString& path, const std::shared_ptr<const Snapshot>& open) {
    if (const auto known = m_known.constFind(path); known != m_known.constEnd())
        return &known.value();
    if (m_asked.contains(path))
        return nullptr;
    m_asked.insert(path);
    auto* watcher = new QFutureWatcher<LessonFigures>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, path] {
        watcher->deleteLater();
        m_known.insert(path, watcher->result());
        emit changed();
    });
    watcher->setFuture(QtConcurrent::run(&ui::workerPool(), [path, open] {
        if (open)
            return lessonFigures(open);
        const auto run = openRun(nativePath(path));
        return run ? lessonFigures(run->snapshot) : LessonFigures();
    }));
    return nullptr;
}

}  // namespace warpglass::app
