#include "ui/memory/cell_grid.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace warpglass::ui {

CellGrid::CellGrid(double width, double height)
    : m_columns(static_cast<std::size_t>(std::ceil(width / kCell))),
      m_rows(static_cast<std::size_t>(std::ceil(height / kCellHeight))),
      m_filled(m_rows * (m_columns + 2)) {}

void CellGrid::add(double left, double top, double right, double bottom, Category category) {
    left = std::clamp(left / kCell, 0.0, static_cast<double>(m_columns));
    right = std::clamp(right / kCell, 0.0, static_cast<double>(m_columns));
    top = std::clamp(top / kCellHeight, 0.0, static_cast<double>(m_rows));
    bottom = std::clamp(bottom / kCellHeight, 0.0, static_cast<double>(m_rows));
    if (right <= left || bottom <= top)
        return;
    const auto first = static_cast<std::size_t>(left), last = static_cast<std::size_t>(right);
    const auto c = static_cast<std::size_t>(category);
    const auto lastRow = std::min(static_cast<std::size_t>(bottom), m_rows - 1);
    for (auto row = static_cast<std::size_t>(top); row <= lastRow; ++row) {
        const double from = std::max(top, static_cast<double>(row)) - static_cast<double>(row);
        const double to = std::min(bottom - static_cast<double>(row), 1.0);
        const auto put = [&](std::size_t column, double share) {
            Filled& filled = m_filled[column * m_rows + row][c];
            filled.share += static_cast<float>(share * (to - from));
            filled.moment += static_cast<float>(share * (to - from) * (from + to) / 2);
        };
        if (first == last) {
            put(first, right - left);
            put(first + 1, left - right);
            continue;
        }
        const double head = static_cast<double>(first + 1) - left, tail = right - static_cast<double>(last);
        put(first, head);
        put(first + 1, 1 - head);
        put(last, tail - 1);
        put(last + 1, -tail);
    }
}

void CellGrid::add(const CellGrid& other) {
    for (std::size_t i = 0; i < m_filled.size(); ++i) {
        for (std::size_t c = 0; c < kCategoryCount; ++c) {
            m_filled[i][c].share += other.m_filled[i][c].share;
            m_filled[i][c].moment += other.m_filled[i][c].moment;
        }
    }
}

void CellGrid::collect(std::vector<MapRect>& rects) const {
    std::vector<Run> rows(m_rows);
    for (std::size_t column = 0; column < m_columns; ++column) {
        for (std::size_t row = 0; row < m_rows; ++row)
            advance(rows[row], m_filled[column * m_rows + row], column, row);
    }
    for (std::size_t row = 0; row < m_rows; ++row) {
        end(rows[row], m_columns, row);
        rects.insert(rects.end(), rows[row].done.begin(), rows[row].done.end());
    }
}

/// Shares by largest remainders. What fills below 1% of a cell is not seen. `turned`: every other row has the
/// opposite order, so that strips of a color meet.
CellGrid::Strips CellGrid::stripsOf(const Cell& cell, bool turned) {
    constexpr float kSeen = 0.01F;
    struct Part {
        std::uint8_t category = kNothing;
        float share = 0, middle = 0;
        std::size_t strips = 0;
        float remainder() const { return share * kStrips - static_cast<float>(strips); }
        int third() const { return std::clamp(static_cast<int>(middle * 3), 0, 2); }
    };
    std::array<Part, kCategoryCount + 1> parts;
    std::size_t count = 1, taken = 0;
    float all = 0, moment = 0;
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        if (cell[c].share < kSeen / kCategoryCount)
            continue;
        all += cell[c].share;
        moment += cell[c].moment;
        parts[count++] = {static_cast<std::uint8_t>(c), cell[c].share, cell[c].moment / cell[c].share};
    }
    if (all < kSeen)
        return kFree;
    parts[0].share = std::max(0.0F, 1 - all);
    parts[0].middle = (0.5F - moment) / std::max(0.001F, parts[0].share);
    const auto used = std::span(parts).first(count);
    for (Part& part : used)
        taken += part.strips = std::min(kStrips - taken, static_cast<std::size_t>(part.share * kStrips));
    for (; taken < kStrips; ++taken)
        ++std::ranges::max_element(used, {}, &Part::remainder)->strips;
    if (parts[0].strips == kStrips) {  // what is there is seen
        --parts[0].strips;
        ++std::ranges::max_element(used.subspan(1), {}, &Part::share)->strips;
    }
    std::ranges::sort(used, [turned](const Part& a, const Part& b) {
        return a.third() != b.third() ? a.third() < b.third() : (a.category > b.category) != turned;
    });
    Strips strips{};
    auto at = strips.begin();
    for (const Part& part : used)
        at = std::fill_n(at, part.strips, part.category);
    return strips;
}

void CellGrid::advance(Run& run, const Cell& change, std::size_t column, std::size_t row) {
    bool changed = false;
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        changed = changed || change[c].share != 0 || change[c].moment != 0;
        run.sum[c].share += change[c].share;
        run.sum[c].moment += change[c].moment;
    }
    if (!changed)
        return;
    const Strips strips = stripsOf(run.sum, row % 2 == 1);
    if (strips == run.strips)
        return;
    end(run, column, row);
    run.strips = strips;
    run.from = column;
}

/// Neighboring strips of one category are one rectangle.
void CellGrid::end(Run& run, std::size_t column, std::size_t row) {
    for (std::size_t i = 0, next = 0; i < kStrips; i = next) {
        for (next = i + 1; next < kStrips && run.strips[next] == run.strips[i];)
            ++next;
        const double top = static_cast<double>(row) * kCellHeight;
        if (run.strips[i] != kNothing && column > run.from)
            run.done.push_back({static_cast<float>(static_cast<double>(run.from) * kCell),
                                static_cast<float>(top + static_cast<double>(i) * kStrip),
                                static_cast<float>(static_cast<double>(column) * kCell),
                                static_cast<float>(top + static_cast<double>(next) * kStrip),
                                MapRect::kMerged, static_cast<Category>(run.strips[i]), false});
    }
}

}  // namespace warpglass::ui
