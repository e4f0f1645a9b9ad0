#include "ui/models/deferred_query.h"

#include <QtConcurrent/QtConcurrentRun>
#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>

#include "ui/models/run_document.h"
#include "ui/models/worker_pool.h"

namespace warpglass::ui {

namespace {

/// A growing run is looked at again after so many times what a look takes.
constexpr qint64 kGrowthPause = 4;

QString sentenceOf(const std::exception& problem) {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&problem) != nullptr ||
                        dynamic_cast<const std::length_error*>(&problem) != nullptr;
    return memory
               ? DeferredQuery::tr("This could not be computed: there is not enough memory for it.")
               : DeferredQuery::tr("This could not be computed: %1.").arg(QString::fromUtf8(problem.what()));
}

}  // namespace

/// Without apply() where the work failed: a hostile run may ask for more memory than there is.
DeferredQuery::Answer DeferredQuery::answerOf(const std::function<Apply()>& work) {
    Answer answer;
    QElapsedTimer timer;
    timer.start();
    try {
        answer.apply = work();
    } catch (const std::exception& problem) {
        answer.failure = sentenceOf(problem);
    }
    answer.took = timer.elapsed();
    return answer;
}

/// The view's own part may fail as well: its rows and rectangles take memory too.
void DeferredQuery::take(const Answer& answer) {
    m_took = answer.took;
    QString failure = answer.failure;
    try {
        if (answer.apply)
            answer.apply();
    } catch (const std::exception& problem) {
        failure = sentenceOf(problem);
    }
    setFailure(failure);
}

void DeferredQuery::setFailure(const QString& sentence) {
    if (sentence == m_failure)
        return;
    m_failure = sentence;
    emit failureChanged(sentence);
}

int DeferredQuery::interval() const {
    switch (m_cause) {
        case Cause::kOtherRun:
            return 0;
        case Cause::kPerson:
            return kPersonInterval;
        case Cause::kGrowth:
            break;
    }
    return static_cast<int>(std::clamp<qint64>((kGrowthPause + 1) * m_took, kGrowthInterval, 60'000));
}

DeferredQuery::DeferredQuery(MakeJob makeJob, QObject* parent)
    : QObject(parent), m_makeJob(std::move(makeJob)) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &DeferredQuery::start);
    connect(&m_watcher, &QFutureWatcher<Answer>::finished, this, &DeferredQuery::finish);
}

// A worker holds all that it reads, so it may outlive this; its answer is then dropped by the watcher.
DeferredQuery::~DeferredQuery() = default;

void DeferredQuery::invalidate(Cause cause) {
    m_cause = m_dirty ? std::max(m_cause, cause) : cause;
    m_dirty = true;
    if (cause == Cause::kOtherRun) {
        m_discard = m_discard || m_running;
        setFailure({});  // it was the former run's: this one's is told even if it is the same
    }
    if (m_active)
        schedule(interval());
}

void DeferredQuery::follow(const RunDocument& document) {
    connect(&document, &RunDocument::runChanged, this, [this] { invalidate(Cause::kOtherRun); });
    connect(&document, &RunDocument::snapshotChanged, this, [this] { invalidate(Cause::kGrowth); });
    invalidate(Cause::kOtherRun);
}

void DeferredQuery::followDamage(const RunDocument& document) {
    connect(&document, &RunDocument::warningsChanged, this, [this, &document] {
        if (document.isIncomplete())
            invalidate(Cause::kGrowth);
    });
}

void DeferredQuery::setActive(bool active) {
    if (active == m_active)
        return;
    m_active = active;
    if (!active)
        m_timer.stop();
    else if (m_dirty)  // before the first picture, so that a worker goes on beside it: timers come after it
        QMetaObject::invokeMethod(this, &DeferredQuery::start, Qt::QueuedConnection);
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
        take(answerOf(job.work));
        return;
    }
    m_running = true;
    m_discard = false;
    m_watcher.setFuture(
        QtConcurrent::run(&workerPool(), [work = std::move(job.work)] { return answerOf(work); }));
}

void DeferredQuery::finish() {
    if (!m_running)
        return;  // runNow() has taken over
    m_running = false;
    if (!m_discard)
        take(m_watcher.result());
    m_discard = false;
    if (m_dirty && m_active)
        schedule(interval());
}

void DeferredQuery::runNow() {
    m_timer.stop();
    if (m_running) {
        m_watcher.waitForFinished();
        m_running = false;
        if (!m_discard && !m_dirty)
            take(m_watcher.result());
        m_discard = false;
    }
    if (!m_dirty)
        return;
    m_dirty = false;
    m_sinceStart.start();
    ++m_runs;
    take(answerOf(m_makeJob().work));
}

}  // namespace warpglass::ui
