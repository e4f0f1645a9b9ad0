// SQLite's file header (sqlite.org/fileformat2.html, section 1.3) as far as run files are told by it: offsets
// in bytes, numbers big-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpglass::run_file {

inline constexpr int kHeaderSize = 100;
inline constexpr std::string_view kMagic("SQLite format 3\0", 16);
inline constexpr std::size_t kPageSizeOffset = 16;
inline constexpr std::size_t kWriteVersionOffset = 18;
inline constexpr std::size_t kReadVersionOffset = 19;
inline constexpr std::size_t kPageCountOffset = 28;
inline constexpr std::size_t kUserVersionOffset = 60;
inline constexpr std::size_t kApplicationIdOffset = 68;

/// Precondition: offset + 4 <= bytes.size().
inline std::uint32_t bigEndian32(std::string_view bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | static_cast<std::uint8_t>(bytes[offset + i]);
    return value;
}

/// 0 of a header that is cut off.
inline std::uint32_t pageSizeOf(std::string_view header) {
    if (header.size() < static_cast<std::size_t>(kHeaderSize))
        return 0;
    const std::uint32_t size = bigEndian32(header, kPageSizeOffset) >> 16;
    return size == 1 ? 65536 : size;  // which does not fit into its two bytes
}

}  // namespace warpglass::run_file
