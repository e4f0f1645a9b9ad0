// Where the status bar is. Where the window is high enough for all that the timeline's page shows it has a
// row of its own at the lower edge, also while it says nothing, so that nothing above it moves. In a lower
// window it lies over the lower left corner while it says something.
#pragma once

#include <QObject>
#include <QStatusBar>

class QWidget;

namespace warpglass::app {

class StatusPlace : public QObject {
    Q_OBJECT
public:
    /// `central` owns all of it: its layout gets room(), below everything.
    explicit StatusPlace(QWidget& central);

    QStatusBar& bar() const { return *m_bar; }
    QWidget& room() const { return *m_room; }
    bool floats() const { return m_floats; }
    /// Shows or hides the bar; `width`: of what it says, in logical pixels.
    void show(bool shown, int width);

signals:
    void floatsChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QWidget& m_central;
    QStatusBar* m_bar;
    QWidget* m_room;
    bool m_floats = false;
    int m_width = 0;
};

}  // namespace warpglass::app
