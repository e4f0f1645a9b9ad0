// Where a byte axis has its marks: a few round binary sizes (256 MiB, 512 MiB, …), as people count memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpglass::ui {

/// Multiples of one power of two, above 0 and at most `top`: at most `most`, and more than half as many. None
/// when top < 1.
std::vector<std::int64_t> byteTicks(std::int64_t top, int most);

/// "3.50 GiB" beside "4.00 GiB": all labels have the unit and the decimals of an axis whose marks are `step`
/// apart (a power of two, as in byteTicks()) and reach up to `highest`. Exact, so that no two marks are alike
/// ("1.125 GiB" of every 128 MiB, "40,961 MiB" of every MiB). Precondition: all > 0.
std::string byteTickLabel(std::int64_t bytes, std::int64_t step, std::int64_t highest);

}  // namespace warpglass::ui
