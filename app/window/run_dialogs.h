// What the window asks about run files. Each returns when the person has answered.
#pragma once

#include <QStringList>

class QWidget;

namespace warpglass::app {

/// Empty when cancelled.
QStringList askForRuns(QWidget* parent, const QString& folder);
/// A path that ends in .wgrun unless the person gave another ending; empty when cancelled.
QString askWhereToSave(QWidget* parent, const QString& folder, const QString& suggestedName);

enum class UnsavedAnswer { kSave, kDiscard, kCancel };
/// `what` would be lost: "the run …".
UnsavedAnswer askAboutUnsaved(QWidget* parent, const QStringList& what);

}  // namespace warpglass::app
