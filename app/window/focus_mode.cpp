#include "app/window/focus_mode.h"

#include <QApplication>
#include <QSplitterHandle>
#include <QTabWidget>

namespace warpglass::app {

void FocusMode::enter(QWidget& view, QWidget& root) {
    leave();
    m_active = true;
    for (QWidget* inner = &view; inner != &root && inner->parentWidget(); inner = inner->parentWidget()) {
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
    // A part of it that has the keyboard keeps it.
    if (!view.isAncestorOf(QApplication::focusWidget()))
        view.setFocus(Qt::OtherFocusReason);
}

void FocusMode::leave() {
    m_active = false;
    for (const QPointer<QWidget>& widget : m_hidden) {
        if (widget)
            widget->show();
    }
    m_hidden.clear();
}

}  // namespace warpglass::app
