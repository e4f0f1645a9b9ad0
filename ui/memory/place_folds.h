// Regions of the address space in which nothing changes from the first step that counts to the last, such as
// those of weights: in the allocation map they are a thin band, and what changes has the height.
//
// Pure but for the painting; any thread.
#pragma once

#include <vector>

#include "engine/query/memory/allocation_map.h"

class QPainter;
class QRectF;

namespace warpglass::ui {

struct PlaceFold {
    /// Places (AllocationMap::place()).
    double from = 0, to = 0;
    Category category = Category::kUnknown;
    /// In which all of it lives.
    TimeRange lives;
    AllocationMap::Sum sum;
    bool operator==(const PlaceFold&) const = default;
};

/// By place: neighbouring allocations of one category that live all of `steps`, with nothing else between
/// them during these, where they are together at least a thirtieth of the address space. None without places.
/// O(n log n) in what lives so long.
std::vector<PlaceFold> constantFolds(const AllocationMap& map, TimeRange steps);

/// Logical pixels of a folded region: a line of text.
inline constexpr double kFoldHeight = 18;

/// The band with what it is: "weights 3.90 GiB, constant, folded". `plot`: the clip, for the text.
void paintFold(QPainter& painter, const QRectF& band, const QRectF& plot, const PlaceFold& fold);

}  // namespace warpglass::ui
