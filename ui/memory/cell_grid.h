// The cells of an allocation map by address that allocations too small to be drawn share: each is split into
// strips, as many of each category as its share of the cell, about where its bytes lie. No color is mixed.
//
// Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ui/memory/allocation_geometry.h"

namespace warpglass::ui {

/// A rectangle costs eight additions a row of cells: rows hold differences from cell to cell until they are
/// read. Column after column in memory, as blocks are born.
class CellGrid {
public:
    /// Pixels.
    CellGrid(double width, double height);

    void add(double left, double top, double right, double bottom, Category category);
    /// Precondition: of the same size.
    void add(const CellGrid& other);
    /// Runs of cells that look the same, row by row; each category's strips are rectangles.
    void collect(std::vector<MapRect>& rects) const;

private:
    /// The share of a cell that is filled, and that times where it lies (0 at the top, 1 at the bottom).
    struct Filled {
        float share = 0, moment = 0;
    };
    using Cell = std::array<Filled, kCategoryCount>;
    /// The category of each strip, from the top; kNothing where it is free.
    static constexpr std::uint8_t kNothing = 0xff;
    using Strips = std::array<std::uint8_t, kStrips>;
    static constexpr Strips kFree = {kNothing, kNothing, kNothing, kNothing};
    /// A row while it is read.
    struct Run {
        Cell sum{};
        Strips strips = kFree;
        std::size_t from = 0;
        std::vector<MapRect> done;
    };

    static Strips stripsOf(const Cell& cell, bool turned);
    static void advance(Run& run, const Cell& change, std::size_t column, std::size_t row);
    static void end(Run& run, std::size_t column, std::size_t row);

    std::size_t m_columns, m_rows;
    std::vector<Cell> m_filled;
};

}  // namespace warpglass::ui
