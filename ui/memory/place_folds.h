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
    /// Bytes between its allocations: free, or of others.
    double between() const { return to - from - static_cast<double>(sum.bytes); }
    bool operator==(const PlaceFold&) const = default;
};

/// By place: neighboring allocations of one category that live all of `steps`, where they are together at
/// least a thirtieth of the address space. What else there is between them, a segment here and there and at
/// most kMostBetween of all, is folded with them. None without places. O(k log
/// n) for k that live as the steps begin.
std::vector<PlaceFold> constantFolds(const AllocationMap& map, TimeRange steps);

inline constexpr double kMostBetween = 0.15;

/// Logical pixels of a folded region: a line of text.
inline constexpr double kFoldHeight = 20;

/// The band with what it is: "weights · 3.90 GiB, constant: folded". `plot`: the clip, for the text.
void paintFold(QPainter& painter, const QRectF& band, const QRectF& plot, const PlaceFold& fold);

}  // namespace warpglass::ui
