// What an experiment says, as text to read and to copy: what was asked and the answer that is read first;
// then the other answers, in short where they have entries and in sentences at the end; what was measured,
// what limits it, and what it ran on. What is read first has few lines: where it is longer, its end is cut,
// and the rest begins with all of it.
//
// Pure; GUI thread only, for its fonts.
#pragma once

#include <QString>

#include "ui/experiments/opened_experiment.h"

namespace warpglass::ui {

/// In the theme's colors. Whatever comes from the file is shown as it is written, never as markup.
QString answerHtml(const OpenedExperiment& experiment);
/// The rest.
QString experimentHtml(const OpenedExperiment& experiment);

/// "NVIDIA H200 · LibTorch 2.11.0, CUDA 13.0, Warpglass 0.5.0": of what all runs state alike, what a reader
/// needs first; empty where nothing is stated.
QString experimentMachine(const ExperimentResult& result);

}  // namespace warpglass::ui
