#include "app/window/application_keys.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <algorithm>
#include <array>

#include "ui/compare/memory_difference_plot.h"
#include "ui/memory/allocation_map_view.h"
#include "ui/memory/memory_plot.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_view.h"

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

constexpr std::array kMoves = {Qt::Key_W, Qt::Key_A, Qt::Key_S, Qt::Key_D, Qt::Key_F};

bool isMove(const QEvent& event) {
    if (event.type() != QEvent::KeyPress)
        return false;
    const auto& press = static_cast<const QKeyEvent&>(event);
    return press.modifiers() == Qt::NoModifier && std::ranges::find(kMoves, press.key()) != kMoves.end();
}

/// Boxes find entries by letters, menu bars menus. Tables too, but not while one looks at a view.
bool takesLetters(const QWidget& widget) {
    return qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QTextEdit*>(&widget) ||
           qobject_cast<const QPlainTextEdit*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget) ||
           qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QMenuBar*>(&widget);
}

bool isOverTime(const QWidget& view) {
    return qobject_cast<const ui::TimelineView*>(&view) || qobject_cast<const ui::OverviewStrip*>(&view) ||
           qobject_cast<const ui::MemoryPlot*>(&view) ||
           qobject_cast<const ui::MemoryDifferencePlot*>(&view) ||
           qobject_cast<const ui::AllocationMapView*>(&view);
}

QWidget* pointedView(const QWidget& window) {
    for (QWidget* view : window.findChildren<QWidget*>()) {
        if (view->underMouse() && view->isVisible() && isOverTime(*view))
            return view;
    }
    return nullptr;
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

bool goesToPointedView(const QWidget& window, const QObject* watched, QEvent* event) {
    if (!isMove(*event))
        return false;
    const auto* pressedIn = qobject_cast<const QWidget*>(watched);
    // Where a key is first told of; those around it hear of it only when it is not wanted there.
    const QWidget* focused = QApplication::focusWidget() ? QApplication::focusWidget() : &window;
    if (!pressedIn || pressedIn != focused || pressedIn->window() != &window || isOverTime(*pressedIn) ||
        takesLetters(*pressedIn))
        return false;
    QWidget* view = pointedView(window);
    if (!view)
        return false;
    QCoreApplication::sendEvent(view, event);
    const bool taken = event->isAccepted();
    event->accept();  // as whoever has the keyboard is told of it, if no one has taken it
    return taken;
}

}  // namespace warpglass::app
