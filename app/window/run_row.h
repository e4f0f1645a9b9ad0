// The row of the open runs and of the pages of the one shown. In a wide window it is the rest of the menus'
// row, in a narrower one it stands below that.
#pragma once

#include <QFrame>

class QMenuBar;
class QVBoxLayout;

namespace warpglass::app {

class RunRow : public QFrame {
    Q_OBJECT
public:
    explicit RunRow(QWidget* parent);

    /// In a window of that width. `below`: where it is first where it is not beside the menus. Both outlive
    /// it or own it. A menu bar of the desktop has no room for it.
    void fit(int width, QMenuBar& menus, QVBoxLayout& below);

    QSize sizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool m_joined = false;
    int m_menusWidth = 0, m_width = 0;
};

}  // namespace warpglass::app
