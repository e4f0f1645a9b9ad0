// Which of several algorithms computes a product of matrices in the least time: tried out by the clock. Knows
// neither matrices nor CUDA. Pure; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpglass {

/// A matrix as it lies in memory, apart from where.
struct MatrixLayout {
    std::int64_t rows = 0, columns = 0;
    /// Numbers from a row to the next; of a transposed one, from a column to the next.
    std::int64_t stride = 0;
    /// Its columns lie one after the other, not its rows.
    bool transposed = false;
    /// LibTorch's number for its type.
    int type = 0;
    /// Bytes that its address is a multiple of, a power of two and at most kMostAligned: some algorithms need
    /// many.
    std::uint32_t alignment = 0;

    auto operator<=>(const MatrixLayout&) const = default;
};
inline constexpr std::uint32_t kMostAligned = 256;

constexpr std::uint32_t alignmentOf(std::uintptr_t address) {
    return 1u << std::countr_zero(address | kMostAligned);
}

/// What one choice of an algorithm is for: out = a b on one device.
struct ProductKind {
    int device = 0;
    MatrixLayout a, b, out;

    auto operator<=>(const ProductKind&) const = default;
};

/// How unpromising an algorithm is, by how often its tiles fill the device (`waves`): whole waves over those,
/// since the last takes as long as a full one, and a little for each, since larger tiles read less. For
/// thirty products on an H200, with a thousand algorithms each, trying the dozen tiles with the least of it
/// found what was within 1% of the fastest, in sum.
inline double unpromising(double waves) {
    constexpr double kForEachWave = 0.1, kRounding = 1e-3;
    if (!(waves > 0))
        return std::numeric_limits<double>::infinity();
    const double whole = std::max(1.0, std::ceil(waves - kRounding));
    return whole / waves + kForEachWave * whole;
}

/// The first stays unless another one takes less than this share of its time: less of a difference is noise.
inline constexpr double kFasterShare = 0.98;
/// One that takes so much longer than the fastest at its first turn has no further ones.
inline constexpr double kFarBehind = 1.25;

/// The index of the fastest of `count` algorithms; 0 unless another one is clearly faster, or 0 fails.
/// `works(index)` runs one for the first time, which loads its code, and says whether it could be run;
/// `time(index)` runs one and gives its time, in any unit. They take turns, so that clocks and other programs
/// strike all alike, and each is judged by the median of its times.
template <class Works, class Time>
std::size_t fastestOf(std::size_t count, Works works, Time time) {
    constexpr std::size_t kTurns = 5;
    constexpr double kNever = std::numeric_limits<double>::infinity();
    struct Runner {
        std::size_t index = 0;
        std::array<double, kTurns> times{};
        double median() {
            std::ranges::nth_element(times, times.begin() + kTurns / 2);
            return times[kTurns / 2];
        }
    };
    std::vector<Runner> running;
    for (std::size_t i = 0; i < count; ++i) {
        if (works(i))
            running.push_back({i});
    }
    for (std::size_t turn = 0; turn < kTurns; ++turn) {
        double least = kNever;
        for (Runner& runner : running)
            least = std::min(least, runner.times[turn] = time(runner.index));
        if (turn == 0)
            std::erase_if(running, [least](const Runner& runner) {
                return runner.index > 0 && runner.times[0] > kFarBehind * least;
            });
    }
    double first = kNever, least = kNever;
    std::size_t best = 0;
    for (Runner& runner : running) {
        const double median = runner.median();
        if (runner.index == 0)
            first = median;
        if (median < least) {
            least = median;
            best = runner.index;
        }
    }
    return least < kFasterShare * first ? best : 0;
}

}  // namespace warpglass
