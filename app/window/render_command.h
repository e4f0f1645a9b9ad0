// The command line of `warpglass --render`: its options, what they may be, and the exit status.
#pragma once

#include <QCommandLineOption>
#include <QCommandLineParser>
#include <QList>

namespace warpglass::app {

/// Exit statuses of both programs.
inline constexpr int kDone = 0, kFailed = 1, kWrongCommandLine = 2;

/// Prints the sentence to standard error; kWrongCommandLine.
int wrongCommandLine(const QString& sentence);

QList<QCommandLineOption> renderOptions();
/// --lesson FILE, of the window and of --render window-lesson.
QCommandLineOption lessonOption();

/// " Did you mean WORD?" of the known word that is near to one which is not; empty where none is.
QString wasMeant(const QString& word, const QStringList& known);
/// Draws what the command line requests. The theme has been applied.
int renderCommand(const QCommandLineParser& parser);

}  // namespace warpglass::app
