#include "ui/panels/field_marks.h"

#include <QWidget>

#include "ui/controls/problem_mark.h"

namespace warpglass::ui {

void FieldMarks::add(const QString& field, QWidget* label, QWidget* control) {
    m_fields.insert(field, {label, control, control->toolTip(), {}});
}

void FieldMarks::setToolTip(const QString& field, const QString& toolTip) {
    Field& found = m_fields[field];
    found.toolTip = toolTip;
    tell(found);
}

void FieldMarks::show(const QHash<QString, QString>& sentences) {
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it) {
        Field& field = it.value();
        const QString sentence = sentences.value(it.key());
        if (sentence == field.sentence)
            continue;
        field.sentence = sentence;
        markProblem(*field.label, !sentence.isEmpty());
        markProblem(*field.control, !sentence.isEmpty());
        tell(field);
    }
}

void FieldMarks::tell(const Field& field) {
    const bool both = !field.sentence.isEmpty() && !field.toolTip.isEmpty();
    field.control->setToolTip(field.sentence + (both ? QStringLiteral("\n") : QString()) + field.toolTip);
    field.control->setAccessibleDescription(field.sentence);
    field.label->setToolTip(field.sentence);
}

}  // namespace warpglass::ui
