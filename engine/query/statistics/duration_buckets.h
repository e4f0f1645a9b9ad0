// Log-spaced buckets for durations: 32 an octave, each exact below 64 ns, so that a duration's bucket is a
// few shifts and a count in each says where any percentile lies to 3%.
//
// Internal to engine/query. Durations are not negative.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpglass::duration_buckets {

inline constexpr int kSubBits = 5;
inline constexpr std::size_t kCount = ((64 - kSubBits) << kSubBits) + (std::size_t{1} << kSubBits);

inline std::size_t of(std::int64_t duration) {
    const auto d = static_cast<std::uint64_t>(duration);
    const int shift = std::max(0, static_cast<int>(std::bit_width(d)) - kSubBits - 1);
    return (static_cast<std::size_t>(shift) << kSubBits) + static_cast<std::size_t>(d >> shift);
}

/// The smallest duration of a bucket; the bucket after the last one begins beyond the largest int64.
inline std::int64_t begin(std::size_t bucket) {
    constexpr std::size_t kExact = std::size_t{2} << kSubBits;  // below it a bucket holds one duration
    if (bucket < kExact)
        return static_cast<std::int64_t>(bucket);
    const std::size_t shift = (bucket >> kSubBits) - 1;
    const std::size_t leading = bucket - (shift << kSubBits);
    return shift + kSubBits + 1 >= 64 ? INT64_MAX : static_cast<std::int64_t>(leading << shift);
}

}  // namespace warpglass::duration_buckets
