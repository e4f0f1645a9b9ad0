// Views compute lazily: throttled, and only while they are seen. Whoever wants a picture of one that is not
// on any screen asks for it here.
#pragma once

#include <QImage>
#include <QSize>
#include <functional>

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

/// Shows the widget at that size, in logical pixels, where no one sees it.
void showUnseen(QWidget& widget, QSize size);

/// Lays the widget out at `size` logical pixels, computes what it then shows, calls `draw`, and puts it back,
/// inside a layout too: those around it learn nothing of it.
void withWidgetAt(QWidget& widget, QSize size, const std::function<void()>& draw);

/// The widget as it looks at `size` logical pixels, drawn with `pixelRatio` device pixels each. It needs no
/// window and no display.
QImage renderWidget(QWidget& widget, QSize size, qreal pixelRatio);

}  // namespace warpglass::ui
