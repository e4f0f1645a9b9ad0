// The keys by which one moves along the time axis, for whoever has the pointer over a view of it while the
// keyboard is elsewhere: W, A, S, D and F go where one looks, unless what has the keyboard takes letters.
#pragma once

class QEvent;
class QObject;
class QWidget;

namespace warpglass::app {

/// For an application-wide event filter: whether the event was such a key, pressed in `window`, and was
/// handled by the view under the pointer. The keyboard focus stays where it is.
bool goesToPointedView(const QWidget& window, const QObject* watched, QEvent* event);

}  // namespace warpglass::app
