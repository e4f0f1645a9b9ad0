#include "ui/models/described_table_model.h"

namespace warpglass::ui {

QVariant plainVariant(const Cell& cell) {
    if (isAbsent(cell))
        return {};
    if (const auto* text = std::get_if<std::string>(&cell))
        return toQString(*text);
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return static_cast<qlonglong>(*whole);
    // A whole number is copied as one, not as 1e+09.
    const Cell number = wholeIfExact(std::get<double>(cell));
    if (const auto* whole = std::get_if<std::int64_t>(&number))
        return static_cast<qlonglong>(*whole);
    return std::get<double>(number);
}

QVariant sortVariant(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return toQString(*text);
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return static_cast<double>(*whole);
    const auto* real = std::get_if<double>(&cell);
    return real && !std::isnan(*real) ? QVariant(*real) : QVariant();
}

}  // namespace warpglass::ui
