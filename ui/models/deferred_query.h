// Decides when a view's figures are computed: only while it is visible, not more often than the user can
// read, and off the window's thread if they take long.
//
// The owner says "something changed" as often as it likes. A job captures what it reads (a shared Snapshot)
// and returns a function that puts the result in place on the window's thread. An answer to a question about
// another run is dropped, and so is one that fails, as where memory runs out: the view stays as it was, and
// failureChanged() says why in one sentence, which the owner shows (ui/controls/failure_note.h).
//
// While a run grows, a question that takes long is asked rarely: it has at most a fifth of a processor.
//
// GUI thread only; work() of a heavy job runs on the workerPool().
#pragma once

#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>

namespace warpglass::ui {

class RunDocument;

class DeferredQuery : public QObject {
    Q_OBJECT
public:
    using Apply = std::function<void()>;
    struct Job {
        std::function<Apply()> work;
        bool heavy = false;
    };
    using MakeJob = std::function<Job()>;

    /// `makeJob` is called when it is time to compute; its job reads nothing that the window's thread may
    /// change when it is heavy.
    explicit DeferredQuery(MakeJob makeJob, QObject* parent = nullptr);
    ~DeferredQuery() override;

    /// The most pressing last.
    enum class Cause {
        kGrowth,    // the run has grown: at most 4 times a second
        kPerson,    // a cursor, a selection, a filter: as fast as it is followed by eye
        kOtherRun,  // at once, and what is being computed is no longer wanted
    };
    void invalidate(Cause cause);
    /// Its job is about the document's run, which outlives it: anew for another run and as the run grows.
    void follow(const RunDocument& document);
    /// Also where damage of the run's file is found, as when another view reads a chunk.
    void followDamage(const RunDocument& document);
    /// For `makeJob`: the most pressing of what the job is made for.
    Cause cause() const { return m_cause; }
    /// Whether the view is seen. Nothing is computed while it is not.
    void setActive(bool active);
    /// Computes now if anything is missing, seen or not, and waits for it.
    void runNow();
    /// For tests: how often work was done.
    int runs() const { return m_runs; }
    bool isIdle() const { return !m_dirty && !m_running; }
    /// Why the last answer is missing; empty while there is none to miss, as of another run.
    const QString& failure() const { return m_failure; }

    /// More spans than this are scanned on a worker: about 10 ms' worth.
    static constexpr std::uint64_t kHeavySpans = 200'000;
    static constexpr int kGrowthInterval = 250;  // ms
    static constexpr int kPersonInterval = 40;

signals:
    void failureChanged(const QString& sentence);

private:
    struct Answer {
        Apply apply;
        QString failure;
        qint64 took = 0;  // ms
    };

    static Answer answerOf(const std::function<Apply()>& work);
    void take(const Answer& answer);
    void setFailure(const QString& sentence);
    int interval() const;
    void schedule(int interval);
    void start();
    void finish();

    MakeJob m_makeJob;
    QTimer m_timer;
    QElapsedTimer m_sinceStart;
    QFutureWatcher<Answer> m_watcher;
    bool m_active = false;
    bool m_dirty = false;
    bool m_running = false;
    bool m_discard = false;
    int m_runs = 0;
    qint64 m_took = 0;  // ms, the last one
    QString m_failure;
    Cause m_cause = Cause::kGrowth;
};

}  // namespace warpglass::ui
