#include "ui/controls/problem_mark.h"

#include <QWidget>

#include "ui/theme/theme.h"

namespace warpglass::ui {

void markProblem(QWidget& widget, bool problem) {
    if (widget.property("problem").toBool() == problem)
        return;
    restyle(widget, "problem", problem);
    widget.update();
}

}  // namespace warpglass::ui
