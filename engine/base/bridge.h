// The way from one figure to another: what each part adds or takes away.
//
// Whole nanoseconds and bytes, so that parts add up to the difference exactly. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpglass {

struct Bridge {
    struct Part {
        std::string name;
        std::int64_t a = 0, b = 0;
        std::int64_t difference() const { return b - a; }
    };
    bool bytes = false;  // else nanoseconds
    std::int64_t a = 0, b = 0;
    /// The largest difference first; last what the others leave of both figures, which may be less than 0.
    std::vector<Part> parts;

    /// As many as people read in a line: the largest, and what is left as "others".
    std::vector<Part> shownParts(std::size_t most = 6) const;
    /// "46.4 ms", "−32.4 ms", "+1.20 GiB".
    std::string figure(std::int64_t value) const;
    std::string signedFigure(std::int64_t value) const;
    /// "46.4 ms → matmul −32.4 ms → idle and host +20.1 ms → … → 35.3 ms".
    std::string text() const;
};

/// In order, and after the parts what they leave of both figures, as `rest`. Nothing where a figure is larger
/// than 2⁵³, which only a damaged file has: sums and differences of smaller ones are exact.
std::optional<Bridge> finishedBridge(Bridge bridge, const std::string& rest);

}  // namespace warpglass
