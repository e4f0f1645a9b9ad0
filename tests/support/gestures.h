// What a hand does with mouse and keys for which QTest has no word.
#pragma once

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QSplitter>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

namespace warpglass::test {

/// The tool tip that comes where the pointer rests.
inline QString toolTipAt(QWidget& widget, QPoint at) {
    QHelpEvent help(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QApplication::sendEvent(&widget, &help);
    return QToolTip::text();
}

/// Also of a widget that no screen shows, which QTest::mouseMove() does not reach.
inline void movePointer(QWidget& widget, QPointF to, Qt::MouseButtons held = {},
                        Qt::KeyboardModifiers keys = {}) {
    QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, held, keys);
    QApplication::sendEvent(&widget, &event);
}

/// The pointer goes elsewhere.
inline void leave(QWidget& widget) {
    QEvent event(QEvent::Leave);
    QApplication::sendEvent(&widget, &event);
}

/// `turned` in eighths of a degree: a notch is 120. Whether the widget has taken it.
inline bool turnWheel(QWidget& widget, QPointF at, QPoint turned, Qt::KeyboardModifiers keys = {}) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, turned, Qt::NoButton, keys, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
    return event.isAccepted();
}

/// Whether the widget takes a key that is pressed in it, or leaves it to those around it.
inline bool takesKey(QWidget& widget, Qt::Key key) {
    QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
    QApplication::sendEvent(&widget, &press);
    return press.isAccepted();
}

inline void drag(QWidget& widget, QPoint from, QPoint to, Qt::KeyboardModifiers keys = {}) {
    QTest::mousePress(&widget, Qt::LeftButton, keys, from);
    for (int i = 1; i <= 4; ++i)
        QTest::mouseMove(&widget, from + (to - from) * i / 4);
    QTest::mouseRelease(&widget, Qt::LeftButton, keys, to);
}

/// Moves the divider before a part, which goes along with the pointer.
inline void dragDivider(const QSplitter& splitter, int part, int by) {
    QWidget* handle = splitter.handle(part);
    const QPoint at = handle->rect().center();
    const QPoint to = at + (splitter.orientation() == Qt::Vertical ? QPoint(0, by) : QPoint(by, 0));
    QTest::mousePress(handle, Qt::LeftButton, {}, at);
    QTest::mouseMove(handle, to);
    QTest::mouseRelease(handle, Qt::LeftButton, {}, to);
}

}  // namespace warpglass::test
