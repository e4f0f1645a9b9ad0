// A span by its ends, for runs that a test writes by hand.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/trace/trace_writer.h"

namespace warpglass::test {

/// From `begin` to `end` (ns) with none nested in it: its self time is its duration. `rest` has what else is
/// known of it: `{.step = 0, .link = 7}`.
inline SpanRow spanBetween(TraceWriter& writer, std::int64_t begin, std::int64_t end, std::string_view name,
                           SpanRow rest = {}) {
    rest.start = begin;
    rest.duration = rest.self = end - begin;
    rest.name = writer.internName(name);
    return rest;
}

}  // namespace warpglass::test
