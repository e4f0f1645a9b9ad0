// Shown over the lower right corner while one view is alone: its filter, if that differs from the one with
// which a run opens (the chips may be hidden with the rest), and, for some seconds, how to leave.
#pragma once

#include <QTimer>
#include <QWidget>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class FocusCorner : public QWidget {
    Q_OBJECT
public:
    /// Hidden at first; the window owns it, the filter outlives it.
    FocusCorner(ui::RunFilter& filter, QWidget& window);

    /// `filtered`: the view shown alone is one that the filter applies to.
    void setShown(bool shown, bool filtered);
    /// The mouse is somewhere over the window: near its lower edge, the way out is shown again.
    void notice(QPoint inWindow);

    static constexpr int kWayOutShown = 5000;  // ms
    /// For tests: another time than that.
    void setWayOutShown(int ms) { m_hideLeave.setInterval(ms); }

signals:
    void leaveRequested();

protected:
    /// Watches the window, to stay in its corner.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showFilter();
    void showWayOut();
    void place();
    /// Entries to remove each condition, and all of them.
    void fillMenu();

    ui::RunFilter& m_filter;
    QWidget& m_window;
    QToolButton* m_counts;
    QPushButton* m_leave;
    QTimer m_hideLeave;
    bool m_shown = false;
    bool m_filtered = false;
};

}  // namespace warpglass::app
