// How free pieces of a reserved segment look wherever they are drawn: holes between blocks are densely
// hatched, segments that nothing is in are hatched as all free memory is, with an outline.
#pragma once

#include <vector>

#include "engine/query/memory/free_memory.h"
#include "ui/theme/legend.h"

namespace warpglass::ui {

class FreeLook {
public:
    static void paint(QPainter& painter, const QRectF& rect, bool whole);
    /// "121 × 1.50 MiB".
    static QString nameOf(const FreeMemory& free, const FreeGroup& group);
    /// "121 holes of 1.50 MiB, 182 MiB together, most of them beside activations of blocks.*.ffn."
    static QString wordsOf(const FreeMemory& free, const FreeGroup& group);
    /// What both are, for a legend.
    static std::vector<LegendEntry> legend();
};

}  // namespace warpglass::ui
