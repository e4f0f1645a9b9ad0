#include "app/window/run_actions.h"

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QUrl>
#include <QWidget>

#include "app/window/commands.h"
#include "app/window/recent_runs.h"
#include "app/window/run_closing.h"
#include "app/window/run_dialogs.h"
#include "app/window/run_names.h"
#include "app/window/run_words.h"
#include "app/window/session_controller.h"

namespace warpglass::app {

namespace {

constexpr int kNameWidth = 420;  // pixels: a title in full, and the dialog's own

}  // namespace

RunActions::RunActions(SessionController& controller, RunClosing& closing, RecentRuns& recent,
                       QWidget& window)
    : QObject(&window), m_controller(controller), m_closing(closing), m_recent(recent), m_window(window) {}

void RunActions::fillMenu(QMenu& menu, int index) {
    menu.setToolTipsVisible(true);
    const OpenedRunEntry& of = m_controller.run(index);
    const bool inMemory = of.path.isEmpty();
    const auto add = [&menu](const QString& title, const QString& whyNot, const QString& toolTip) {
        QAction* action = menu.addAction(title);
        action->setToolTip(plainToolTip(toolTip));
        if (!whyNot.isEmpty())
            refuseAction(*action, whyNot);
        return action;
    };
    // The list may be another by the time that an entry is chosen.
    const auto onRun = [this, id = of.id](void (RunActions::*act)(int)) {
        return [this, id, act] {
            if (const int now = m_controller.runs().indexOf(id); now >= 0)
                (this->*act)(now);
        };
    };
    connect(add(tr("&Rename…"), {}, tr("What this run is called in tabs and lists")), &QAction::triggered,
            this, onRun(&RunActions::rename));
    connect(
        add(tr("Show in &Folder"), inMemory ? tr("It is in memory only: save it first") : QString(), of.path),
        &QAction::triggered, this, onRun(&RunActions::showInFolder));
    menu.addSeparator();
    connect(add(tr("&Close"), {}, tr("Closes this tab; the file stays")), &QAction::triggered, &m_closing,
            [this, id = of.id] { m_closing.closeOf(id); });
    connect(add(tr("Close &Others"), m_controller.runs().size() < 2 ? tr("No other run is open") : QString(),
                tr("Closes every other tab; their files stay")),
            &QAction::triggered, &m_closing, [this, id = of.id] { m_closing.closeAllBut(id); });
    menu.addSeparator();
    connect(add(tr("&Delete…"), whyNotRemoved(index), tr("Deletes the run's file after you confirm")),
            &QAction::triggered, this, onRun(&RunActions::remove));
}

void RunActions::rename(int index) {
    const std::uint64_t id = m_controller.run(index).id;
    QInputDialog dialog(&m_window);
    dialog.setObjectName(QStringLiteral("renameRun"));
    dialog.setWindowTitle(tr("Rename Run"));
    dialog.setLabelText(tr("Name (leave empty to restore its own title)"));
    dialog.setTextValue(m_controller.run(index).name.isEmpty() ? m_controller.run(index).title
                                                               : m_controller.run(index).name);
    dialog.resize(kNameWidth, dialog.sizeHint().height());
    if (dialog.exec() != QDialog::Accepted)
        return;
    const int now = m_controller.runs().indexOf(id);
    // Left as it was, it is no name that was given.
    if (now >= 0 && dialog.textValue().trimmed() != m_controller.run(now).title)
        m_controller.renameRun(now, dialog.textValue());
}

void RunActions::showInFolder(int index) {
    const QString folder = QFileInfo(m_controller.run(index).path).absolutePath();
    if (!QFileInfo::exists(folder) || !QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
        emit failed(tr("The folder %1 could not be shown: no file manager opened it.")
                        .arg(QDir::toNativeSeparators(folder)));
}

QString RunActions::whyNotRemoved(int index) const {
    const OpenedRunEntry& of = m_controller.run(index);
    if (index == m_controller.recordingRun())
        return tr("It is being recorded: stop it first");
    if (of.path.isEmpty())
        return tr("It is in memory only: closing it is enough");
    const QFileInfo file(of.path);
    if (m_controller.markKeeping().isSample(of.path))
        return tr("A sample that came with Warpglass is not deleted");
    if (!file.exists())
        return tr("Its file no longer exists");
    const QString folder = QFileInfo(RunRecording::folder()).canonicalFilePath();
    if (folder.isEmpty() || file.canonicalPath() != folder)
        return tr("Only runs that were recorded into %1 are deleted from here")
            .arg(QDir::toNativeSeparators(RunRecording::folder()));
    // It may be a recording's, opened by another tab.
    const int recording = m_controller.recordingRun();
    return recording >= 0 && leadToOneFile(m_controller.run(recording).path, of.path)
               ? tr("It is being recorded: stop it first")
               : QString();
}

void RunActions::remove(int index) {
    if (const QString why = whyNotRemoved(index); !why.isEmpty()) {
        emit failed(tr("%1.").arg(why));
        return;
    }
    const QString title = m_controller.run(index).title, path = m_controller.run(index).path;
    if (askToDelete(&m_window, title, path, DeletionQuestion::kToTrash) && removeFile(title, path)) {
        closeAllOf(path);
        RunNames::set(path, {});
        m_recent.forget(path);
        emit removed(tr("Deleted the run %1.").arg(title));
    }
}

bool RunActions::removeFile(const QString& title, const QString& path) {
    // A killed run's last write can be undone with its journal alone, in the trash as well.
    const auto journal = journalOf(path.toStdString());
    QFile beside(journal ? QString::fromStdString(journal->string()) : QString());
    QFile file(path);
    if (file.moveToTrash()) {
        if (journal)
            beside.moveToTrash();
        return true;
    }
    if (!askToDelete(&m_window, title, path, DeletionQuestion::kForGood))
        return false;
    if (file.remove()) {
        if (journal)
            beside.remove();
        return true;
    }
    emit failed(tr("%1 could not be deleted: %2.").arg(QDir::toNativeSeparators(path), file.errorString()));
    return false;
}

/// Its marks, and what else is in memory only, went with the file.
void RunActions::closeAllOf(const QString& path) {
    for (int i = static_cast<int>(m_controller.runs().size()) - 1; i >= 0; --i) {
        if (m_controller.run(i).path == path || leadToOneFile(m_controller.run(i).path, path))
            m_controller.closeRun(i);
    }
}

}  // namespace warpglass::app
