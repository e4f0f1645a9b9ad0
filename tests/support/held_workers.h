// Workers that do nothing for a while, so that a test sees what the window's thread does by itself.
#pragma once

#include <QSemaphore>
#include <QThreadPool>

#include "ui/models/worker_pool.h"

namespace warpglass::test {

/// The workers of ui::workerPool(). What is asked of them waits until release().
class HeldWorkers {
public:
    HeldWorkers() : m_threads(pool().maxThreadCount()) {
        pool().waitForDone();
        pool().setMaxThreadCount(1);
        pool().start([this] {
            m_begun.release();
            m_go.acquire();
            m_done.release();
        });
        m_begun.acquire();
    }
    ~HeldWorkers() { release(); }
    HeldWorkers(const HeldWorkers&) = delete;
    HeldWorkers& operator=(const HeldWorkers&) = delete;

    void release() {
        if (m_released)
            return;
        m_released = true;
        m_go.release();
        m_done.acquire();
        pool().setMaxThreadCount(m_threads);
    }

private:
    static QThreadPool& pool() { return ui::workerPool(); }

    int m_threads;
    QSemaphore m_begun, m_go, m_done;
    bool m_released = false;
};

}  // namespace warpglass::test
