#include "ui/memory/allocation_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>

#include "engine/base/parallel.h"
#include "ui/memory/cell_grid.h"

namespace warpglass::ui {

double MapViewport::shownBytes(double bytes) const {
    double shown = bytes;
    for (const PlaceFold& fold : folds) {
        if (bytes <= fold.from)
            break;
        const double within = std::min(bytes, fold.to) - fold.from;
        shown -= within - within * foldBytes / (fold.to - fold.from);
    }
    return shown;
}

double MapViewport::bytesAt(double y) const {
    const double shown = shownBytes(high) - y * (shownBytes(high) - shownBytes(low)) / height;
    double saved = 0;
    for (const PlaceFold& fold : folds) {
        const double into = shown + saved - fold.from;
        if (into <= 0)
            break;
        if (into < foldBytes)
            return fold.from + into / foldBytes * (fold.to - fold.from);
        saved += fold.to - fold.from - foldBytes;
    }
    return shown + saved;
}

void MapViewport::fold(std::vector<PlaceFold> regions) {
    /// So much of the height is left to what changes.
    constexpr double kLeastOpen = 0.4;
    std::erase_if(regions, [](const PlaceFold& region) { return region.to <= region.from; });
    double open = high - low, count = 0;
    for (const PlaceFold& region : regions) {
        const double shown = std::max(0.0, std::min(high, region.to) - std::max(low, region.from));
        open -= shown;
        count += shown / (region.to - region.from);
    }
    folds.clear();
    const double left = height - count * kFoldHeight;
    if (open <= 0 || left < kLeastOpen * height)
        return;
    foldBytes = kFoldHeight * open / left;
    // One that would not be lower stays open.
    std::erase_if(regions, [&](const PlaceFold& region) { return region.to - region.from <= foldBytes; });
    folds = std::move(regions);
}

const PlaceFold* MapViewport::foldAt(double y) const {
    const double place = bytesAt(y);
    const auto fold = std::ranges::find_if(
        folds, [&](const PlaceFold& region) { return region.from <= place && place < region.to; });
    return fold == folds.end() ? nullptr : &*fold;
}

bool MapViewport::isFolded(double place, double bytes, TimeRange life) const {
    return std::ranges::any_of(folds, [&](const PlaceFold& fold) {
        return fold.from <= place && place + bytes <= fold.to && life.begin < fold.lives.end &&
               life.end > fold.lives.begin;
    });
}

namespace {

/// How high a block stands in a stack.
double stackedPixels(const AllocationMap& map, const MapViewport& viewport, std::uint32_t row) {
    return static_cast<double>(map.bytes(row)) * viewport.height / (viewport.high - viewport.low);
}

/// One column's stack, from the bottom, and those of the columns before that it may go on from.
class StackColumns {
public:
    StackColumns(const AllocationMap& map, const MapViewport& viewport, MapGeometry& geometry)
        : m_map(map), m_viewport(viewport), m_geometry(geometry) {}

