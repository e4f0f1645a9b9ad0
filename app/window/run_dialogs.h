// What the window asks about runs and their files. Each returns when the user has answered.
#pragma once

#include <QStringList>

class QWidget;

namespace warpglass::app {

/// Asks for runs, sweeps and experiments; empty when canceled.
QStringList askForFilesToOpen(QWidget* parent, const QString& folder);
/// Empty when canceled.
QStringList askForRuns(QWidget* parent, const QString& folder);
/// A path that ends in .wgrun unless the user gave another extension; empty when canceled.
QString askWhereToSave(QWidget* parent, const QString& folder, const QString& suggestedName);

/// The folder of an experiment; empty when canceled.
QString askForExperiment(QWidget* parent, const QString& folder);

/// The file of a lesson; empty when canceled.
QString askForLesson(QWidget* parent, const QString& folder);

/// A path that ends in .wgsweep, of a file or of none; empty when canceled.
QString askWhereToKeepSweep(QWidget* parent, const QString& folder);

enum class TakenAnswer { kGoOn, kOtherName, kCancel };
/// A new sweep cannot be begun in that file. `what` says why, or what the file holds; `goOn` is what the
/// button says that goes on with that, empty for none.
TakenAnswer askAboutTakenFile(QWidget* parent, const QString& what, const QString& goOn);

enum class UnsavedAnswer { kSave, kDiscard, kCancel };
/// `what` would be lost: "the run …".
UnsavedAnswer askAboutUnsaved(QWidget* parent, const QStringList& what);

/// Whether to run what is predicted not to fit; `prediction` says so in a sentence with its numbers.
bool askToRunAnyway(QWidget* parent, const QString& prediction);

/// What would become of a run's file.
enum class DeletionQuestion { kToTrash, kForGood };
/// Whether the user wants it deleted.
bool askToDelete(QWidget* parent, const QString& title, const QString& path, DeletionQuestion question);

}  // namespace warpglass::app
