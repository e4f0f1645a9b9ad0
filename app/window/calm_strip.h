// Messages between the tabs of runs and their views. A message that appears or goes while the pointer is over
// the views moves nothing under it: it overlaps their upper edge, or leaves its room empty, until the pointer
// leaves them or other views come to the front.
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace warpglass::app {

class CalmStrip : public QWidget {
    Q_OBJECT
public:
    /// Stands over `below`, which outlives it, in the same layout; both are children of `parent`.
    CalmStrip(QWidget& below, QWidget* parent);

    /// Adds a message below the previous ones; its owner shows and hides it.
    void add(QWidget* message);
    /// The views are others now: everything moves anyway.
    void settle();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void moveEvent(QMoveEvent* event) override;

private:
    /// What the messages that are shown take.
    int wantedHeight() const;
    void arrange();
    void place();

    QWidget& m_below;
    QWidget* m_messages;  // floats over the strip, and where it is higher over what is below
    QVBoxLayout* m_layout;
};

}  // namespace warpglass::app
