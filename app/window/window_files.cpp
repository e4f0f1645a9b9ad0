#include "app/window/window_files.h"

#include <QDir>
#include <QFileInfo>
#include <QMap>
#include <QMenu>
#include <QSettings>
#include <QStandardPaths>
#include <QWidget>
#include <algorithm>

#include "app/window/commands.h"
#include "app/window/lesson_library.h"
#include "app/window/open_experiments.h"
#include "app/window/open_sweeps.h"
#include "app/window/recent_runs.h"
#include "app/window/run_dialogs.h"
#include "app/window/run_words.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "ui/experiments/new_experiment_dialog.h"
#include "ui/sweep/new_sweep_dialog.h"

namespace warpglass::app {

namespace {

const QString kOpenFolder = QStringLiteral("openFolder"), kSaveFolder = QStringLiteral("saveFolder");

}  // namespace

WindowFiles::WindowFiles(SessionController& controller, bool remembers, QWidget& window)
    : QObject(&window),
      m_controller(controller),
      m_window(window),
      m_recent(new RecentRuns(this)),
      m_remembers(remembers) {
    connect(&controller, &SessionController::fileOpened, this, &WindowFiles::rememberFolderOf);
    for (auto kept : {&SessionController::fileOpened, &SessionController::fileSaved})
        connect(&controller, kept, this, &WindowFiles::remember);
    connect(&controller.markKeeping(), &MarkKeeping::sampleCopied, this, &WindowFiles::remember);
}

void WindowFiles::fillRecentMenu(QMenu& menu) {
    menu.setToolTipsVisible(true);
    const QStringList paths = m_recent->paths();
    const QMap<QString, QString> titles = m_recent->titles();
    if (paths.isEmpty())
        return addNote(menu, tr("No recent runs"));
    for (const QString& path : paths)
        menu.addAction(entryText(titles.value(path)), this, [this, path] { m_controller.openFiles({path}); })
            ->setToolTip(path);
    menu.addSeparator();
    menu.addAction(tr("Clear List"), m_recent, &RecentRuns::clear);
}

void WindowFiles::open() {
    m_controller.openFiles(askForFiles());
}

QStringList WindowFiles::askForFiles() const {
    return askForFilesToOpen(&m_window, folderOfRuns());
}

QStringList WindowFiles::askForRunFiles() const {
    return askForRuns(&m_window, folderOfRuns());
}

QString WindowFiles::askForLesson() const {
    return app::askForLesson(&m_window, lessonFolder());
}

void WindowFiles::save() {
    if (m_controller.document().snapshot() && m_controller.currentRun() >= 0)
        askAndSave(m_controller.currentRun());
}

bool WindowFiles::askAndSave(int index) {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString path = askWhereToSave(&m_window, QSettings().value(kSaveFolder, documents).toString(),
                                        m_controller.saving().suggestedFileName(index));
    if (path.isEmpty())
        return false;
    if (m_remembers)
        QSettings().setValue(kSaveFolder, QFileInfo(path).absolutePath());
    m_controller.saving().save(index, path);
    return true;
}

void WindowFiles::remember(const QString& path) {
    if (!m_remembers)
        return;
    for (const OpenedRunEntry& run : m_controller.runs()) {
        if (run.path == path && run.snapshot)
            return m_recent->add(path, titleOf(*run.snapshot, path), run.snapshot->info());
    }
    m_recent->add(path, {});
}

void WindowFiles::rememberSweep(const QString& path) {
    rememberFolderOf(path);
    if (m_remembers)
        m_recent->add(path, tr("Sweep %1").arg(QFileInfo(path).completeBaseName()));
}

void WindowFiles::rememberExperiment(const QString& folder, const QString& title) {
    rememberFolderOf(folder);
    if (m_remembers)
        m_recent->add(folder, tr("Experiment: %1").arg(title));
}

void WindowFiles::openExperiment() {
    if (const QString folder = askForExperiment(&m_window, folderOfRuns()); !folder.isEmpty())
        m_controller.openFiles({folder});
}

void WindowFiles::newExperiment(const std::vector<DeviceInfo>& devices, OpenExperiments& experiments) {
    const QDir runs(RunRecording::folder());
    ui::NewExperimentDialog dialog(devices, QDir::cleanPath(runs.filePath(QStringLiteral("../experiments"))),
                                   &m_window);
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (const auto request = dialog.request())
        experiments.start(*request, dialog.folder());
}

void WindowFiles::newSweep(const RunConfig& base, OpenSweeps& sweeps) {
    ui::NewSweepDialog dialog(base, &m_window);
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (const auto plan = dialog.plan())
        startSweep(*plan, dialog.keepsRuns(), sweeps);
}

void WindowFiles::startSweep(SweepPlan plan, bool keepsRuns, OpenSweeps& sweeps) {
    const QString path = askWhereToKeepSweep(&m_window, folderOfRuns());
    if (path.isEmpty())
        return;
    plan.runFolder.clear();
    if (keepsRuns)
        plan.runFolder = nativePath(QFileInfo(path).completeBaseName() + QStringLiteral("-runs"));
    sweeps.start(plan, path);
}

/// The plan is not lost with its file's name.
void WindowFiles::askAboutTaken(OpenSweeps& sweeps, const SweepPlan& plan, const QString& path,
                                const QString& problem, const std::shared_ptr<const Sweep>& there) {
    const bool keepsRuns = !plan.runFolder.empty();
    QString what = problem, goOn;
    bool onlyOpens = false;
    if (there) {
        SweepPlan planned = plan;
        planned.runFolder = there->plan.runFolder;  // whichever: of a sweep that goes on it stays
        const auto done = std::ranges::count_if(there->cells, &SweepCell::isDone);
        const auto cells = static_cast<qsizetype>(there->cells.size());
        const QString name = QFileInfo(path).fileName();
        if (planned != there->plan) {
            what = tr("%1 holds a sweep with another plan: %2 of its %3 cells are done.")
                       .arg(name)
                       .arg(done)
                       .arg(cells);
        } else {
            what =
                tr("%1 holds this very sweep: %2 of its %3 cells are done.").arg(name).arg(done).arg(cells);
            onlyOpens = there->isBeingRun || done == cells;
            goOn = onlyOpens ? tr("&Open It") : tr("&Go On With It");
        }
        if (there->isBeingRun)
            what += tr(" It is running at the moment.");
    }
    switch (askAboutTakenFile(&m_window, what, goOn)) {
        case TakenAnswer::kGoOn:
            return onlyOpens ? sweeps.open(path) : sweeps.resume(path);
        case TakenAnswer::kOtherName:
            return startSweep(plan, keepsRuns, sweeps);
        case TakenAnswer::kCancel:
            break;
    }
}

void WindowFiles::rememberFolderOf(const QString& path) {
    const QFileInfo file(path);
    if (const QString samples = sampleFolder(); !samples.isEmpty() && file.absoluteDir() == QDir(samples))
        return;
    m_lastFolder = file.absolutePath();
    if (m_remembers)
        QSettings().setValue(kOpenFolder, m_lastFolder);
}

/// Home where neither is there: nothing has been recorded yet, or the folder has gone.
QString WindowFiles::folderOfRuns() const {
    const QString last = !m_lastFolder.isEmpty() ? m_lastFolder
                         : m_remembers           ? QSettings().value(kOpenFolder).toString()
                                                 : QString();
    for (const QString& folder : {last, RunRecording::folder()}) {
        if (!folder.isEmpty() && QFileInfo::exists(folder))
            return folder;
    }
    return QDir::homePath();
}

}  // namespace warpglass::app
