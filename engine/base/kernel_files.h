// Reads what Linux reports about the machine and this process in small text files under proc/ and sys/.
//
// Every path is below a root, "/" except in tests. Missing files and values that are not numbers give
// nothing, never an error. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

/// The text without surrounding spaces and line ends.
std::string_view trimmed(std::string_view text);
/// The number that the text begins with.
std::optional<std::int64_t> leadingInteger(std::string_view text);
/// What follows `key` and `separator` on the first line that starts with the key.
std::optional<std::string> valueOf(const std::filesystem::path& file, std::string_view key, char separator);
/// A file that holds one number; nothing for "max", which means no limit.
std::optional<std::int64_t> integerIn(const std::filesystem::path& file);
/// The first line of a file; empty if it has none.
std::string firstLineOf(const std::filesystem::path& file);

struct ControlGroup {
    std::filesystem::path folder;
    /// Version 2, which has one hierarchy for all controllers; else version 1.
    bool isUnified = false;
};
/// The process's own group of a controller ("memory", "cpu"), and every group around it: each may limit.
std::vector<ControlGroup> controlGroups(const std::filesystem::path& root, std::string_view controller);

}  // namespace warpglass
