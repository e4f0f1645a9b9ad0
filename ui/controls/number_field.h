// A field for one whole number, its unit at the right edge. It holds what is typed, also nothing: whether
// that makes sense is for the plan's validate() to say, beside the field.
#pragma once

#include <QLineEdit>
#include <cstdint>
#include <optional>

namespace warpglass::ui {

class NumberField : public QLineEdit {
    Q_OBJECT
public:
    /// What Up and Down do: sizes double and halve, counts go by one.
    enum class Steps { kByOne, kByTwo };

    explicit NumberField(const QString& unit, Steps steps, QWidget* parent = nullptr);

    /// Nothing when the field is empty or holds more than 64 bits can.
    std::optional<std::uint64_t> value() const;
    void setValue(std::uint64_t value);

signals:
    /// By the user.
    void valueEdited();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void step(bool up);

    QString m_unit;
    Steps m_steps;
};

}  // namespace warpglass::ui
