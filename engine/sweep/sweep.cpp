#include "engine/sweep/sweep.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpglass {
namespace {

/// By CellState.
constexpr std::array<std::string_view, 6> kStateNames = {"waiting",       "running", "ok",
                                                         "out-of-memory", "failed",  "skipped"};

}  // namespace

std::string_view cellStateName(CellState state) {
    return kStateNames.at(static_cast<std::size_t>(state));
}

std::optional<CellState> cellStateOfName(std::string_view name) {
    const auto* found = std::ranges::find(kStateNames, name);
    if (found == kStateNames.end())
        return std::nullopt;
    return static_cast<CellState>(found - kStateNames.begin());
}

SweepCell SweepCell::waitingAgain() const {
    SweepCell waiting;
    waiting.index = index;
    waiting.values = values;
    waiting.repeat = repeat;
    return waiting;
}

std::size_t Sweep::count(CellState state) const {
    return static_cast<std::size_t>(std::ranges::count(cells, state, &SweepCell::state));
}

}  // namespace warpglass
