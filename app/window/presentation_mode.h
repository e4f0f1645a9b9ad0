// The window for a lecture hall: everything larger, and in high contrast of the theme in use. Its content is
// laid out as in a small window and drawn larger, so that all of it grows, what is measured in pixels too;
// menus, the status bar and the run panel make way. F5 begins and ends it.
//
// The content lies in a scene meanwhile, as a widget does that is zoomed. GUI thread only.
#pragma once

#include <QMainWindow>
#include <QObject>
#include <QSize>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class PresentationMode : public QObject {
    Q_OBJECT
public:
    /// `fullScreen`: takes the whole screen. The window owns all of them.
    PresentationMode(QMainWindow& window, RunPanelPlace& panel, FocusMode& focus, bool fullScreen);
    ~PresentationMode() override;

    bool active() const { return m_view != nullptr; }
    /// How much larger everything is; 1 while it is off.
    double scale() const;

    /// Logical pixels that the content has, at least: as a window of 1,100 × 660 without its menus.
    static constexpr QSize kLaidOut{1066, 600};
    /// On a screen of any size: more would show less than a slide does.
    static constexpr double kMostScale = 3;

public slots:
    void set(bool on);
    void leave() { set(false); }

signals:
    void changed(bool active);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void begin();
    void end();
    void fit();
    /// Only where the content has not the room that it needs: else it would grow and shrink as views change.
    void fitGrown();

    QMainWindow& m_window;
    RunPanelPlace& m_panel;
    FocusMode& m_focus;
    bool m_fullScreen;
    QGraphicsView* m_view = nullptr;  // the window's content meanwhile
    QGraphicsProxyWidget* m_proxy = nullptr;
    Qt::WindowStates m_stateBefore;
};

}  // namespace warpglass::app