    void begin(float left) {
        m_left = left;
        m_height = 0;
        m_column.clear();
    }
    void put(std::uint32_t row) {
        const auto bytes = static_cast<double>(m_map.bytes(row));
        const double pixels = stackedPixels(m_map, m_viewport, row);
        if (pixels >= kSmallest) {
            flush();
            addRect(m_height, m_height + bytes, row, m_map.category(row), false);
            m_height += bytes;
            return;
        }
        m_small[static_cast<std::size_t>(m_map.category(row))] += bytes;
        m_smallBytes += bytes;
        if (pixels * m_smallBytes / bytes >= kCell)
            flush();
    }
    void putRest(double bytes) {
        flush();
        if (bytes > 0)
            addRect(m_height, m_height + bytes, MapRect::kMerged, Category::kUnknown, true);
    }
    /// Goes on with what was there in the column before, and ends what is not there any more.
    void end(float right) {
        std::size_t before = 0;
        for (MapRect& rect : m_column) {
            rect.right = right;
            while (before < m_open.size() && m_open[before].bottom > rect.bottom + 0.01F)
                finish(m_open[before++]);
            if (before < m_open.size() && same(m_open[before], rect))
                rect.left = m_open[before++].left;
        }
        while (before < m_open.size())
            finish(m_open[before++]);
        std::swap(m_open, m_column);
    }
    /// The column is as the one before.
    void repeat(float right) {
        for (MapRect& rect : m_open)
            rect.right = right;
    }
    void close() {
        for (const MapRect& rect : m_open)
            finish(rect);
        m_open.clear();
    }

private:
    static bool same(const MapRect& a, const MapRect& b) {
        return a.row == b.row && a.category == b.category && a.rest == b.rest &&
               std::abs(a.bottom - b.bottom) <= 0.01F && std::abs(a.top - b.top) <= 0.01F;
    }
    void flush() {
        if (m_smallBytes <= 0)
            return;
        const auto most = std::ranges::max_element(m_small) - m_small.begin();
        addRect(m_height, m_height + m_smallBytes, MapRect::kMerged, static_cast<Category>(most), false);
        m_height += m_smallBytes;
        m_smallBytes = 0;
        m_small = {};
    }
    void addRect(double from, double to, std::uint32_t row, Category category, bool rest) {
        const double top = std::max(0.0, m_viewport.yOf(to));
        const double bottom = std::min(m_viewport.height, m_viewport.yOf(from));
        if (bottom <= top)
            return;
        m_column.push_back(
            {m_left, static_cast<float>(top), m_left, static_cast<float>(bottom), row, category, rest});
    }
    void finish(const MapRect& rect) {
        (rect.row == MapRect::kMerged ? m_geometry.merged : m_geometry.blocks).push_back(rect);
    }

    const AllocationMap& m_map;
    const MapViewport& m_viewport;
    MapGeometry& m_geometry;
    float m_left = 0;
    double m_height = 0;  // bytes below
    std::array<double, kCategoryCount> m_small{};
    double m_smallBytes = 0;
    std::vector<MapRect> m_column, m_open;
};

/// The rows alive, in order of birth, while time goes on.
class AliveList {
public:
    AliveList(const AllocationMap& map, const std::vector<std::uint32_t>& rows)
        : m_map(map), m_rows(rows), m_next(rows.size() + 1), m_previous(rows.size() + 1) {
        m_next[end()] = m_previous[end()] = end();
        m_byEnd.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            m_byEnd[i] = static_cast<std::uint32_t>(i);
        std::ranges::sort(m_byEnd, [&](std::uint32_t a, std::uint32_t b) {
            return map.end(rows[a]) != map.end(rows[b]) ? map.end(rows[a]) < map.end(rows[b]) : a < b;
        });
    }
    /// Whether anything changed. Precondition: t does not go back.
    bool advanceTo(std::int64_t t) {
        bool changed = false;
        for (; m_born < m_rows.size() && m_map.begin(m_rows[m_born]) <= t; ++m_born) {
            const auto i = static_cast<std::uint32_t>(m_born);
            m_previous[i] = m_previous[end()];
            m_next[i] = end();
            m_next[m_previous[i]] = i;
            m_previous[end()] = i;
            m_bytes += m_map.bytes(m_rows[i]);
            changed = true;
        }
        for (; m_ended < m_byEnd.size() && m_map.end(m_rows[m_byEnd[m_ended]]) <= t; ++m_ended) {
            const std::uint32_t i = m_byEnd[m_ended];
            m_next[m_previous[i]] = m_next[i];
            m_previous[m_next[i]] = m_previous[i];
            m_bytes -= m_map.bytes(m_rows[i]);
            changed = true;
        }
        return changed;
    }
    std::int64_t bytes() const { return m_bytes; }
    template <class Fn>
    void forEach(Fn&& fn) const {
        for (std::uint32_t i = m_next[end()]; i != end(); i = m_next[i])
            fn(m_rows[i]);
    }

private:
    std::uint32_t end() const { return static_cast<std::uint32_t>(m_rows.size()); }

