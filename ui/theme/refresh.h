// Views compute lazily: throttled, and only while they are seen. Whoever wants a picture of one that is not
// on any screen asks for it here.
#pragma once

#include <QImage>
#include <QSize>

class QWidget;

namespace warpglass::ui {

class Refreshable {
public:
    virtual ~Refreshable() = default;
    /// Computes what is missing, now and on this thread, seen or not.
    virtual void refreshNow() = 0;
};

/// Refreshes the widget, if it is Refreshable, and everything in it.
void refreshAll(QWidget& widget);

/// The widget as it looks at `size` logical pixels, drawn with `pixelRatio` device pixels each. It needs no
/// window and no display; a widget inside a layout is drawn at the given size and then put back.
QImage renderWidget(QWidget& widget, QSize size, qreal pixelRatio);

}  // namespace warpglass::ui
