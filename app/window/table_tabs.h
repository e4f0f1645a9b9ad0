// The tabs of the tables under the timeline. Where there is room the tabs stand in the bar that every table
// begins with (ui/controls/tab_room.h), which leaves the height of a row to the tables; else above it.
#pragma once

#include <QTabWidget>

namespace warpglass::app {

class TableTabs : public QTabWidget {
    Q_OBJECT
public:
    explicit TableTabs(QWidget* parent);

    /// Whether tabs and bar are one row in that width.
    bool joinsAt(int width) const;
    /// What stands over the rows in that width: tabs, bar and header.
    int headHeight(int width) const;
    /// Less than tabs and bar need in one row: with less room they part.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void tabInserted(int index) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    bool m_joined = false;
    int m_room = 0;  // for the tabs, in every bar
};

}  // namespace warpglass::app
