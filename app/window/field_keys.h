// Ctrl+Y in a field that takes text. On X11 Qt's fields redo by Ctrl+Shift+Z alone, and would leave this key
// to the window, which undoes zooms with it: it redoes the text on every desktop.
#pragma once

class QEvent;
class QObject;

namespace warpglass::app {

/// For an application-wide event filter: whether the event was the key, in such a field, and has been
/// handled. A field that is only read has nothing to redo.
bool redoesInField(QObject* watched, QEvent* event);

}  // namespace warpglass::app
