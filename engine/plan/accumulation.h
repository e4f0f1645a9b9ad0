// Adding many small numbers in a type of few digits: what the accumulation experiment computes, and why its
// sums come out as they do.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpglass {

/// A binary floating-point type (IEEE 754; bfloat16 as float32 with fewer digits).
enum class NumberFormat : std::uint8_t { kFp32, kFp16, kBf16 };
/// "fp32", "fp16", "bf16".
std::string_view numberFormatName(NumberFormat format);
/// Bits of the significand that are stored: 23, 10, 7.
int fractionBits(NumberFormat format);
/// The distance from x to the next number of the format away from zero (one unit in the last place); of
/// normal numbers. Precondition: x is finite and not 0.
double spacingAt(NumberFormat format, double x);

/// One way to sum `terms` times the same value.
struct Accumulation {
    NumberFormat sum = NumberFormat::kFp32;
    NumberFormat term = NumberFormat::kFp32;
    /// The term is cast to the sum's type before it is added, which otherwise the addition does.
    bool castFirst = false;
    /// Kahan's sum: what rounding lost is kept in a second number of its type and added with the next term.
    bool compensated = false;
    double value = 0.01;
    std::int64_t terms = 1000;
};
/// "fp32 += fp16, cast to fp32 first", "fp16 += fp16, Kahan's sum".
std::string accumulationWords(const Accumulation& way);
/// The four that textbooks compare, then bf16 and compensated ones.
std::span<const Accumulation> accumulationWays();

}  // namespace warpglass
