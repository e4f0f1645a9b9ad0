// The ranges open on the run's thread, by name, for whoever has to say at once what an allocation is for; a
// recording works it out afterwards and needs none of this.
#pragma once

#include <cstdint>
#include <vector>

namespace warpglass {

enum class RangeKind : unsigned char { kStep, kPhase, kModule, kPart, kCapture };

/// "step", "phase" …
const char* rangeKindWord(RangeKind kind);

struct OpenRange {
    RangeKind kind;
    std::uint32_t name;  // NameRegistry's
};

/// Any thread; ranges open and close on one at a time, in nesting order.
class OpenRanges {
public:
    /// Counted: kept until everyone who asked for it has given it up. Before and after, nothing is.
    static void keep(bool wanted);
    /// Cheap: a load.
    static bool areKept();

    static void open(OpenRange range);
    static void close();
    /// The outermost first.
    static std::vector<OpenRange> now();
};

}  // namespace warpglass
