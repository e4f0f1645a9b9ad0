// --render window-lesson: the window with one step of a lesson, its answer shown.
#pragma once

#include "app/window/render_view.h"

namespace warpglass::app {

/// Draws the step request.lessonStep of the lesson at request.runPath. What of the step's place is not there
/// is an error too, though the rest is drawn: the picture says it as the window does.
Status renderLesson(const RenderRequest& request);

}  // namespace warpglass::app
