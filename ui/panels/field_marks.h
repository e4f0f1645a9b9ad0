// Which fields have a problem: each is marked with its label, and has the sentence in its tool tip and for
// assistive technology. Nothing moves: the text to read is in one place for all fields (the estimate card),
// so that a field never slips away under the pointer or the keyboard.
#pragma once

#include <QHash>
#include <QString>

class QWidget;

namespace warpglass::ui {

class FieldMarks {
public:
    /// `field`: as validate() names it. The control's tool tip must be set by then.
    void add(const QString& field, QWidget* label, QWidget* control);
    bool contains(const QString& field) const { return m_fields.contains(field); }
    /// Replaces the tool tip that it has while nothing is wrong with it.
    void setToolTip(const QString& field, const QString& toolTip);
    /// Sentences by field; fields that are not named have no problem.
    void show(const QHash<QString, QString>& sentences);

private:
    struct Field {
        QWidget* label = nullptr;
        QWidget* control = nullptr;
        QString toolTip;
        QString sentence;
    };
    static void tell(const Field& field);

    QHash<QString, Field> m_fields;
};

}  // namespace warpglass::ui
