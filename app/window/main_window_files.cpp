// What the window does with files: opens, saves, takes what is dropped, and asks before anything is lost.
#include <QCloseEvent>
#include <QDialog>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>
#include <QStandardPaths>
#include <utility>

#include "app/window/main_window.h"
#include "app/window/run_closing.h"
#include "app/window/run_dialogs.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "app/window/work_bar.h"
#include "ui/panels/run_panel.h"

namespace warpglass::app {

namespace {

QStringList runFilesOf(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile())
            paths << url.toLocalFile();
    }
    return paths;
}

const QString kOpenFolder = QStringLiteral("openFolder");

}  // namespace

void MainWindow::connectFiles() {
    auto& c = m_controller;
    connect(&c, &SessionController::failed, this, [this](const QString& sentence) {
        // What could not be saved is not closed.
        m_closeWhenIdle = m_lossAccepted = false;
        showMessage(sentence, true);
    });
    connect(&c, &SessionController::sampleCopied, this, [this](const QString& file) {
        showMessage(tr("A sample stays as it is: its marks are in a copy, %1").arg(file), false);
        rememberFile(file);
    });
    connect(&c, &SessionController::filesOpening, this, [this] {
        if (!m_problemsOfRun)
            showProblems({}, false);
    });
    connect(&c, &SessionController::filesNotOpened, this,
            [this](const QStringList& sentences, bool cancelled) {
                m_compareOnceOpened = 0;
                m_compareWith.reset();
                // Over the views, where the person looks, until it is dismissed.
                if (!sentences.isEmpty())
                    showProblems(sentences, false);
                if (cancelled)
                    showMessage(tr("Opening was cancelled."), false);
                else
                    showMessage(m_controller.isRunning() ? m_runMessage : QString(), false);
            });
    connect(&c, &SessionController::openingProgress, this, [this](const QString& path, int done, int count) {
        const QString name = QFileInfo(path).fileName();
        // How far it is within a file no one knows.
        m_work->report(WorkBar::Kind::kOpening,
                       count == 1 ? tr("Opening %1…").arg(name)
                                  : tr("Opening %1, %2 of %3…").arg(name).arg(done + 1).arg(count),
                       count == 1 ? -1 : static_cast<double>(done) / count);
    });
    connect(&c, &SessionController::openingEnded, this, [this] { m_work->finish(WorkBar::Kind::kOpening); });
    connect(&c, &SessionController::fileOpened, this, [this](const QString& path) {
        showMessage(tr("Opened %1").arg(path), false);
        rememberFile(path);
        const QString samples = sampleFolder();
        if (const QFileInfo file(path); samples.isEmpty() || file.absoluteDir() != QDir(samples)) {
            m_lastFolder = file.absolutePath();
            if (m_remember == Remember::kLayout)
                QSettings().setValue(kOpenFolder, m_lastFolder);
        }
        compareOpened(path);
    });
    connect(&c, &SessionController::fileSaved, this, [this](const QString& path) {
        showMessage(tr("Saved %1").arg(path), false);
        rememberFile(path);
    });
    connect(&c, &SessionController::saveProgress, this, [this](double fraction) {
        if (fraction < 1)
            m_work->report(WorkBar::Kind::kSaving, tr("Saving the run…"), fraction);
    });
    // Also of one that failed or was cancelled while other work goes on.
    connect(&c, &SessionController::saveEnded, this, [this] { m_work->finish(WorkBar::Kind::kSaving); });
    connect(&c, &SessionController::busyChanged, this, [this](bool busy) {
        if (!busy && std::exchange(m_closeWhenIdle, false))
            close();
    });
}

void MainWindow::compareOpened(const QString& path) {
    if (m_compareOnceOpened == 0)
        return;
    const int opened = m_controller.runOfFile(path);
    if (!m_compareWith && opened >= 0)
        m_compareWith = m_controller.runs()[static_cast<std::size_t>(opened)].snapshot;
    if (--m_compareOnceOpened > 0)
        return;
    const int with = runWith(std::exchange(m_compareWith, nullptr));
    if (with < 0 || opened < 0)
        return;
    // A becomes the run in front, as where it is chosen in the menu: Esc leads back to it.
    if (m_controller.currentRun() != with)
        m_controller.showRun(with);
    compareRuns(with, opened);
}

