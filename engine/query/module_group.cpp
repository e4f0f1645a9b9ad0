#include "engine/query/module_group.h"

#include <algorithm>
#include <cctype>

namespace warpglass {

std::string moduleGroup(std::string_view modulePath) {
    constexpr std::string_view kBlocks = "blocks.";
    if (!modulePath.starts_with(kBlocks))
        return std::string(modulePath);
    const std::string_view rest = modulePath.substr(kBlocks.size());
    const auto* const end =
        std::find_if_not(rest.begin(), rest.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (end == rest.begin() || (end != rest.end() && *end != '.'))
        return std::string(modulePath);
    return std::string(kBlocks) + "*" + std::string(end, rest.end());
}

std::string_view moduleStem(std::string_view modulePath) {
    constexpr std::string_view kBlocks = "blocks.";
    const std::size_t from = modulePath.starts_with(kBlocks) ? kBlocks.size() : 0;
    return modulePath.substr(0, modulePath.find('.', from));
}

}  // namespace warpglass
