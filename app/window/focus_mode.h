// One view and nothing else: hides everything around a widget, and restores it.
#pragma once

#include <QList>
#include <QPointer>
#include <QWidget>

namespace warpglass::app {

class FocusMode {
public:
    /// Hides everything in `root` that is neither `view` nor around it. Leaves the former view first.
    void enter(QWidget& view, QWidget& root);
    /// Shows again what enter() hid.
    void leave();
    bool active() const { return m_active; }

private:
    QList<QPointer<QWidget>> m_hidden;
    bool m_active = false;
};

}  // namespace warpglass::app