/// Home where neither is there: nothing has been recorded yet, or the folder has gone.
QString MainWindow::folderOfRuns() const {
    const QString recorded = SessionController::recordingFolder();
    const QString last = !m_lastFolder.isEmpty()           ? m_lastFolder
                         : m_remember == Remember::kLayout ? QSettings().value(kOpenFolder).toString()
                                                           : QString();
    for (const QString& folder : {last, recorded}) {
        if (!folder.isEmpty() && QFileInfo::exists(folder))
            return folder;
    }
    return QDir::homePath();
}

void MainWindow::openWithDialog() {
    m_controller.openFiles(askForRuns(this, folderOfRuns()));
}

void MainWindow::saveWithDialog() {
    if (m_controller.document().snapshot() && m_controller.currentRun() >= 0)
        askAndSave(m_controller.currentRun());
}

bool MainWindow::askAndSave(int index) {
    const QString folder = QSettings()
                               .value(QStringLiteral("saveFolder"),
                                      QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
                               .toString();
    const QString path = askWhereToSave(this, folder, m_controller.suggestedFileName(index));
    if (path.isEmpty())
        return false;
    if (m_remember == Remember::kLayout)
        QSettings().setValue(QStringLiteral("saveFolder"), QFileInfo(path).absolutePath());
    m_controller.saveRunAs(index, path);
    return true;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_controller.isRunning()) {
        m_lossAccepted = false;
        event->ignore();
        if (!m_closeWhenStopped && !(m_stopQuestion && m_stopQuestion->isVisible()))
            m_stopQuestion = askToStop(this, RecordingQuestion::kQuit, [this] { stopAndClose(); });
        return;
    }
    m_closeWhenStopped = false;
    // What is being saved is not asked about: it ends first.
    const bool saving = m_controller.isBusy() && !m_controller.isOpening();
    if (!saving && !mayClose()) {
        // A close that was called off leaves what is being opened alone.
        if (m_closeWhenIdle)
            m_controller.cancelOpening();
        event->ignore();
        return;
    }
    if (m_controller.isBusy()) {
        // Cancelled, a file is no longer shown, but its worker may be in the midst of it for a while.
        m_lossAccepted = m_lossAccepted || !saving;
        m_controller.cancelOpening();
        m_closeWhenIdle = true;
        showMessage(tr("Finishing what is under way, then closing…"), false);
        event->ignore();
        return;
    }
    if (m_remember == Remember::kLayout)
        saveLayout();
    event->accept();
}

bool MainWindow::mayClose() {
    if (m_remember != Remember::kLayout || std::exchange(m_lossAccepted, false))
        return true;
    m_closeWhenIdle = false;
    return settleUnsaved();
}

void MainWindow::stopAndClose() {
    // The run ends between two ops and its file is completed; then the window closes by itself.
    m_closeWhenStopped = true;
    m_runPanel->requestStop();
    showMessage(tr("Stopping the run; what was recorded is kept…"), false);
}

bool MainWindow::settleUnsaved() {
    const std::vector<int> unsaved = m_controller.unsavedRuns();
    if (unsaved.empty())
        return true;
    QStringList parts;
    for (const int index : unsaved)
        parts << unsavedPartOf(m_controller.runs()[static_cast<std::size_t>(index)]);
    const UnsavedAnswer answer = askAboutUnsaved(this, parts);
    if (answer != UnsavedAnswer::kSave)
        return answer == UnsavedAnswer::kDiscard;
    // Saving goes on after this; the window closes once all of it has succeeded.
    m_closeWhenIdle = true;
    for (const int index : unsaved) {
        if (!askAndSave(index)) {
            m_closeWhenIdle = false;
            break;
        }
    }
    return false;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!runFilesOf(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList paths = runFilesOf(event->mimeData());
    // Two files at once are there to be compared.
    m_compareOnceOpened = paths.size() == 2 ? 2 : 0;
    m_compareWith.reset();
    m_controller.openFiles(paths);
    event->acceptProposedAction();
}

void MainWindow::compareWithDialog() {
    openToCompare(askForRuns(this, folderOfRuns()));
}

void MainWindow::openToCompare(const QStringList& paths) {
    const int shown = m_controller.currentRun();
    if (paths.isEmpty() || shown < 0)
        return;
    m_compareOnceOpened = static_cast<int>(paths.size());
    m_compareWith = m_controller.runs()[static_cast<std::size_t>(shown)].snapshot;
    m_controller.openFiles(paths, SessionController::Show::kBehind);
}

}  // namespace warpglass::app
