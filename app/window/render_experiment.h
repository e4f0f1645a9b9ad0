// --render experiment: the charts of an experiment's result as figures in a folder; --render
// window-experiment: its page in the window.
#pragma once

#include "app/window/render_view.h"

namespace warpglass::app {

/// Draws each chart of the experiment at request.runPath (a folder, or its result.json) into
/// request.outputPath, as an SVG and as a PNG, and prints the path of each on standard output.
Status renderExperiment(const RenderRequest& request);

/// Draws the window with the experiment at request.runPath in front.
Status renderExperimentWindow(const RenderRequest& request);

}  // namespace warpglass::app
