#include "app/window/focus_mode.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenuBar>
#include <QMouseEvent>
#include <QSplitterHandle>

#include "app/window/focus_corner.h"
#include "app/window/window_pages.h"
#include "ui/compare/comparison_view.h"

namespace warpglass::app {

FocusMode::FocusMode(WindowPages& pages, QMainWindow& window)
    : QObject(&window),
      m_pages(pages),
      m_window(window),
      m_corner(new FocusCorner(pages.workspace().filter(), window)) {
    connect(m_corner, &FocusCorner::leaveRequested, this, &FocusMode::leave);
    connect(&m_pages, &WindowPages::aboutToLeave, this, &FocusMode::leave);
    qApp->installEventFilter(this);
}

void FocusMode::set(bool on) {
    // Whatever comes to the front ends it; where it is not on, the window's menus may be another's to hide.
    if (!on && !m_active)
        return;
    Workspace& workspace = m_pages.workspace();
    workspace.setAlone(nullptr);
    if (on && (m_pages.showsRun() || m_pages.compares())) {
        QWidget* view =
            m_pages.compares() ? &m_pages.comparison() : workspace.viewHere(m_pages.viewInFront());
        if (view) {
            if (m_pages.showsRun())
                workspace.showView(view);
            hideAround(*view);
            workspace.setAlone(view);
            if (QApplication::focusWidget() == view && m_pages.showsRun())
                workspace.focusView(view);
            // Without height but not hidden: the keys of its actions and of its menus go on.
            m_window.menuBar()->show();
            m_window.menuBar()->setMaximumHeight(0);
        }
    } else {
        showHidden();
        m_window.menuBar()->setMaximumHeight(QWIDGETSIZE_MAX);
    }
    // These count nothing, or by a filter of their own.
    const QString alone = m_pages.viewInFront();
    const bool filtered = alone != QLatin1String("comparison") && alone != QLatin1String("summary") &&
                          alone != QLatin1String("inspector");
    m_corner->setShown(m_active, filtered);
    emit changed(m_active);
}

void FocusMode::hideAround(QWidget& view) {
    showHidden();
    m_active = true;
    for (QWidget* inner = &view; inner != &m_window && inner->parentWidget(); inner = inner->parentWidget()) {
        for (QObject* child : inner->parentWidget()->children()) {
            auto* beside = qobject_cast<QWidget*>(child);
            // A splitter hides and shows its handles itself.
            if (!beside || beside == inner || beside->isWindow() || !beside->isVisible() ||
                qobject_cast<QSplitterHandle*>(beside))
                continue;
            beside->hide();
            m_hidden << beside;
        }
    }
    // What stands beside the menus is out of sight with them, and out of Tab's way.
    if (QWidget* beside = m_window.menuBar()->cornerWidget(Qt::TopRightCorner);
        beside && beside->isVisible()) {
        beside->hide();
        m_hidden << beside;
    }
    // A part of it that has the keyboard keeps it.
    if (!view.isAncestorOf(QApplication::focusWidget()))
        view.setFocus(Qt::OtherFocusReason);
}

void FocusMode::showHidden() {
    m_active = false;
    for (const QPointer<QWidget>& widget : m_hidden) {
        if (widget)
            widget->show();
    }
    m_hidden.clear();
}

bool FocusMode::eventFilter(QObject* watched, QEvent* event) {
    if (!m_active)
        return false;
    if (event->type() == QEvent::MouseMove)
        m_corner->notice(
            m_window.mapFromGlobal(static_cast<QMouseEvent*>(event)->globalPosition().toPoint()));
    // Esc that no view has let anything go by; and before a comparison, which it would end.
    const bool escapes = event->type() == QEvent::KeyPress &&
                         (watched == &m_window || watched == &m_pages.comparison()) &&
                         static_cast<QKeyEvent*>(event)->keyCombination() == QKeyCombination(Qt::Key_Escape);
    if (escapes)
        leave();
    return escapes;
}

}  // namespace warpglass::app
