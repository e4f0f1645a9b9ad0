#include "ui/controls/number_field.h"

#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpressionValidator>

#include "ui/theme/theme.h"

namespace warpglass::ui {

NumberField::NumberField(const QString& unit, Steps steps, QWidget* parent)
    : QLineEdit(parent), m_unit(unit), m_steps(steps) {
    setFont(Theme::textFont());
    // 20 digits hold every 64-bit number.
    setValidator(new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{0,20}")), this));
    if (!unit.isEmpty())
        setTextMargins(0, 0, fontMetrics().horizontalAdvance(unit) + Metrics::kSpace1, 0);
    connect(this, &QLineEdit::textEdited, this, &NumberField::valueEdited);
}

std::optional<std::uint64_t> NumberField::value() const {
    bool ok = false;
    const qulonglong value = text().toULongLong(&ok);
    return ok ? std::optional<std::uint64_t>(value) : std::nullopt;
}

void NumberField::setValue(std::uint64_t value) {
    // Keeps the cursor and the selection while the person types what this field already says.
    if (this->value() != value)
        setText(QString::number(value));
}

void NumberField::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    if (m_unit.isEmpty())
        return;
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(Theme::instance().colors().secondaryText);
    painter.drawText(rect().adjusted(0, 0, -Metrics::kSpace2 - 2, 0), Qt::AlignRight | Qt::AlignVCenter,
                     m_unit);
}

void NumberField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        step(event->key() == Qt::Key_Up);
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void NumberField::step(bool up) {
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 62;
    const auto now = value();
    if (!now)
        return;
    std::uint64_t next = *now;
    if (m_steps == Steps::kByTwo)
        next = up ? (next < kHalf ? std::max<std::uint64_t>(1, next * 2) : next)
                  : std::max<std::uint64_t>(1, next / 2);
    else
        next = up ? (next + 1 > next ? next + 1 : next) : (next > 0 ? next - 1 : 0);
    if (next == *now)
        return;
    setValue(next);
    emit valueEdited();
}

}  // namespace warpglass::ui
