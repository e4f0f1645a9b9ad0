// The run that a window shows: live or from a file, the same Snapshot to every view.
//
// Polls the feed on a timer and only when its epoch moved, so the recorder sends no signal and waits for no
// one.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <memory>

#include "engine/query/memory/memory_timeline.h"
#include "engine/trace/snapshot.h"
#include "engine/trace/trace_feed.h"

namespace warpglass::ui {

class LinkIndexer;
class SharedOverview;

class RunDocument : public QObject {
    Q_OBJECT
public:
    explicit RunDocument(QObject* parent = nullptr);

    /// Shows a run being recorded: polls 40 times a second until stopFollowing().
    void follow(std::shared_ptr<TraceFeed> feed);
    /// Takes the feed's last snapshot and stops polling: the run has ended.
    void stopFollowing();
    bool isLive() const { return m_feed != nullptr; }
    /// Shows a finished run. `memory` is up to date with it; without one it is folded here, which takes 50 ms
    /// for a million events: fold it on a worker, and keep sharedMemory() for when the run is shown again.
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot,
                     std::shared_ptr<MemoryTimeline> memory = nullptr);
    void clear() { setSnapshot(nullptr); }
    /// A run that is being prepared: there is nothing of it to follow() yet.
    void awaitRun() { show(nullptr, nullptr, true); }

    /// Null when there is no run.
    const std::shared_ptr<const Snapshot>& snapshot() const { return m_snapshot; }
    /// What a view says without a run: that a run is starting, or "Open or record a run …" (`what`: "to see
    /// its ops").
    QString noRunWords(const QString& what) const;
    /// Up to date with snapshot().
    const MemoryTimeline& memory() const { return *m_memory; }
    const std::shared_ptr<MemoryTimeline>& sharedMemory() const { return m_memory; }

    /// What belongs together across tracks: launches, kernels, waits.
    LinkIndexer& links() const { return *m_links; }
    /// Its figures and findings, for every view that shows them.
    SharedOverview& overview() const { return *m_overview; }

    /// What the views show instead of guessing: warnings about the open file and the recording, and what
    /// reading the file has found damaged since.
    const QStringList& warnings() const { return m_warnings; }
    /// `incomplete`: some of them say that part of the recording is missing.
    void setWarnings(QStringList warnings, bool incomplete = false);
    bool isIncomplete() const { return m_incomplete; }

signals:
    /// Another run altogether: views drop caches, zoom and selection.
    void runChanged();
    /// The same run has grown (also follows runChanged).
    void snapshotChanged();
    void warningsChanged();

private:
    void show(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<MemoryTimeline> memory,
              bool awaiting);
    void poll();
    void checkDamage();

    std::shared_ptr<TraceFeed> m_feed;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<MemoryTimeline> m_memory;  // never null
    LinkIndexer* m_links;
    SharedOverview* m_overview;
    QStringList m_warnings;
    bool m_incomplete = false;
    bool m_awaiting = false;
    QTimer m_timer;
    QTimer m_damageTimer;  // while a run from a file is shown
    std::size_t m_knownDamage = 0;
    std::uint64_t m_seenEpoch = 0;
};

}  // namespace warpglass::ui
