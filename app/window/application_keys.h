// Keys that an application-wide event filter hands on.
#pragma once

#include "app/window/window_fwd.h"

namespace warpglass::app {

/// Ctrl+Y in a text field: whether the event was the key, in such a field, and has been handled. On X11, Qt's
/// fields redo only with Ctrl+Shift+Z and would leave this key to the window, which uses it for zooms. Here
/// it redoes the text on every desktop. A field that is only read has nothing to redo.
bool redoesInField(QObject* watched, QEvent* event);

/// The keys by which one moves along the time axis, for whoever has the pointer over a view of it while the
/// keyboard is elsewhere: W, A, S, D and F go where one looks, unless what has the keyboard takes letters.
/// Whether the event was such a key, pressed in `window`, and was handled by the view under the pointer. The
/// keyboard focus stays where it is.
bool goesToPointedView(const QWidget& window, const QObject* watched, QEvent* event);

}  // namespace warpglass::app
