// That something is wrong with a control: its border, or its label's text, takes the warning's colour.
// Nothing changes its place or size by it.
#pragma once

class QWidget;

namespace warpglass::ui {

void markProblem(QWidget& widget, bool problem);

}  // namespace warpglass::ui
