// Opening and saving runs by dialog, and what is kept of it: recent runs, and the dialogs' folders.
//
// GUI thread only; the controller reads and writes on its worker.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "app/window/window_fwd.h"
#include "engine/base/host_device.h"
#include "engine/plan/run_config.h"
#include "engine/sweep/sweep.h"

namespace warpglass::app {

class WindowFiles : public QObject {
    Q_OBJECT
public:
    /// With `remembers` off, folders and recent runs stay as they are. The controller outlives it; the window
    /// is the dialogs' parent.
    WindowFiles(SessionController& controller, bool remembers, QWidget& window);

    RecentRuns& recent() const { return *m_recent; }
    void fillRecentMenu(QMenu& menu);
    /// Asks which files; empty when canceled.
    QStringList askForFiles() const;
    /// Asks for runs alone.
    QStringList askForRunFiles() const;
    /// Which lesson; empty when canceled.
    QString askForLesson() const;
    /// Asks where to, and begins to save that run: false where the person chose no file.
    bool askAndSave(int index);

public slots:
    void open();
    /// Saves the run in front, if there is anything to save.
    void save();
    /// Asks for the plan of a sweep and where it is to be kept, and starts it. Settings begin with `base`.
    void newSweep(const RunConfig& base, OpenSweeps& sweeps);
    /// A new sweep could not be begun in that file: says what it holds (`there`, if a sweep), and asks
    /// whether to go on with that or to take another name.
    void askAboutTaken(OpenSweeps& sweeps, const SweepPlan& plan, const QString& path, const QString& problem,
                       const std::shared_ptr<const Sweep>& there);
    /// Asks for an experiment, its settings and its folder, and starts it.
    void newExperiment(const std::vector<DeviceInfo>& devices, OpenExperiments& experiments);
    /// Asks for the folder of an experiment, or the result.json in one.
    void openExperiment();
    /// Among the recent files.
    void rememberSweep(const QString& path);
    void rememberExperiment(const QString& folder, const QString& title);

private:
    /// Asks where to.
    void startSweep(SweepPlan plan, bool keepsRuns, OpenSweeps& sweeps);
    void remember(const QString& path);
    void rememberFolderOf(const QString& path);
    /// Where a run was opened from last, else where runs are recorded.
    QString folderOfRuns() const;

    SessionController& m_controller;
    QWidget& m_window;
    RecentRuns* m_recent;
    bool m_remembers;
    QString m_lastFolder;  // that a run was opened from; no sample
};

}  // namespace warpglass::app
