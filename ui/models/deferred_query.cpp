#include "ui/models/deferred_query.h"

#include <QtConcurrent/QtConcurrentRun>
#include <algorithm>
#include <exception>

namespace warpglass::ui {

namespace {

int intervalOf(DeferredQuery::Cause cause) {
    return cause == DeferredQuery::Cause::kOtherRun ? 0
           : cause == DeferredQuery::Cause::kPerson ? DeferredQuery::kPersonInterval
                                                    : DeferredQuery::kGrowthInterval;
}

/// Empty where the work failed: a hostile run may ask for more memory than there is.
DeferredQuery::Apply answerOf(const std::function<DeferredQuery::Apply()>& work) {
    try {
        return work();
    } catch (const std::exception& problem) {
        qWarning("A view was not computed: %s", problem.what());
        return {};
    }
}

void apply(const DeferredQuery::Apply& answer) {
    if (answer)
        answer();
}

}  // namespace

DeferredQuery::DeferredQuery(MakeJob makeJob, QObject* parent)
    : QObject(parent), m_makeJob(std::move(makeJob)) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &DeferredQuery::start);
    connect(&m_watcher, &QFutureWatcher<Apply>::finished, this, &DeferredQuery::finish);
}

// A worker holds all that it reads, so it may outlive this; its answer is then dropped by the watcher.
DeferredQuery::~DeferredQuery() = default;

void DeferredQuery::invalidate(Cause cause) {
    m_cause = m_dirty ? std::max(m_cause, cause) : cause;
    m_dirty = true;
    if (cause == Cause::kOtherRun && m_running)
        m_discard = true;
    if (m_active)
        schedule(intervalOf(m_cause));
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
        apply(answerOf(job.work));
        return;
    }
    m_running = true;
    m_discard = false;
    m_watcher.setFuture(QtConcurrent::run([work = std::move(job.work)] { return answerOf(work); }));
}

void DeferredQuery::finish() {
    if (!m_running)
        return;  // runNow() has taken over
    m_running = false;
    if (!m_discard)
        apply(m_watcher.result());
    m_discard = false;
    if (m_dirty && m_active)
        schedule(intervalOf(m_cause));
}

void DeferredQuery::runNow() {
    m_timer.stop();
    if (m_running) {
        m_watcher.waitForFinished();
        m_running = false;
        if (!m_discard && !m_dirty)
            apply(m_watcher.result());
        m_discard = false;
    }
    if (!m_dirty)
        return;
    m_dirty = false;
    m_sinceStart.start();
    ++m_runs;
    apply(answerOf(m_makeJob().work));
}

}  // namespace warpglass::ui
