#include "ui/theme/problem_mark.h"

#include <QStyle>
#include <QWidget>

namespace warpglass::ui {

void markProblem(QWidget& widget, bool problem) {
    if (widget.property("problem").toBool() == problem)
        return;
    widget.setProperty("problem", problem);
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
    widget.update();
}

}  // namespace warpglass::ui
