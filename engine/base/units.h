// Quantities with their unit in the type: a duration is never added to a size.
#pragma once

#include <compare>
#include <cstdint>

namespace warpglass {

template <class Tag>
struct Quantity {
    std::int64_t value = 0;

    constexpr Quantity() = default;
    constexpr explicit Quantity(std::int64_t v) : value(v) {}

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity o) {
        value += o.value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity o) {
        value -= o.value;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
    friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.value); }
    friend constexpr Quantity operator*(Quantity a, std::int64_t k) { return Quantity(a.value * k); }
    friend constexpr Quantity operator*(std::int64_t k, Quantity a) { return Quantity(a.value * k); }
};

/// A duration, or a point on a run's clock, in nanoseconds. A run's clock starts at 0 when recording starts.
using Nanoseconds = Quantity<struct NanosecondsTag>;

/// A size in bytes; signed, so that a difference is one too.
using Bytes = Quantity<struct BytesTag>;

/// Floating-point operations; a multiply-add counts as two.
using Flops = Quantity<struct FlopsTag>;

/// A closed-open interval [begin, end) on a run's clock.
struct TimeRange {
    Nanoseconds begin;
    Nanoseconds end;

    constexpr Nanoseconds duration() const { return end - begin; }
    constexpr bool contains(Nanoseconds t) const { return begin <= t && t < end; }
    constexpr bool overlaps(TimeRange o) const { return begin < o.end && o.begin < end; }
    constexpr bool operator==(const TimeRange&) const = default;
};

}  // namespace warpglass
