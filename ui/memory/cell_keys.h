// Keys in views whose parts are walked with the arrows: the treemap, the segments, the allocation map.
#pragma once

#include <QKeyEvent>
#include <functional>

namespace warpglass::ui {

/// What each does; one that is empty is not taken.
struct CellKeys {
    std::function<void(Qt::Key)> move;  // an arrow
    std::function<void()> enter, up;
    std::function<bool()>
        escape;  // false if there was nothing to clear: another handler may then take the key
};

/// False for any other key.
inline bool handleCellKey(const QKeyEvent& event, const CellKeys& keys) {
    const auto call = [](const auto& action, auto... arguments) {
        if (action)
            action(arguments...);
        return static_cast<bool>(action);
    };
    switch (event.key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
            return call(keys.move, static_cast<Qt::Key>(event.key()));
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return call(keys.enter);
        case Qt::Key_Backspace:
            return call(keys.up);
        case Qt::Key_Escape:
            return keys.escape && keys.escape();
        default:
            return false;
    }
}

}  // namespace warpglass::ui
