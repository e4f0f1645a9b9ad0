// --render report: a report as HTML, Markdown or PDF, with figures.
#pragma once

#include <QCommandLineOption>
#include <QCommandLineParser>
#include <QList>

namespace warpglass::app {

/// --title, --only, --compare-a and --compare-b, as warpglass-cli report takes them.
QList<QCommandLineOption> reportOptions();

/// Writes the report of the files on the command line to --output; the exit status. The theme is applied.
int renderReport(const QCommandLineParser& parser);

}  // namespace warpglass::app