    const AllocationMap& m_map;
    const std::vector<std::uint32_t>& m_rows;
    std::vector<std::uint32_t> m_next, m_previous;  // by number in m_rows; the last stands for both ends
    std::vector<std::uint32_t> m_byEnd;
    std::size_t m_born = 0, m_ended = 0;
    std::int64_t m_bytes = 0;
};

AllocationMap::Sum sumOfRows(const AllocationMap& map, const std::vector<std::uint32_t>& rows) {
    AllocationMap::Sum sum;
    for (const std::uint32_t row : rows)
        sum.bytes = wrappingAdd(sum.bytes, map.bytes(row));
    sum.count = static_cast<std::int64_t>(rows.size());
    return sum;
}

/// Those of `rows` that StackColumns draws one by one: high enough, and alive at a column's moment.
std::vector<std::uint32_t> stackedAlone(const AllocationMap& map, const MapViewport& viewport,
                                        const std::vector<std::uint32_t>& rows,
                                        const std::vector<std::int64_t>& moments) {
    std::vector<std::uint32_t> alone;
    for (const std::uint32_t row : rows) {
        const auto moment = std::lower_bound(moments.begin(), moments.end(), map.begin(row));
        if (moment != moments.end() && *moment < map.end(row) &&
            stackedPixels(map, viewport, row) >= kSmallest)
            alone.push_back(row);
    }
    return alone;
}

/// The largest of those given, in their order.
std::vector<std::uint32_t> largestOf(const AllocationMap& map, std::vector<std::uint32_t> rows,
                                     std::size_t most) {
    if (rows.size() <= most)
        return rows;
    std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                         return map.bytes(a) != map.bytes(b) ? map.bytes(a) > map.bytes(b) : a < b;
                     });
    rows.resize(most);
    std::ranges::sort(rows);
    return rows;
}

}  // namespace

namespace {

/// The blocks of some of the rows shown by address, and the cells of the others.
struct AddressPart {
    CellGrid cells;
    std::vector<MapRect> blocks;
    AllocationMap::Sum drawn;

    explicit AddressPart(const MapViewport& viewport) : cells(viewport.width, viewport.height) {}
    /// `largest`: those that may be drawn one by one, in order.
    void put(const AllocationMap& map, const MapViewport& viewport, std::span<const std::uint32_t> rows,
             const std::vector<std::uint32_t>& largest) {
        auto next =
            rows.empty() ? largest.end() : std::lower_bound(largest.begin(), largest.end(), rows.front());
        for (const std::uint32_t row : rows) {
            const auto place = static_cast<double>(map.place(row));
            if (viewport.isFolded(place, static_cast<double>(map.bytes(row)),
                                  {Nanoseconds(map.begin(row)), Nanoseconds(map.end(row))}))
                continue;
            const double left = std::max(0.0, viewport.xOf(map.begin(row)));
            const double right = std::min(viewport.width, viewport.xOf(map.end(row)));
            const double top = std::max(0.0, viewport.yOf(place + static_cast<double>(map.bytes(row))));
            const double bottom = std::min(viewport.height, viewport.yOf(place));
            while (next != largest.end() && *next < row)
                ++next;
            const bool own = next != largest.end() && *next == row;
            if (!own || right - left < kSmallest || bottom - top < kSmallest) {
                cells.add(left, top, right, bottom, map.category(row));
                continue;
            }
            drawn.bytes = wrappingAdd(drawn.bytes, map.bytes(row));
            ++drawn.count;
            blocks.push_back({static_cast<float>(left), static_cast<float>(top), static_cast<float>(right),
                              static_cast<float>(bottom), row, map.category(row), false});
        }
    }
};

/// From so many rows on, a few ms of work, parts of them are taken beside each other.
constexpr std::size_t kWorthThreads = 100'000;

std::vector<AddressPart> putTogether(const AllocationMap& map, const MapViewport& viewport,
                                     const std::vector<std::uint32_t>& shown,
                                     const std::vector<std::uint32_t>& largest) {
    const std::size_t count = threadsFor(shown.size() / kWorthThreads);
    std::vector<std::optional<AddressPart>> parts(count);
    std::vector<std::function<void()>> tasks;
    tasks.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = shown.size() * i / count, end = shown.size() * (i + 1) / count;
        tasks.push_back([&, i, rows = std::span(shown).subspan(begin, end - begin)] {
            parts[i].emplace(viewport).put(map, viewport, rows, largest);
        });
    }
    runTogether(tasks);
    std::vector<AddressPart> made;
    made.reserve(count);
    for (std::optional<AddressPart>& part : parts)
        made.push_back(std::move(*part));
    return made;
}

}  // namespace

