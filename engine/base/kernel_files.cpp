#include "engine/base/kernel_files.h"

#include <charconv>
#include <fstream>

namespace warpglass {

namespace fs = std::filesystem;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<std::int64_t> leadingInteger(std::string_view text) {
    text = trimmed(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<std::string> valueOf(const fs::path& file, std::string_view key, char separator) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const std::size_t at = line.find(separator);
        if (at != std::string::npos && trimmed(std::string_view(line).substr(0, at)) == key)
            return std::string(trimmed(std::string_view(line).substr(at + 1)));
    }
    return std::nullopt;
}

std::string firstLineOf(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

std::optional<std::int64_t> integerIn(const fs::path& file) {
    return leadingInteger(firstLineOf(file));
}

std::vector<ControlGroup> controlGroups(const fs::path& root, std::string_view controller) {
    std::vector<ControlGroup> groups;
    std::ifstream in(root / "proc/self/cgroup");
    // "0::/path" is version 2; "5:cpu,cpuacct:/path" is version 1.
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool isUnified = controllers.empty();
        if (!isUnified &&
            ("," + controllers + ",").find("," + std::string(controller) + ",") == std::string::npos)
            continue;
        fs::path mount = root / "sys/fs/cgroup";
        if (!isUnified)
            mount /= controller;
        fs::path own = fs::path(line.substr(second + 1)).relative_path();
        for (; !own.empty(); own = own.parent_path())
            groups.push_back({mount / own, isUnified});
        groups.push_back({mount, isUnified});
    }
    return groups;
}

}  // namespace warpglass
