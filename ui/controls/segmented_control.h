// One choice of a few, side by side: precision, mode, preset. Left and Right move it; Tab reaches it once.
// Or several of them, each on or off by itself: what is recorded.
#pragma once

#include <QFrame>
#include <QList>

class QButtonGroup;
class QToolButton;

namespace warpglass::ui {

class SegmentedControl : public QFrame {
    Q_OBJECT
public:
    explicit SegmentedControl(const QStringList& options, QWidget* parent = nullptr);

    /// −1 when none is chosen.
    int current() const;
    /// Does not emit chosen().
    void setCurrent(int index);
    /// Makes each segment independently on or off, instead of exactly one being on. They stand in as many
    /// rows as `room` logical pixels of width ask for; 0 for one row.
    void setSeveral(int room = 0);
    bool isOn(int index) const;
    /// Does not emit chosen().
    void setOn(int index, bool on);
    /// For its tool tip, menu, or text.
    QToolButton* button(int index) const { return m_buttons[index]; }
    int count() const { return static_cast<int>(m_buttons.size()); }

    QSize sizeHint() const override;

signals:
    /// By the user.
    void chosen(int index);

private:
    QButtonGroup* m_group;
    QList<QToolButton*> m_buttons;
    int m_rows = 1;
};

}  // namespace warpglass::ui