MapGeometry addressGeometry(const AllocationMap& map, const MapViewport& viewport, std::size_t most) {
    MapGeometry geometry;
    if (viewport.time.begin >= viewport.time.end || viewport.width < 1 || viewport.height < 1 ||
        viewport.high <= viewport.low)
        return geometry;
    const AllocationMap::Sum living = map.livingWithin(viewport.time);
    std::vector<std::uint32_t> shown;
    shown.reserve(static_cast<std::size_t>(living.count));
    map.forEachWithin(viewport.time, [&](std::uint32_t row) {
        const auto place = static_cast<double>(map.place(row));
        if (place < viewport.high && place + static_cast<double>(map.bytes(row)) > viewport.low)
            shown.push_back(row);
    });
    // Where none lies beyond the edges the map knows the largest.
    const bool whole = living.count == static_cast<std::int64_t>(shown.size());
    const std::vector<std::uint32_t> largest =
        whole ? map.largestWithin(viewport.time, most) : largestOf(map, shown, most);
    geometry.all = whole ? living : sumOfRows(map, shown);
    std::vector<AddressPart> parts = putTogether(map, viewport, shown, largest);
    for (AddressPart& part : parts) {
        geometry.blocks.insert(geometry.blocks.end(), part.blocks.begin(), part.blocks.end());
        geometry.drawn.bytes = wrappingAdd(geometry.drawn.bytes, part.drawn.bytes);
        geometry.drawn.count += part.drawn.count;
        if (&part != &parts.front())
            parts.front().cells.add(part.cells);
    }
    parts.front().cells.collect(geometry.merged);
    return geometry;
}

MapGeometry stackGeometry(const AllocationMap& map, const MapViewport& viewport,
                          const std::vector<std::int64_t>& moments, std::size_t most) {
    MapGeometry geometry;
    if (viewport.time.begin >= viewport.time.end || moments.empty() || viewport.height < 1 ||
        viewport.high <= viewport.low)
        return geometry;
    const std::vector<std::uint32_t> rows = map.largestWithin(viewport.time, most);
    geometry.all = map.livingWithin(viewport.time);
    geometry.drawn = sumOfRows(map, stackedAlone(map, viewport, rows, moments));
    const bool whole = geometry.all == sumOfRows(map, rows);
    AliveList alive(map, rows);
    StackColumns columns(map, viewport, geometry);
    const double width = viewport.width / static_cast<double>(moments.size());
    std::int64_t restBefore = -1;
    for (std::size_t i = 0; i < moments.size(); ++i) {
        const bool changed = alive.advanceTo(moments[i]);
        const std::int64_t rest = whole ? 0 : map.bytesAt(moments[i]) - alive.bytes();
        const auto right = static_cast<float>(static_cast<double>(i + 1) * width);
        if (i > 0 && !changed && rest == restBefore) {
            columns.repeat(right);
            continue;
        }
        restBefore = rest;
        columns.begin(static_cast<float>(static_cast<double>(i) * width));
        alive.forEach([&](std::uint32_t row) { columns.put(row); });
        columns.putRest(static_cast<double>(rest));
        columns.end(right);
    }
    columns.close();
    return geometry;
}

}  // namespace warpglass::ui
