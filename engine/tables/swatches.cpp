#include "engine/tables/swatches.h"

#include "engine/base/format.h"
#include "engine/trace/stack_order.h"

namespace warpglass {
namespace {

template <class Names>
std::optional<Swatch> among(const Names& names, Swatch::Kind kind, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
        return std::nullopt;
    return Swatch{kind, static_cast<std::uint8_t>(found - names.begin())};
}

}  // namespace

std::optional<Swatch> swatchOfName(Swatch::Kind kind, std::string_view name) {
    switch (kind) {
        case Swatch::kFamily:
            return among(kOpFamilyNames, kind, name);
        case Swatch::kCategory:
            return among(kCategoryNames, kind, name);
        case Swatch::kPhase:
            return among(kPhaseNames, kind, name);
    }
    return std::nullopt;
}

std::string categoriesInWords(const std::array<std::int64_t, kCategoryCount>& bytes) {
    std::string lines;
    for (const Category category : kStackOrder) {
        const std::int64_t part = bytes[static_cast<std::size_t>(category)];
        if (part != 0)
            lines += (lines.empty() ? "" : "\n") + std::string(categoryName(category)) + ": " +
                     formatBytesExact(Bytes(part));
    }
    return lines;
}

}  // namespace warpglass
