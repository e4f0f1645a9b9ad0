// A field for an amount of memory: "16 GiB", "1.5 GiB", "512 MB" (units are powers of 1,024); empty, "off"
// and "none" are no limit. It holds what is typed, sensible or not.
#pragma once

#include <QLineEdit>
#include <optional>

#include "engine/base/units.h"

namespace warpglass::ui {

class SizeField : public QLineEdit {
    Q_OBJECT
public:
    /// `off`: what stands there, quietly, while it is empty.
    explicit SizeField(const QString& off, QWidget* parent = nullptr);

    /// 0 for no limit; nothing when what is typed is no size of memory. A number alone counts GiB.
    std::optional<Bytes> value() const;
    /// Shows the value in the largest unit of which it is a whole number, so that every size is read back as
    /// it was given.
    void setValue(Bytes value);

signals:
    /// By the user.
    void valueEdited();

protected:
    /// Up and Down double and halve; below 1 MiB it is off, and up from there 1 GiB.
    void keyPressEvent(QKeyEvent* event) override;
    /// What was typed is written as setValue() writes it.
    void focusOutEvent(QFocusEvent* event) override;
};

}  // namespace warpglass::ui
