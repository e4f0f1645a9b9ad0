// Ctrl+Y in a text field. On X11, Qt's fields redo only with Ctrl+Shift+Z and would leave this key to the
// window, which uses it for zooms. Here it redoes the text on every desktop.
#pragma once

class QEvent;
class QObject;

namespace warpglass::app {

/// For an application-wide event filter: whether the event was the key, in such a field, and has been
/// handled. A field that is only read has nothing to redo.
bool redoesInField(QObject* watched, QEvent* event);

}  // namespace warpglass::app
