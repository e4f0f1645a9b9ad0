// --render window-lesson: the window with one step of a lesson, its answer shown.
#pragma once

#include "app/window/render_view.h"

namespace warpglass::app {

/// Draws the step request.lessonStep of the lesson at request.runPath.
Status renderLesson(const RenderRequest& request);

}  // namespace warpglass::app
