// Marks a control as having a problem: its border, or its label's text, takes the warning color. Nothing
// moves or changes size.
#pragma once

class QWidget;

namespace warpglass::ui {

void markProblem(QWidget& widget, bool problem);

}  // namespace warpglass::ui
