#include "engine/query/spans/module_group.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/base/collect.h"

namespace warpglass {

namespace {

constexpr std::string_view kBlocks = "blocks.";

/// The digits behind "blocks."; empty where the path is in no block.
std::string_view blockDigits(std::string_view path) {
    if (!path.starts_with(kBlocks))
        return {};
    const std::string_view rest = path.substr(kBlocks.size());
    const auto* const end =
        std::ranges::find_if_not(rest, [](unsigned char c) { return std::isdigit(c) != 0; });
    const bool whole = end == rest.end() || *end == '.';
    return whole ? rest.substr(0, static_cast<std::size_t>(end - rest.begin())) : std::string_view();
}

}  // namespace

bool isWithin(std::string_view path, std::string_view prefix) {
    return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '.');
}

std::optional<std::int64_t> blockNumber(std::string_view modulePath) {
    const std::string_view digits = blockDigits(modulePath);
    std::int64_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return digits.empty() || read.ec != std::errc() ? std::nullopt : std::optional(number);
}

std::string moduleGroup(std::string_view modulePath) {
    const std::string_view digits = blockDigits(modulePath);
    if (digits.empty())
        return std::string(modulePath);
    return std::string(kBlocks) + "*" + std::string(modulePath.substr(kBlocks.size() + digits.size()));
}

std::string_view moduleStem(std::string_view modulePath) {
    const std::size_t from = modulePath.starts_with(kBlocks) ? kBlocks.size() : 0;
    return modulePath.substr(0, modulePath.find('.', from));
}

std::string modulePart(std::string_view modulePath) {
    const std::size_t digits = blockDigits(modulePath).size();
    if (digits == 0)
        return std::string(moduleStem(modulePath));
    const std::size_t within = kBlocks.size() + digits;  // at the dot behind the number, or at the end
    const std::size_t end =
        within < modulePath.size() ? modulePath.find('.', within + 1) : std::string_view::npos;
    return moduleGroup(modulePath.substr(0, end));
}

void nameBesideTheirOwn(const std::vector<std::string*>& paths) {
    auto sorted = mapped<std::string>(paths, [&](const std::string* path) { return *path; });
    std::ranges::sort(sorted);
    for (std::string* path : paths) {
        const std::string within = *path + '.';
        const auto first = std::lower_bound(sorted.begin(), sorted.end(), within);
        if (first != sorted.end() && first->starts_with(within))
            *path += kItself;
    }
}

std::vector<std::string_view> modulesAround(std::string_view modulePath) {
    std::vector<std::string_view> modules;
    const std::string_view within = modulePath.substr(0, kLongestModulePath + 1);
    std::size_t from = 0;
    while (!modulePath.empty() && modules.size() < kMostModuleLevels) {
        const std::size_t end = std::min(within.find('.', from), modulePath.size());
        if (end > kLongestModulePath)
            break;
        modules.push_back(modulePath.substr(0, end));
        if (end == modulePath.size())
            break;
        from = end + 1;
    }
    return modules;
}

}  // namespace warpglass
