// One completed span of a trace: what a selection, a link or a finding points at.
#pragma once

#include <cstdint>

#include "engine/trace/ids.h"

namespace warpglass {

struct SpanRef {
    LaneId lane;
    std::uint64_t row = 0;
    bool operator==(const SpanRef&) const = default;
};

}  // namespace warpglass
