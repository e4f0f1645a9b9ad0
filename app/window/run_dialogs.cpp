#include "app/window/run_dialogs.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileIconProvider>
#include <QHeaderView>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeView>

namespace warpglass::app {

namespace {

const QString kSuffix = QStringLiteral("wgrun");

/// The desktop knows a run file by its content only: "SQLite3 database".
class RunIconProvider : public QFileIconProvider {
public:
    QString type(const QFileInfo& file) const override {
        return file.isFile() && file.suffix() == kSuffix ? QFileDialog::tr("Warpglass run")
                                                         : QFileIconProvider::type(file);
    }
};

struct RunFileDialog {
    RunFileDialog(QWidget* parent, const QString& title, const QString& folder, const QString& filter)
        : dialog(parent, title, folder, filter) {
        dialog.setIconProvider(&icons);
        dialog.setDefaultSuffix(kSuffix);
        // Qt's own dialog, where the desktop has none: names of runs are long.
        if (auto* list = dialog.findChild<QTreeView*>(QStringLiteral("treeView"))) {
            dialog.setViewMode(QFileDialog::Detail);
            dialog.resize(900, 520);
            for (const auto& [column, width] : {std::pair{0, 340}, {1, 90}, {2, 120}, {3, 160}})
                list->header()->resizeSection(column, width);
        }
    }

