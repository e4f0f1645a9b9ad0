// --render experiment: the charts of an experiment's result as figures in a folder; window-experiment: its
// page in the window; window-lesson: the window with one step of a lesson, its answer shown.
#pragma once

#include "app/window/render_view.h"
#include "app/window/window_fwd.h"

namespace warpglass::app {

/// Draws each chart of the experiment at request.runPath (a folder, or its result.json) into
/// request.outputPath, as an SVG and as a PNG, and prints the path of each on standard output.
Status renderExperiment(const RenderRequest& request);

/// Draws the window with the experiment at request.runPath in front.
Status renderExperimentWindow(const RenderRequest& request);

/// Draws the step request.lessonStep of the lesson at request.runPath. What of the step's place is not there
/// is an error too, though the rest is drawn: the picture says it as the window does.
Status renderLesson(const RenderRequest& request);

}  // namespace warpglass::app
