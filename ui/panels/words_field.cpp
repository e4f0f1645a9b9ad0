#include "ui/panels/words_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/controls/segmented_control.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The run panel's width within its margins, beside a scroll bar.
constexpr int kWordsRoom = 246;

}  // namespace

WordsField::WordsField(const QString& key, const QString& head, std::span<const Choice> choices,
                       const std::vector<Shortcut>& shortcuts, QWidget* parent)
    : QWidget(parent), m_head(new QLabel(head, this)) {
    setSecondary(m_head, Theme::headFont());
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_head, 1);
    for (const Shortcut& shortcut : shortcuts) {
        m_shortcuts << addShortcut(key, shortcut);
        row->addWidget(m_shortcuts.back());
    }

    QStringList words;
    for (const Choice& choice : choices)
        words << toQString(choice.label);
    m_choices = new SegmentedControl(words, this);
    m_choices->setSeveral(kWordsRoom);
    m_choices->setObjectName(key);
    m_choices->setAccessibleName(head);
    for (int i = 0; i < m_choices->count(); ++i)
        m_choices->button(i)->setToolTip(toQString(choices[static_cast<std::size_t>(i)].toolTip));
    connect(m_choices, &SegmentedControl::chosen, this, &WordsField::edited);

    auto* column = spaced(new QVBoxLayout(this), {}, Metrics::kSpace1);
    column->addLayout(row);
    column->addWidget(m_choices);
}

QToolButton* WordsField::addShortcut(const QString& key, const Shortcut& shortcut) {
    auto* button = new QToolButton(this);
    button->setObjectName(key + QLatin1Char('-') + shortcut.text);
    button->setProperty("fold", true);
    button->setFont(Theme::tableFont());
    button->setText(shortcut.text);
    button->setToolTip(shortcut.toolTip);
    button->setAccessibleName(shortcut.toolTip);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, [this, chosen = shortcut.chosen] {
        setValue(chosen);
        emit edited();
    });
    return button;
}

WordsField::Chosen WordsField::value() const {
    Chosen chosen;
    for (int i = 0; i < m_choices->count(); ++i)
        chosen.push_back(m_choices->isOn(i));
    return chosen;
}

void WordsField::setValue(const Chosen& chosen) {
    for (int i = 0; i < m_choices->count(); ++i)
        m_choices->setOn(i, chosen.at(static_cast<std::size_t>(i)));
}

QList<QWidget*> WordsField::controls() const {
    QList<QWidget*> controls;
    for (QToolButton* shortcut : m_shortcuts)
        controls << shortcut;
    for (int i = 0; i < m_choices->count(); ++i)
        controls << m_choices->button(i);
    return controls;
}

}  // namespace warpglass::ui
