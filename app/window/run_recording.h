// The run that is being recorded, if one is: starts and stops it, and looks at how it gets on.
//
// GUI thread only; the run has threads of its own.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <utility>

#include "engine/session/run_session.h"

namespace warpglass::app {

class RunRecording : public QObject {
    Q_OBJECT
public:
    explicit RunRecording(QObject* parent = nullptr);

    /// Where runs are recorded: the user's data folder, "warpglass/runs". Nothing recorded is lost when the
    /// window closes without a save.
    static QString folder();
    /// Why nothing can be run, as far as that is known before a run; empty if nothing prevents it.
    static QString whyNothingRuns();

    bool isRunning() const { return m_session != nullptr; }
    /// Does nothing while one runs. `overcommit`: though it is predicted not to fit: the user wants it.
    void start(const ValidConfig& config, bool overcommit = false);
    /// Starts with this runner, which outlives the run, instead of the usual one: for tests and benchmarks.
    void startWith(Runner& runner, const ValidConfig& config);
    void stop();
    /// Null before recording has begun and when no run is recorded.
    std::shared_ptr<TraceFeed> feed() const { return m_session ? m_session->feed() : nullptr; }
    /// feed(), which the caller shows from now on: feedCame() does not follow any more.
    std::shared_ptr<TraceFeed> takeFeed();
    /// The file that it is recorded to; empty where there can be none.
    const QString& path() const { return m_path; }

signals:
    /// `folderProblem`: why it is kept in memory only.
    void began(const warpglass::RunConfig& config, const QString& folderProblem);
    void feedCame();
    void progress(int step, int total);
    /// The file could not be written any more: one sentence.
    void fileFailed(const QString& sentence);
    /// `snapshot`: null where nothing was recorded. The sentence says how it ended.
    void ended(const std::shared_ptr<const warpglass::Snapshot>& snapshot, bool hasFailed,
               const QString& sentence);

private:
    /// Names the file; why there can be none.
    QString nameFile(const RunConfig& config);
    void begin(std::unique_ptr<RunSession> session, const QString& folderProblem);
    void poll();
    void finish();

    std::unique_ptr<RunSession> m_session;
    bool m_feedTaken = false;
    QString m_path;
    QString m_reportedFileError;
    std::pair<int, int> m_reportedProgress{-1, -1};
    QTimer m_poll;
};

}  // namespace warpglass::app