    RunIconProvider icons;  // outlives the dialog
    QFileDialog dialog;
};

QStringList chosenFiles(QWidget* parent, const QString& title, const QString& folder, const QString& filter) {
    RunFileDialog open(parent, title, folder, filter);
    open.dialog.setFileMode(QFileDialog::ExistingFiles);
    return open.dialog.exec() == QDialog::Accepted ? open.dialog.selectedFiles() : QStringList();
}

}  // namespace

QStringList askForFilesToOpen(QWidget* parent, const QString& folder) {
    return chosenFiles(
        parent, QFileDialog::tr("Open Runs"), folder,
        QFileDialog::tr("Warpglass runs, sweeps and experiments (*.wgrun *.wgsweep result.json);;"
                        "All files (*)"));
}

QStringList askForRuns(QWidget* parent, const QString& folder) {
    return chosenFiles(parent, QFileDialog::tr("Compare With Runs"), folder,
                       QFileDialog::tr("Warpglass runs (*.wgrun);;All files (*)"));
}

QString askForExperiment(QWidget* parent, const QString& folder) {
    QFileDialog open(parent, QFileDialog::tr("Open Experiment: Choose Its Folder"), folder);
    open.setFileMode(QFileDialog::Directory);
    open.setOption(QFileDialog::ShowDirsOnly);
    return open.exec() == QDialog::Accepted ? open.selectedFiles().value(0) : QString();
}

QString askForLesson(QWidget* parent, const QString& folder) {
    QFileDialog open(parent, QFileDialog::tr("Open Lesson"), folder,
                     QFileDialog::tr("Lessons (*.md);;All files (*)"));
    open.setFileMode(QFileDialog::ExistingFile);
    return open.exec() == QDialog::Accepted ? open.selectedFiles().value(0) : QString();
}

QString askWhereToKeepSweep(QWidget* parent, const QString& folder) {
    QFileDialog save(parent, QFileDialog::tr("Where to Keep the Sweep"), folder,
                     QFileDialog::tr("Warpglass sweeps (*.wgsweep)"));
    save.setAcceptMode(QFileDialog::AcceptSave);
    save.setDefaultSuffix(QStringLiteral("wgsweep"));
    // Nothing is replaced: askAboutTakenFile() follows, which knows what the file holds.
    save.setOption(QFileDialog::DontConfirmOverwrite);
    save.selectFile(QStringLiteral("sweep.wgsweep"));
    return save.exec() == QDialog::Accepted ? save.selectedFiles().value(0) : QString();
}

QString askWhereToSave(QWidget* parent, const QString& folder, const QString& suggestedName) {
    RunFileDialog save(parent, QFileDialog::tr("Save Run"), folder,
                       QFileDialog::tr("Warpglass runs (*.wgrun)"));
    save.dialog.setAcceptMode(QFileDialog::AcceptSave);
    save.dialog.selectFile(suggestedName);
    return save.dialog.exec() == QDialog::Accepted ? save.dialog.selectedFiles().value(0) : QString();
}

TakenAnswer askAboutTakenFile(QWidget* parent, const QString& what, const QString& goOn) {
    QMessageBox box(parent);
    box.setObjectName(QStringLiteral("askAboutTakenFile"));
    box.setWindowTitle(QMessageBox::tr("New Sweep"));
    box.setIcon(QMessageBox::Question);
    box.setTextFormat(Qt::PlainText);
    box.setText(what);
    box.setInformativeText(QMessageBox::tr("A new sweep never replaces a file."));
    QPushButton* other = box.addButton(QMessageBox::tr("&Another Name…"), QMessageBox::ActionRole);
    QPushButton* go = goOn.isEmpty() ? nullptr : box.addButton(goOn, QMessageBox::AcceptRole);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(go ? go : other);
    box.setEscapeButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == other      ? TakenAnswer::kOtherName
           : go && box.clickedButton() == go ? TakenAnswer::kGoOn
                                             : TakenAnswer::kCancel;
}

UnsavedAnswer askAboutUnsaved(QWidget* parent, const QStringList& what) {
    QMessageBox box(parent);
    box.setWindowTitle(QMessageBox::tr("Not saved"));
    box.setIcon(QMessageBox::Warning);
    box.setTextFormat(Qt::PlainText);
    box.setText(what.size() == 1 ? QMessageBox::tr("In memory only: %1.").arg(what.first())
                                 : QMessageBox::tr("In memory only:\n%1").arg(what.join(QLatin1Char('\n'))));
    box.setInformativeText(QMessageBox::tr("Anything not saved is lost."));
    QPushButton* save = box.addButton(QMessageBox::tr("&Save…"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(QMessageBox::Discard);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(save);
    box.setEscapeButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == save      ? UnsavedAnswer::kSave
           : box.clickedButton() == discard ? UnsavedAnswer::kDiscard
                                            : UnsavedAnswer::kCancel;
}

bool askToRunAnyway(QWidget* parent, const QString& prediction) {
    QMessageBox box(parent);
    box.setObjectName(QStringLiteral("askToRunAnyway"));
    box.setWindowTitle(QMessageBox::tr("Not enough memory"));
    box.setIcon(QMessageBox::Warning);
    box.setTextFormat(Qt::PlainText);
    box.setText(prediction);
    box.setInformativeText(QMessageBox::tr(
        "If you run it anyway, this machine may become slow, and the system may end Warpglass or "
        "other programs. What was recorded until then stays in the run's file."));
    QPushButton* run = box.addButton(QMessageBox::tr("&Run Anyway"), QMessageBox::AcceptRole);
    box.setDefaultButton(box.addButton(QMessageBox::Cancel));
    box.setEscapeButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == run;
}

bool askToDelete(QWidget* parent, const QString& title, const QString& path, DeletionQuestion question) {
    const bool toTrash = question == DeletionQuestion::kToTrash;
    QMessageBox box(parent);
    box.setObjectName(QStringLiteral("askToDelete"));
    box.setWindowTitle(QMessageBox::tr("Delete Run"));
    box.setIcon(QMessageBox::Warning);
    box.setTextFormat(Qt::PlainText);
    box.setText(toTrash ? QMessageBox::tr("Delete the run %1?").arg(title)
                        : QMessageBox::tr("There is no trash for %1. Delete it for good?").arg(title));
    box.setInformativeText(toTrash ? QMessageBox::tr("Its file %1 goes to the trash.").arg(path)
                                   : QMessageBox::tr("Its file %1 cannot be brought back.").arg(path));
    QPushButton* remove = box.addButton(QMessageBox::tr("&Delete"), QMessageBox::DestructiveRole);
    QPushButton* keep = box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(keep);
    box.setEscapeButton(keep);
    box.exec();
    return box.clickedButton() == remove;
}

}  // namespace warpglass::app
