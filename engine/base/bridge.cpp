#include "engine/base/bridge.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/base/format.h"
#include "engine/base/units.h"

namespace warpglass {
namespace {

/// Over 100 days, or 9 PB.
constexpr std::int64_t kMost = std::int64_t{1} << 53;

}  // namespace

std::vector<Bridge::Part> Bridge::shownParts(std::size_t most) const {
    std::vector<Part> shown = parts;
    std::erase_if(shown, [](const Part& part) { return part.difference() == 0; });
    std::ranges::stable_sort(shown, [](const Part& x, const Part& y) {
        return std::abs(x.difference()) > std::abs(y.difference());
    });
    if (shown.size() <= most || most == 0)
        return shown;
    Part others{"others", 0, 0};
    for (std::size_t i = most - 1; i < shown.size(); ++i) {
        others.a += shown[i].a;
        others.b += shown[i].b;
    }
    shown.resize(most - 1);
    shown.push_back(std::move(others));
    return shown;
}

std::string Bridge::figure(std::int64_t value) const {
    return bytes ? formatBytes(Bytes(value)) : formatDuration(Nanoseconds(value));
}

std::string Bridge::signedFigure(std::int64_t value) const {
    return (value < 0 ? "−" : "+") + figure(std::abs(value));
}

std::string Bridge::text() const {
    std::string text = figure(a);
    for (const Part& part : shownParts())
        text += " → " + part.name + " " + signedFigure(part.difference());
    return text + " → " + figure(b);
}

std::optional<Bridge> finishedBridge(Bridge bridge, const std::string& rest) {
    const auto isTooLarge = [](const auto& part) {
        return saturatingAbs(part.a) > kMost || saturatingAbs(part.b) > kMost;
    };
    if (isTooLarge(bridge) || std::ranges::any_of(bridge.parts, isTooLarge))
        return std::nullopt;
    std::erase_if(bridge.parts, [](const auto& part) { return part.a == 0 && part.b == 0; });
    std::ranges::stable_sort(bridge.parts, [](const auto& x, const auto& y) {
        return std::abs(x.difference()) > std::abs(y.difference());
    });
    Bridge::Part left{rest, bridge.a, bridge.b};
    for (const Bridge::Part& part : bridge.parts) {
        left.a -= part.a;
        left.b -= part.b;
    }
    if (left.a != 0 || left.b != 0)
        bridge.parts.push_back(std::move(left));
    return bridge;
}

}  // namespace warpglass
