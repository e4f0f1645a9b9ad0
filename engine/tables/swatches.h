// The swatches of names, and what a row of several categories says of each.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/query/spans/op_family.h"
#include "engine/tables/column.h"

namespace warpglass {

inline Swatch swatchOf(Phase phase) {
    return {Swatch::kPhase, static_cast<std::uint8_t>(phase)};
}
inline Swatch swatchOf(Category category) {
    return {Swatch::kCategory, static_cast<std::uint8_t>(category)};
}
inline Swatch swatchOf(OpFamily family) {
    return {Swatch::kFamily, static_cast<std::uint8_t>(family)};
}
/// The swatch for the name of a phase or a category; nothing for another word.
std::optional<Swatch> swatchOfName(Swatch::Kind kind, std::string_view name);

/// "weights: 1,024 bytes", a line each that there is any of.
std::string categoriesInWords(const std::array<std::int64_t, kCategoryCount>& bytes);

}  // namespace warpglass
