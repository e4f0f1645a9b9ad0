#include "ui/models/worker_pool.h"

#include <QGlobalStatic>
#include <QThreadPool>

namespace warpglass::ui {

namespace {
Q_GLOBAL_STATIC(QThreadPool, pool)  // at its end it waits for what is at work
}  // namespace

QThreadPool& workerPool() {
    return *pool;
}

}  // namespace warpglass::ui
