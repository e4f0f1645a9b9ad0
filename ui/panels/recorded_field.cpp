#include "ui/panels/recorded_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

RecordedField::RecordedField(const QString& head, QWidget* parent)
    : QWidget(parent), m_head(new QLabel(head, this)) {
    m_head->setFont(Theme::headFont());
    m_head->setProperty("secondary", true);
    m_all = addShortcut(tr("all"), tr("Records everything but shapes"), Recorded());
    m_none = addShortcut(tr("none"), tr("Records steps, phases and modules only"), Recorded::none());
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_head, 1);
    row->addWidget(m_all);
    row->addWidget(m_none);

    QStringList words;
    for (const std::string_view name : kFeatureNames)
        words << toQString(name);
    m_kinds = new SegmentedControl(words, this);
    m_kinds->setSeveral();
    m_kinds->setObjectName(QStringLiteral("record"));
    m_kinds->setAccessibleName(tr("What is recorded"));
    for (int i = 0; i < m_kinds->count(); ++i)
        m_kinds->button(i)->setToolTip(tr("%1. What is recorded costs a little of the time that it measures.")
                                           .arg(toQString(kFeatures[static_cast<std::size_t>(i)].toolTip)));
    connect(m_kinds, &SegmentedControl::chosen, this, &RecordedField::edited);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Metrics::kSpace1);
    column->addLayout(row);
    column->addWidget(m_kinds);
}

QToolButton* RecordedField::addShortcut(const QString& text, const QString& toolTip, Recorded recorded) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("record-") + text);
    button->setProperty("fold", true);
    button->setFont(Theme::tableFont());
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, [this, recorded] {
        setValue(recorded);
        emit edited();
    });
    return button;
}

Recorded RecordedField::value() const {
    Recorded recorded;
    for (int i = 0; i < m_kinds->count(); ++i)
        recorded.set(static_cast<Feature>(i), m_kinds->isOn(i));
    return recorded;
}

void RecordedField::setValue(Recorded recorded) {
    for (int i = 0; i < m_kinds->count(); ++i)
        m_kinds->setOn(i, recorded.has(static_cast<Feature>(i)));
}

QList<QWidget*> RecordedField::controls() const {
    QList<QWidget*> controls{m_all, m_none};
    for (int i = 0; i < m_kinds->count(); ++i)
        controls << m_kinds->button(i);
    return controls;
}

}  // namespace warpglass::ui
