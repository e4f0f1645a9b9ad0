// Reads the files of runs off the window's thread, in the order given, and can be canceled.
//
// GUI thread only; workers hand results back through queued calls.
#pragma once

#include <QObject>
#include <QStringList>
#include <atomic>
#include <functional>
#include <memory>

#include "engine/io/run_file.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/trace/run_info.h"

namespace warpglass::app {

/// A run as it was read from its file.
struct ReadRun {
    QString path;
    OpenedRun opened;
    std::shared_ptr<MemoryTimeline> memory;
    /// For a sample: the copy of it that has marks.
    QString markedCopy;
};

class RunOpening : public QObject {
    Q_OBJECT
public:
    /// `markedCopyOf` is called on workers.
    explicit RunOpening(std::function<QString(const QString& path, const RunInfo& info)> markedCopyOf,
                        QObject* parent = nullptr);
    /// Precondition: no worker is at work.
    ~RunOpening() override = default;

    /// `take` is called for each that could be read; then, if any could not, notOpened() follows, and ended()
    /// in any case. For a sweep's file only sweepWanted() follows, for an experiment's folder only
    /// experimentWanted().
    void open(const QStringList& files, std::function<void(const ReadRun& run)> take);
    /// What is not open yet does not come; notOpened() and ended() follow at once. Nothing happens where
    /// nothing is being opened.
    void cancel();
    bool isOpening() const { return m_openings > 0; }
    /// The window closes: nothing comes any more.
    void abandon() { *m_canceled = true; }

signals:
    void began();
    /// This file is being opened now, after `done` of `count` files.
    void progress(const QString& path, int done, int count);
    /// One sentence for each file, in the order given; after a cancel, only for the files reached until then.
    void notOpened(const QStringList& sentences, bool canceled = false);
    void ended();
    /// Was given a sweep, which is no run.
    void sweepWanted(const QString& path);
    /// Likewise an experiment: a folder, or the result.json in one.
    void experimentWanted(const QString& path);
    /// Work has begun (1) or ended (−1).
    void workChanged(int by);

private:
    /// The paths of runs among these; says what else there is.
    QStringList runsOf(const QStringList& files);
    /// Completes one open() when its worker is done.
    void finish();

    std::function<QString(const QString&, const RunInfo&)> m_markedCopyOf;
    int m_openings = 0;       // that no one has canceled
    QStringList m_notOpened;  // of these: why, not said yet
    /// Cancels what is being opened now; whatever is opened after a cancel has a new flag.
    std::shared_ptr<std::atomic<bool>> m_canceled = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace warpglass::app
