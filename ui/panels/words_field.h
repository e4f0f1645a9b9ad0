// Choices, each on or off by itself, below a head with shortcuts to sets of them ("all", "none").
#pragma once

#include <QWidget>
#include <span>
#include <vector>

#include "engine/plan/choice.h"

class QLabel;
class QToolButton;

namespace warpglass::ui {

class SegmentedControl;

class WordsField : public QWidget {
    Q_OBJECT
public:
    /// By choice: whether it is on.
    using Chosen = std::vector<bool>;
    struct Shortcut {
        QString text, toolTip;
        Chosen chosen;
    };

    /// `key` names the row of choices, and with a shortcut's text its button ("record-all").
    WordsField(const QString& key, const QString& head, std::span<const Choice> choices,
               const std::vector<Shortcut>& shortcuts, QWidget* parent = nullptr);

    Chosen value() const;
    /// Does not emit edited().
    void setValue(const Chosen& chosen);
    QLabel* head() const { return m_head; }
    /// Everything that takes the keyboard, in the order of Tab.
    QList<QWidget*> controls() const;

signals:
    /// By the user.
    void edited();

private:
    QToolButton* addShortcut(const QString& key, const Shortcut& shortcut);

    QLabel* m_head;
    SegmentedControl* m_choices;
    QList<QToolButton*> m_shortcuts;
};

}  // namespace warpglass::ui
