// Shows a widget that no screen need have room for.
#pragma once

#include <QWidget>

namespace warpglass::test {

inline void showUnseen(QWidget& widget, QSize size) {
    widget.setAttribute(Qt::WA_DontShowOnScreen);
    widget.resize(size);
    widget.show();
}

}  // namespace warpglass::test
