// One view and nothing else: hides everything around a widget in the window, and restores it. Esc, F11 and
// whatever brings another view to the front end it.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class FocusMode : public QObject {
    Q_OBJECT
public:
    /// The window owns it and the pages.
    FocusMode(WindowPages& pages, QMainWindow& window);

    bool active() const { return m_active; }

public slots:
    /// `on`: the view in front alone. Nothing happens where there is none.
    void set(bool on);
    void leave() { set(false); }

signals:
    void changed(bool active);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void hideAround(QWidget& view);
    void showHidden();

    WindowPages& m_pages;
    QMainWindow& m_window;
    FocusCorner* m_corner;
    QList<QPointer<QWidget>> m_hidden;
    bool m_active = false;
};

}  // namespace warpglass::app
