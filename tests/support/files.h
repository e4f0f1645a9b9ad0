// Files as tests read, write and count them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace warpglass::test {

inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// In folders that are made where they lack.
inline void writeContent(const std::filesystem::path& path, const std::string& content) {
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

inline std::size_t filesIn(const std::filesystem::path& folder) {
    using Files = std::filesystem::directory_iterator;
    return static_cast<std::size_t>(std::distance(Files(folder), Files()));
}

}  // namespace warpglass::test
