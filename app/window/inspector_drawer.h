// When the inspector stands beside the views: always, where the window is wide; else while something is
// selected, so that the plots have the width until then. GUI thread only.
#pragma once

#include <QObject>
#include <QTimer>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class InspectorDrawer : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    InspectorDrawer(QWidget& inspector, const ui::TimeAxis& axis, QObject* parent);

    /// Whether there is little room; not so at first.
    void setSpare(bool spare);
    /// While one view is shown alone nothing comes or goes.
    void setHeld(bool held);
    /// Somebody has asked for the inspector: it stays until the selection changes.
    void open();

private:
    void onSelection();
    void openWhenStill();

    QWidget& m_inspector;
    const ui::TimeAxis& m_axis;
    bool m_spare = false, m_held = false;
    QTimer m_wait;
};

}  // namespace warpglass::app
