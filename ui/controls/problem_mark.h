// A control with a problem: its border, or its label's text, takes the warning color. Nothing moves.
#pragma once

class QWidget;

namespace warpglass::ui {

void markProblem(QWidget& widget, bool problem);

}  // namespace warpglass::ui
