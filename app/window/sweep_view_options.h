// Which chart of a sweep `--render sweep` draws: the choices that the sweep's page has, as options.
#pragma once

#include <QCommandLineOption>
#include <QCommandLineParser>
#include <QList>
#include <QString>

#include "engine/base/result.h"
#include "engine/sweep/sweep.h"
#include "engine/sweep/sweep_chart.h"

namespace warpglass::app {

/// As they were given; empty for the page's own choice.
struct SweepViewChoice {
    QString chart, measure, x, series, against, log, fixed;
};

QList<QCommandLineOption> sweepViewOptions();
SweepViewChoice sweepViewChoice(const QCommandLineParser& parser);
/// The first of these options that was given: "--chart"; empty for none.
QString firstSweepViewOption(const QCommandLineParser& parser);
/// An error is one sentence: a word that is none, or what this sweep does not have.
Result<SweepView> chosenView(const Sweep& sweep, const SweepViewChoice& choice);

}  // namespace warpglass::app
