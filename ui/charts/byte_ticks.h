// Where a byte axis has its marks: a few round binary sizes (256 MiB, 512 MiB, …), as people count memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpglass::ui {

/// Multiples of one power of two, above 0 and at most `top`: at most `most`, and more than half as many. None
/// when top < 1.
std::vector<std::int64_t> byteTicks(std::int64_t top, int most);

/// "64 MiB", "1.5 GiB": round sizes without trailing zeros. Precondition: bytes > 0.
std::string byteTickLabel(std::int64_t bytes);

}  // namespace warpglass::ui
