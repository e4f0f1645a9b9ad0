// Non-negative counts that stop at the largest int64 and never wrap: sizes typed by a person are multiplied
// with each other long before anyone can say that they are absurd.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace warpglass {

class Saturating {
public:
    static constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

    constexpr Saturating() = default;
    /// A negative size counts as none.
    constexpr Saturating(std::int64_t value) : m_value(value < 0 ? 0 : value) {}

    constexpr std::int64_t value() const { return m_value; }
    /// The true count may be larger than value().
    constexpr bool saturated() const { return m_value == kMax; }

    friend constexpr Saturating operator+(Saturating a, Saturating b) {
        return a.m_value > kMax - b.m_value ? Saturating(kMax) : Saturating(a.m_value + b.m_value);
    }
    friend constexpr Saturating operator*(Saturating a, Saturating b) {
        if (a.m_value != 0 && b.m_value > kMax / a.m_value)
            return Saturating(kMax);
        return Saturating(a.m_value * b.m_value);
    }
    /// Never below 0.
    friend constexpr Saturating operator-(Saturating a, Saturating b) {
        return a.m_value > b.m_value ? Saturating(a.m_value - b.m_value) : Saturating(0);
    }
    constexpr Saturating& operator+=(Saturating o) { return *this = *this + o; }
    constexpr auto operator<=>(const Saturating&) const = default;

private:
    std::int64_t m_value = 0;
};

}  // namespace warpglass
