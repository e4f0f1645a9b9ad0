#include "ui/models/deferred_query.h"

#include <QtConcurrent/QtConcurrentRun>
#include <algorithm>

namespace warpglass::ui {

DeferredQuery::DeferredQuery(MakeJob makeJob, QObject* parent)
    : QObject(parent), m_makeJob(std::move(makeJob)) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &DeferredQuery::start);
    connect(&m_watcher, &QFutureWatcher<Apply>::finished, this, &DeferredQuery::finish);
}

// A worker holds all that it reads, so it may outlive this; its answer is then dropped by the watcher.
DeferredQuery::~DeferredQuery() = default;

void DeferredQuery::invalidate(Cause cause) {
    const int interval = cause == Cause::kOtherRun ? 0
                         : cause == Cause::kPerson ? kPersonInterval
                                                   : kGrowthInterval;
    m_interval = m_dirty ? std::min(m_interval, interval) : interval;
    m_dirty = true;
    if (cause == Cause::kOtherRun && m_running)
        m_discard = true;
    if (m_active)
        schedule(m_interval);
}

void DeferredQuery::setActive(bool active) {
    if (active == m_active)
        return;
    m_active = active;
    if (!active)
        m_timer.stop();
    else if (m_dirty)
        schedule(0);
}

void DeferredQuery::schedule(int interval) {
    if (m_running)
        return;  // finish() goes on
    const qint64 since = m_sinceStart.isValid() ? m_sinceStart.elapsed() : interval;
    const int wait = static_cast<int>(std::clamp<qint64>(interval - since, 0, interval));
    // An earlier time already set stays.
    if (!m_timer.isActive() || m_timer.remainingTime() > wait)
        m_timer.start(wait);
}

void DeferredQuery::start() {
    if (m_running || !m_dirty || !m_active)
        return;
    m_dirty = false;
    m_sinceStart.start();
    ++m_runs;
    Job job = m_makeJob();
    if (!job.heavy) {
        job.work()();
        return;
    }
    m_running = true;
    m_discard = false;
    m_watcher.setFuture(QtConcurrent::run(std::move(job.work)));
}

void DeferredQuery::finish() {
    if (!m_running)
        return;  // runNow() has taken over
    m_running = false;
    if (!m_discard)
        m_watcher.result()();
    m_discard = false;
    if (m_dirty && m_active)
        schedule(m_interval);
}

void DeferredQuery::runNow() {
    m_timer.stop();
    if (m_running) {
        m_watcher.waitForFinished();
        m_running = false;
        if (!m_discard && !m_dirty)
            m_watcher.result()();
        m_discard = false;
    }
    if (!m_dirty)
        return;
    m_dirty = false;
    m_sinceStart.start();
    ++m_runs;
    m_makeJob().work()();
}

}  // namespace warpglass::ui
