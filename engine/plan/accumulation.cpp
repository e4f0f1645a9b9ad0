#include "engine/plan/accumulation.h"

#include <array>
#include <cmath>

namespace warpglass {

std::string_view numberFormatName(NumberFormat format) {
    constexpr std::array<std::string_view, 3> kNames = {"fp32", "fp16", "bf16"};
    return kNames[static_cast<std::size_t>(format)];
}

int fractionBits(NumberFormat format) {
    constexpr std::array kBits = {23, 10, 7};
    return kBits[static_cast<std::size_t>(format)];
}

double spacingAt(NumberFormat format, double x) {
    int exponent = 0;
    std::frexp(x, &exponent);  // x = m · 2^exponent with 0.5 <= |m| < 1
    return std::ldexp(1.0, exponent - 1 - fractionBits(format));
}

std::string accumulationWords(const Accumulation& way) {
    std::string words =
        std::string(numberFormatName(way.sum)) + " += " + std::string(numberFormatName(way.term));
    if (way.castFirst)
        words += ", cast to " + std::string(numberFormatName(way.sum)) + " first";
    if (way.compensated)
        words += ", Kahan's sum";
    return words;
}

std::span<const Accumulation> accumulationWays() {
    using enum NumberFormat;
    static constexpr std::array<Accumulation, 9> kWays = {{
        {.sum = kFp32, .term = kFp32},
        {.sum = kFp16, .term = kFp16},
        {.sum = kFp32, .term = kFp16},
        {.sum = kFp32, .term = kFp16, .castFirst = true},
        {.sum = kBf16, .term = kBf16},
        {.sum = kFp32, .term = kBf16},
        {.sum = kFp32, .term = kFp32, .compensated = true},
        {.sum = kFp16, .term = kFp16, .compensated = true},
        {.sum = kBf16, .term = kBf16, .compensated = true},
    }};
    return kWays;
}

}  // namespace warpglass
