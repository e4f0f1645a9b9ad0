#include "app/window/inspector_drawer.h"

#include <QApplication>
#include <QWidget>

#include "ui/models/time_axis.h"

namespace warpglass::app {

InspectorDrawer::InspectorDrawer(QWidget& inspector, const ui::TimeAxis& axis, QObject* parent)
    : QObject(parent), m_inspector(inspector), m_axis(axis) {
    m_wait.setSingleShot(true);
    connect(&m_wait, &QTimer::timeout, this, &InspectorDrawer::openWhenStill);
    connect(&axis, &ui::TimeAxis::selectionChanged, this, &InspectorDrawer::onSelection);
}

void InspectorDrawer::setSpare(bool spare) {
    if (spare == m_spare)
        return;
    m_spare = spare;
    if (spare)
        onSelection();
    else
        open();
}

void InspectorDrawer::setHeld(bool held) {
    m_held = held;
    if (!held)
        onSelection();
}

void InspectorDrawer::open() {
    m_wait.stop();
    m_inspector.show();
}

void InspectorDrawer::onSelection() {
    if (!m_spare || m_held)
        return;
    if (m_axis.selectedSpan() || m_axis.selectedRange() || m_axis.selectedIdle() ||
        m_axis.selectedAllocation()) {
        // The plots get narrower as it opens: not under a second click or a pointer that drags.
        if (m_inspector.isHidden() && !m_wait.isActive())
            m_wait.start(QApplication::doubleClickInterval());
        return;
    }
    m_wait.stop();
    m_inspector.hide();
}

void InspectorDrawer::openWhenStill() {
    if (m_held)
        return;
    if (QApplication::mouseButtons() != Qt::NoButton)
        return m_wait.start();
    open();
}

}  // namespace warpglass::app
