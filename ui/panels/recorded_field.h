// What of a run is recorded: a head with "all" and "none", and below it each kind, on or off by itself.
#pragma once

#include <QWidget>

#include "engine/plan/recorded.h"

class QLabel;
class QToolButton;

namespace warpglass::ui {

class SegmentedControl;

class RecordedField : public QWidget {
    Q_OBJECT
public:
    explicit RecordedField(const QString& head, QWidget* parent = nullptr);

    Recorded value() const;
    /// Does not emit edited().
    void setValue(Recorded recorded);
    QLabel* head() const { return m_head; }
    /// Everything that takes the keyboard, in the order of Tab.
    QList<QWidget*> controls() const;

signals:
    /// By the user.
    void edited();

private:
    QToolButton* addShortcut(const QString& text, const QString& toolTip, Recorded recorded);

    QLabel* m_head;
    SegmentedControl* m_kinds;
    QToolButton* m_all;
    QToolButton* m_none;
};

}  // namespace warpglass::ui
