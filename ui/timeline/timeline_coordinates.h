// Time ↔ pixel, as pure functions. x = 0 is the left edge of the plot (right of the labels); pixels are
// whatever unit `width` is in.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/base/units.h"

namespace warpglass::ui {

/// Where t lies; outside [0, width] for times outside the range. 0 for an empty range.
inline double timeToPixel(Nanoseconds t, TimeRange visible, double width) {
    const auto duration = static_cast<double>(visible.duration().value);
    // The difference is taken in integers: a double holds it exactly up to 104 days.
    return duration > 0 ? static_cast<double>((t - visible.begin).value) * width / duration : 0.0;
}

/// The moment at x, rounded to a nanosecond; outside the range for x outside [0, width]. The range's begin
/// when width <= 0. Within one nanosecond, timeToPixel undoes it.
inline Nanoseconds pixelToTime(double x, TimeRange visible, double width) {
    if (width <= 0)
        return visible.begin;
    return visible.begin +
           Nanoseconds(std::llround(x * static_cast<double>(visible.duration().value) / width));
}

/// How long `pixels` are. 0 when width <= 0.
inline Nanoseconds pixelsToDuration(double pixels, TimeRange visible, double width) {
    return pixelToTime(pixels, visible, width) - visible.begin;
}

/// Exact pixel columns of a visible range: column c stands for the times [c, c + 1) · duration / width after
/// its begin, as real numbers. A span covers the columns that it overlaps, an empty one the column of its
/// start. Doubles give a first guess and integer tables correct it, so that geometry is exact at every zoom
/// without a division a span. Any times may be asked for: nothing overflows.
class ColumnMap {
public:
    ColumnMap() = default;
    /// A width below 1 counts as 1, an empty range as 1 ns.
    ColumnMap(TimeRange visible, int width)
        : m_range{visible.begin, std::max(visible.end, visible.begin + Nanoseconds(1))},
          m_width(std::max(width, 1)) {
        const std::int64_t duration = m_range.duration().value;
        m_scale = static_cast<double>(m_width) / static_cast<double>(duration);
        m_floor.resize(static_cast<std::size_t>(m_width) + 1);
        m_ceil.resize(m_floor.size());
        // c · duration / width in parts, so that it can't overflow.
        const std::int64_t whole = duration / m_width, rest = duration % m_width;
        for (int c = 0; c <= m_width; ++c) {
            const auto i = static_cast<std::size_t>(c);
            m_floor[i] = whole * c + rest * c / m_width;
            m_ceil[i] = m_floor[i] + (rest * c % m_width != 0);
        }
    }

    TimeRange range() const { return m_range; }
    int width() const { return m_width; }
    double nanosecondsPerColumn() const { return 1.0 / m_scale; }

    /// The column that holds t, in [0, width - 1]; times outside the range go to the nearest column.
    int columnOf(std::int64_t t) const {
        if (t <= m_range.begin.value)
            return 0;
        if (t >= m_range.end.value)
            return m_width - 1;
        const std::int64_t d = t - m_range.begin.value;
        int c = std::min(static_cast<int>(static_cast<double>(d) * m_scale), m_width - 1);
        while (c + 1 < m_width && m_ceil[static_cast<std::size_t>(c) + 1] <= d)
            ++c;
        while (m_ceil[static_cast<std::size_t>(c)] > d)
            --c;
        return c;
    }

    /// The first column wholly at or after t, in [0, width]: where a span ending at t ends.
    int endColumnOf(std::int64_t t) const {
        if (t <= m_range.begin.value)
            return 0;
        if (t >= m_range.end.value)
            return m_width;
        const std::int64_t d = t - m_range.begin.value;
        int c = std::min(static_cast<int>(static_cast<double>(d) * m_scale), m_width);
        while (m_floor[static_cast<std::size_t>(c)] < d)
            ++c;
        while (c > 0 && m_floor[static_cast<std::size_t>(c) - 1] >= d)
            --c;
        return c;
    }

    /// A span covers no column from `column` on exactly when its end is at or below endLimit and its start
    /// below startLimit (the two differ where a column's edge is not a whole nanosecond).
    std::int64_t endLimit(int column) const {
        return m_range.begin.value + m_floor[static_cast<std::size_t>(std::min(column, m_width))];
    }
    std::int64_t startLimit(int column) const {
        return m_range.begin.value + m_ceil[static_cast<std::size_t>(std::min(column, m_width))];
    }

    /// What a map is made from.
    struct Key {
        TimeRange visible;
        int width = 0;
    };
    bool operator==(const Key& key) const { return m_range == key.visible && m_width == key.width; }

private:
    TimeRange m_range{Nanoseconds(0), Nanoseconds(1)};
    int m_width = 1;
    double m_scale = 1;
    std::vector<std::int64_t> m_floor{0, 1};  // ⌊c · duration / width⌋
    std::vector<std::int64_t> m_ceil{0, 1};
};

}  // namespace warpglass::ui
