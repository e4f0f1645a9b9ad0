#include "ui/controls/size_field.h"

#include <QKeyEvent>
#include <QRegularExpression>
#include <array>
#include <cmath>
#include <limits>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20, kGiB = std::int64_t{1} << 30;
constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr int kMostDigits = 32;

std::int64_t bytesIn(std::size_t unit) {
    return std::int64_t{1} << (10 * unit);
}

}  // namespace

SizeField::SizeField(const QString& off, QWidget* parent) : QLineEdit(parent) {
    setFont(Theme::textFont());
    setPlaceholderText(off);
    setMaxLength(kMostDigits);
    connect(this, &QLineEdit::textEdited, this, &SizeField::valueEdited);
}

std::optional<Bytes> SizeField::value() const {
    const QString typed = text().trimmed();
    if (typed.isEmpty() || typed.compare(placeholderText(), Qt::CaseInsensitive) == 0 ||
        typed.compare(QLatin1String("off"), Qt::CaseInsensitive) == 0 ||
        typed.compare(QLatin1String("none"), Qt::CaseInsensitive) == 0)
        return Bytes();
    static const QRegularExpression size(QStringLiteral("^([0-9]+(?:\\.[0-9]*)?)\\s*(?:([kmgt])?(i?b)?)$"),
                                         QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = size.match(typed);
    if (!match.hasMatch())
        return std::nullopt;
    const QString prefix = match.captured(2).toLower();
    const bool isAlone = prefix.isEmpty() && match.captured(3).isEmpty();
    const auto unit = isAlone ? 3 : prefix.isEmpty() ? 0 : QStringLiteral("kmgt").indexOf(prefix) + 1;
    const std::int64_t factor = bytesIn(static_cast<std::size_t>(unit));
    // Whole numbers to the byte, which a double would round.
    bool isWhole = false;
    const qlonglong whole = match.captured(1).toLongLong(&isWhole);
    const double bytes = match.captured(1).toDouble() * static_cast<double>(factor);
    if (isWhole ? whole > kMost / factor : bytes >= static_cast<double>(kMost))
        return std::nullopt;
    return Bytes(isWhole ? whole * factor : std::llround(bytes));
}

void SizeField::setValue(Bytes value) {
    // Keeps the cursor and the selection while the person types what this field already says.
    if (this->value() == value)
        return;
    if (value.value <= 0)
        return clear();
    std::size_t unit = 0;
    while (unit + 1 < kUnits.size() && value.value % bytesIn(unit + 1) == 0)
        ++unit;
    setText(QStringLiteral("%1 %2").arg(value.value / bytesIn(unit)).arg(QLatin1String(kUnits[unit])));
}

void SizeField::keyPressEvent(QKeyEvent* event) {
    const bool up = event->key() == Qt::Key_Up;
    if (!up && event->key() != Qt::Key_Down)
        return QLineEdit::keyPressEvent(event);
    const auto now = value();
    if (!now)
        return;
    if (up && now->value > kMost / 2)
        return;
    const std::int64_t next = up ? (now->value > 0 ? now->value * 2 : kGiB) : now->value / 2;
    setValue(Bytes(next < kMiB ? 0 : next));
    emit valueEdited();
}

void SizeField::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (const auto typed = value()) {
        clear();
        setValue(*typed);
    }
}

}  // namespace warpglass::ui
