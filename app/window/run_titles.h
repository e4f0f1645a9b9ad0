// What several runs are called side by side: by their short titles, and where these are the same, by the
// settings that differ; the same run made twice by when it began, or by its file. No two titles are the same.
//
// Pure functions; any thread.
#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "engine/plan/run_config.h"
#include "engine/trace/run_info.h"

namespace warpglass::app {

/// What a run's title is made from.
struct TitledRun {
    QString title;                    // by itself
    std::optional<RunConfig> config;  // nothing for a file that states none
    QDateTime started;                // invalid where that is not known
    QString path;                     // empty while it is in memory only
};
/// Reads configuration and beginning from a run's information, or from the part of it that a list keeps.
TitledRun titledRun(const QString& title, const RunInfo& info, const QString& path);

/// One for each, in their order: as short as tells them apart.
QStringList titlesSideBySide(const std::vector<TitledRun>& runs);

}  // namespace warpglass::app
