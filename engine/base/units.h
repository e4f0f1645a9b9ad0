// Quantities with their unit in the type: a duration is never added to a size.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace warpglass {

/// Sums over what a run file from outside holds may wrap, never overflow: its numbers can be anything.
constexpr std::int64_t wrappingAdd(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

constexpr void addWrapping(std::int64_t& sum, std::int64_t part) {
    sum = wrappingAdd(sum, part);
}

/// The absolute value; the largest int64 for the smallest, whose own has no room in one.
constexpr std::int64_t saturatingAbs(std::int64_t number) {
    using Limits = std::numeric_limits<std::int64_t>;
    return number == Limits::min() ? Limits::max() : number < 0 ? -number : number;
}

/// Addition and subtraction wrap.
template <class Tag>
struct Quantity {
    std::int64_t value = 0;

    constexpr Quantity() = default;
    constexpr explicit Quantity(std::int64_t v) : value(v) {}

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity o) {
        value = wrappingAdd(value, o.value);
        return *this;
    }
    constexpr Quantity& operator-=(Quantity o) {
        *this += -o;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
    friend constexpr Quantity operator-(Quantity a) {
        return Quantity(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a.value)));
    }
    friend constexpr Quantity operator*(Quantity a, std::int64_t k) { return Quantity(a.value * k); }
    friend constexpr Quantity operator*(std::int64_t k, Quantity a) { return Quantity(a.value * k); }
};

/// A duration, or a point on a run's clock, in nanoseconds. A run's clock starts at 0 when recording starts.
using Nanoseconds = Quantity<struct NanosecondsTag>;

/// A size in bytes; signed, so that a difference is one too.
using Bytes = Quantity<struct BytesTag>;
/// `part` as a share of `whole`; 0 of nothing.
template <class Tag>
constexpr double shareOf(Quantity<Tag> part, Quantity<Tag> whole) {
    return whole.value > 0 ? static_cast<double>(part.value) / static_cast<double>(whole.value) : 0;
}

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
