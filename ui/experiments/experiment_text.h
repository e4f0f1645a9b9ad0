// What an experiment says, as text to read and to copy: the answers first, then what was looked for, what it
// ran on, and what limits it.
//
// Pure; GUI thread only, for its fonts.
#pragma once

#include <QString>

#include "ui/experiments/opened_experiment.h"

namespace warpglass::ui {

/// In the theme's colors. Whatever comes from the file is shown as it is written, never as markup.
QString experimentHtml(const OpenedExperiment& experiment);
/// Of one that has no answer yet.
QString questionHtml(std::string_view title, std::string_view lookFor);

/// "NVIDIA H200 · LibTorch 2.11.0 · Warpglass 0.5.0": of what all runs state alike, what a reader needs
/// first; empty where nothing is stated.
QString experimentMachine(const ExperimentResult& result);

}  // namespace warpglass::ui
