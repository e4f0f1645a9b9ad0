// Index types that do not compare or convert across kinds: a NameId is never a TrackId by accident.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace warpglass {

template <class Tag>
struct StrongId {
    static constexpr std::uint32_t kNone = 0xffffffffu;

    std::uint32_t value = kNone;

    constexpr StrongId() = default;
    template <std::integral Integer>
    constexpr explicit StrongId(Integer v) : value(static_cast<std::uint32_t>(v)) {}

    constexpr bool valid() const { return value != kNone; }
    constexpr std::size_t index() const { return value; }
    constexpr auto operator<=>(const StrongId&) const = default;
};

}  // namespace warpglass

template <class Tag>
struct std::hash<warpglass::StrongId<Tag>> {
    std::size_t operator()(warpglass::StrongId<Tag> id) const noexcept {
        return std::hash<std::uint32_t>()(id.value);
    }
};
