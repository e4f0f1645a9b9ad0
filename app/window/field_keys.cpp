#include "app/window/field_keys.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace warpglass::app {

namespace {

constexpr QKeyCombination kRedo = Qt::CTRL | Qt::Key_Y;

/// `act`: does it, too.
template <class Field>
bool redoes(QObject* watched, bool act) {
    auto* field = qobject_cast<Field*>(watched);
    if (!field || field->isReadOnly())
        return false;
    if (act)
        field->redo();
    return true;
}

}  // namespace

bool redoesInField(QObject* watched, QEvent* event) {
    const bool pressed = event->type() == QEvent::KeyPress;
    if ((!pressed && event->type() != QEvent::ShortcutOverride) ||
        static_cast<QKeyEvent*>(event)->keyCombination() != kRedo)
        return false;
    if (!redoes<QLineEdit>(watched, pressed) && !redoes<QPlainTextEdit>(watched, pressed) &&
        !redoes<QTextEdit>(watched, pressed))
        return false;
    event->accept();  // the window is not asked
    return true;
}

}  // namespace warpglass::app
