// Writes runs' marks to their files, off the window's thread: one file at a time, in order; if several writes
// are pending for one file, only the last is done.
//
// A run that came with Warpglass is not written to: at its first mark a copy is put beside the user's own
// runs, and the marks go there. GUI thread; the destructor waits for what is being written.
#pragma once

#include <QList>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <vector>

#include "engine/io/run_marks.h"
#include "engine/trace/run_info.h"

namespace warpglass::app {

class MarkSaver : public QObject {
    Q_OBJECT
public:
    /// Where the marks are, or why they are nowhere.
    struct Outcome {
        QString file, problem;
    };

    /// Files in `samples` are copied to `folder`, which is made then; an empty `samples` is no folder.
    MarkSaver(QString samples, QString folder, QObject* parent = nullptr);
    ~MarkSaver() override;

    /// saved() or failed() follows, unless later marks for that path replace these.
    void save(const QString& path, std::vector<RunMark> marks);
    bool isBusy() const { return m_writing || !m_waiting.isEmpty(); }
    bool isSample(const QString& path) const;
    /// For a sample: the last written of save()'s copies with marks; empty for none. Reads files; any thread.
    QString markedCopyOf(const QString& path, const RunInfo& info) const;

signals:
    /// `file` is where they are: `path`, or its copy.
    void saved(const QString& path, const QString& file);
    /// The engine's words.
    void failed(const QString& path, const QString& problem);
    void busyChanged(bool busy);

private:
    struct Job {
        QString path;
        std::vector<RunMark> marks;
    };
    void next();

    QString m_samples, m_folder;
    QList<Job> m_waiting;
    bool m_writing = false;
    // What was written last; the worker's until it is done, so the destructor may find it not yet reported.
    QString m_lastPath;
    Outcome m_last;
    QThreadPool m_pool;  // of one thread
};

}  // namespace warpglass::app
