// Room at the beginning of a bar for the tabs that lie over it, where a page's bar and its tabs are one row.
// A figure has no tabs, and so not this room.
#pragma once

#include <QWidget>

#include "ui/controls/figure_mode.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

class TabRoom : public QWidget, public FigureControl {
public:
    /// Logical pixels: what is over and under the controls of the bar, and the bar with it.
    static constexpr int kBarMargin = 2, kBarHeight = Metrics::kControlHeight + 2 * kBarMargin;

    explicit TabRoom(QWidget* parent) : QWidget(parent) { setRoom(0); }

    /// Logical pixels; 0 where the tabs have a row of their own.
    void setRoom(int width) {
        setFixedWidth(width);
        setVisible(width > 0);
    }
    QString figureWords() const override { return {}; }
};

}  // namespace warpglass::ui
