// Series of a chart that are two choices each: "flash, bf16" and "naive, bf16" share the second. What a chart
// may then tell apart by color and by the kind of line. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/tables/chart.h"

namespace warpglass {

struct SeriesChoices {
    /// In the order in which they first occur.
    std::vector<std::string> first, second;
    struct Pair {
        std::size_t first = 0, second = 0;
    };
    /// By series; of one that belongs to another, that one's.
    std::vector<Pair> of;
};

/// A series without points yet, named "FIRST, SECOND".
ChartSeries seriesOf(std::string first, std::string second);

/// Nothing unless every series that stands for itself is of two choices, some share the first, and there are
/// two second ones.
std::optional<SeriesChoices> seriesChoices(const Chart& chart);

}  // namespace warpglass
