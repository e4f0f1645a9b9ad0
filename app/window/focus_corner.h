// What stands at the menu bar's end while one view is alone: what it is made to count, where that is not
// what a run is opened with (the chips that say so may be hidden with the rest), and the way out.
#pragma once

#include <QWidget>

class QMenuBar;
class QPushButton;
class QToolButton;

namespace warpglass::ui {
class RunFilter;
}

namespace warpglass::app {

class FocusCorner : public QWidget {
    Q_OBJECT
public:
    /// Hidden at first; the bar owns it, the filter outlives it.
    FocusCorner(ui::RunFilter& filter, QMenuBar& bar);

    /// `filtered`: the view alone is one that counts by the filter.
    void setShown(bool shown, bool filtered);

signals:
    void leaveRequested();

private:
    void showFilter();
    /// Each condition, and all of them, to be taken away.
    void fillMenu();

    ui::RunFilter& m_filter;
    QMenuBar& m_bar;
    QToolButton* m_counts;
    QPushButton* m_leave;
    bool m_filtered = false;
};

}  // namespace warpglass::app
