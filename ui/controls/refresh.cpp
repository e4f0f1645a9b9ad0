#include "ui/controls/refresh.h"

#include <QApplication>
#include <QLayout>
#include <QPointer>
#include <QWidget>

namespace warpglass::ui {

void refreshAll(QWidget& widget) {
    if (auto* view = dynamic_cast<Refreshable*>(&widget))
        view->refreshNow();
    for (QWidget* child : widget.findChildren<QWidget*>()) {
        if (auto* view = dynamic_cast<Refreshable*>(child))
            view->refreshNow();
    }
}

namespace {

/// Layouts of hidden widgets wait for a show event; this does their work without one.
void layOut(QWidget& widget) {
    widget.ensurePolished();
    if (QLayout* layout = widget.layout()) {
        layout->invalidate();
        layout->activate();
    }
    for (QObject* child : widget.children()) {
        if (auto* childWidget = qobject_cast<QWidget*>(child); childWidget && !childWidget->isWindow())
            layOut(*childWidget);
    }
}

/// To the widget and what is in it alone: a layout around it would take its size back.
void deliverPostedEvents(QWidget& widget) {
    QCoreApplication::sendPostedEvents(&widget);
    // An event may delete others of them.
    QList<QPointer<QObject>> children;
    for (QObject* child : widget.findChildren<QObject*>())
        children << child;
    for (const QPointer<QObject>& child : children) {
        if (child)
            QCoreApplication::sendPostedEvents(child);
    }
}

}  // namespace

void withWidgetAt(QWidget& widget, QSize size, const std::function<void()>& draw) {
    const QRect before = widget.geometry();
    const bool showOffScreen = widget.isWindow() && !widget.isVisible();
    const bool hadAttribute = widget.testAttribute(Qt::WA_DontShowOnScreen);
    // A part that appears at this size would have the layout around the widget take the size back.
    QLayout* around = widget.isWindow() || !widget.parentWidget() ? nullptr : widget.parentWidget()->layout();
    if (around && !around->isEnabled())
        around = nullptr;
    if (around)
        around->setEnabled(false);
    widget.resize(size);
    if (showOffScreen) {
        // A shown widget lays itself out like any other (scroll bars, stretched columns), and no one sees it.
        widget.setAttribute(Qt::WA_DontShowOnScreen);
        widget.show();
    }
    layOut(widget);
    refreshAll(widget);
    layOut(widget);
    deliverPostedEvents(widget);
    refreshAll(widget);  // what the last layout has made anew
    draw();
    if (showOffScreen) {
        widget.hide();
        widget.setAttribute(Qt::WA_DontShowOnScreen, hadAttribute);
    }
    widget.setGeometry(before);
    layOut(widget);
    if (around)
        around->setEnabled(true);
}

void showUnseen(QWidget& widget, QSize size) {
    widget.resize(size);
    widget.setAttribute(Qt::WA_DontShowOnScreen);
    widget.show();
}

QImage renderWidget(QWidget& widget, QSize size, qreal pixelRatio) {
    QImage image(size * pixelRatio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(Qt::transparent);
    withWidgetAt(widget, size, [&] { widget.render(&image); });
    return image;
}

}  // namespace warpglass::ui
