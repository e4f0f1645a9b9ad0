#include "ui/memory/map_blocks.h"

#include <algorithm>
#include <cmath>

namespace warpglass::ui {

namespace {
/// Geometry of so many allocations takes a few ms: it is made at once.
constexpr std::int64_t kAtOnce = 60'000;
}  // namespace

MapBlocks::MapBlocks(RunDocument& document, const MapContent& content, const MapBytes& bytes,
                     std::function<MapViewport()> viewport)
    : m_document(document),
      m_content(content),
      m_bytes(bytes),
      m_viewport(std::move(viewport)),
      m_query([this] { return makeJob(); }) {}

void MapBlocks::clear() {
    m_geometry = {};
    m_map.reset();
}

std::vector<std::int64_t> MapBlocks::columnMoments(const MapViewport& view) const {
    std::vector<std::int64_t> moments;
    for (const MemoryColumn& column :
         m_document.memory().columns(view.time, static_cast<std::size_t>(view.width)))
        moments.push_back(column.peakTime.value);
    return moments;
}

DeferredQuery::Job MapBlocks::makeJob() {
    const MapViewport view = m_viewport();
    const bool byAddress = m_bytes.byAddress();
    std::vector<std::int64_t> moments;
    if (!byAddress)
        moments = columnMoments(view);
    const bool heavy = m_content.map->livingWithin(view.time).count > kAtOnce;
    return {[this, map = m_content.map, view, byAddress, moments = std::move(moments)] {
                MapGeometry geometry =
                    byAddress ? addressGeometry(*map, view) : stackGeometry(*map, view, moments);
                return [this, map, view, byAddress, geometry = std::move(geometry)]() mutable {
                    if (map == m_content.map) {
                        m_geometry = std::move(geometry);
                        m_map = map;
                        m_of = view;
                        m_byAddress = byAddress;
                    }
                    m_valid = map == m_content.map && view == m_viewport();
                    emit made();
                };
            },
            heavy};
}

void MapBlocks::ensure() {
    const MapViewport view = m_viewport();
    const bool byAddress = m_bytes.byAddress();
    if (m_valid && m_of == view && m_byAddress == byAddress)
        return;
    const AllocationMap* map = m_content.map.get();
    const bool asked = m_askedFor == view && m_askedByAddress == byAddress && m_askedOf == map;
    if (asked && !m_query.isIdle())
        return;
    m_askedFor = view;
    m_askedByAddress = byAddress;
    m_askedOf = map;
    m_query.invalidate(DeferredQuery::Cause::kPerson);
    if (map->livingWithin(view.time).count <= kAtOnce)
        m_query.runNow();
}

std::vector<QRectF> MapBlocks::rectsOf(std::size_t row) const {
    std::vector<QRectF> rects;
    for (const MapRect& rect : m_geometry.blocks) {
        if (rect.row == row && areOfMap())
            rects.push_back(rectOf(rect));
    }
    return rects;
}

MapBlocks::Hit MapBlocks::hitAt(QPointF at) const {
    Hit hit;
    if (!m_valid || !areOfMap() || at.x() < 0 || m_map->size() == 0)
        return hit;
    const auto x = static_cast<float>(at.x()), y = static_cast<float>(at.y());
    const auto holds = [&](const MapRect& rect) {
        return rect.left <= x && x < rect.right && rect.top <= y && y < rect.bottom;
    };
    const auto block = std::find_if(m_geometry.blocks.rbegin(), m_geometry.blocks.rend(), holds);
    if (block != m_geometry.blocks.rend()) {
        hit.row = block->row;
        return hit;
    }
    const auto merged = std::find_if(m_geometry.merged.begin(), m_geometry.merged.end(), holds);
    if (merged == m_geometry.merged.end())
        return hit;
    std::size_t last = 0;
    const auto take = [&](std::size_t row) {
        if (hit.merged.count++ == 0 || m_map->bytes(row) > m_map->bytes(hit.largest))
            hit.largest = row;
        hit.merged.bytes = wrappingAdd(hit.merged.bytes, m_map->bytes(row));
        last = row;
    };
    const MapViewport view = m_viewport();
    if (m_byAddress)
        takeCell(view, at, take);
    else
        takeStacked(view, at.x(), *merged, take);
    if (hit.merged.count == 1)
        hit.row = last;
    return hit;
}

/// What lives within the cell under the pointer.
void MapBlocks::takeCell(const MapViewport& view, QPointF at,
                         const std::function<void(std::size_t)>& take) const {
    const double nsPerPixel = static_cast<double>(view.time.duration().value) / view.width;
    const double column = std::floor(at.x() / kCell) * kCell;
    const double top = std::floor(at.y() / kCellHeight) * kCellHeight;
    const double low = view.bytesAt(top + kCellHeight), high = view.bytesAt(top);
    const std::int64_t from = view.time.begin.value + static_cast<std::int64_t>(column * nsPerPixel);
    const std::int64_t to = view.time.begin.value + static_cast<std::int64_t>((column + kCell) * nsPerPixel);
    const TimeRange within{Nanoseconds(from), Nanoseconds(std::max(to, from + 1))};
    m_map->forEachWithin(within, [&](std::uint32_t row) {
        const auto place = static_cast<double>(m_map->place(row));
        const auto bytes = static_cast<double>(m_map->bytes(row));
        if (place < high && place + bytes > low &&
            !view.isFolded(place, bytes, {Nanoseconds(m_map->begin(row)), Nanoseconds(m_map->end(row))}))
            take(row);
    });
}

/// What of the stack under the pointer is in those merged blocks.
void MapBlocks::takeStacked(const MapViewport& view, double x, const MapRect& merged,
                            const std::function<void(std::size_t)>& take) const {
    const auto moments = columnMoments(view);
    const auto column = std::min(moments.size() - 1, static_cast<std::size_t>(x));
    const TimeRange moment{Nanoseconds(moments[column]), Nanoseconds(moments[column] + 1)};
    const auto drawn = m_map->largestWithin(view.time, kMostBlocks);
    const double low = view.bytesAt(static_cast<double>(merged.bottom));
    const double high = view.bytesAt(static_cast<double>(merged.top));
    double height = 0;
    m_map->forEachWithin(moment, [&](std::uint32_t row) {
        const bool own = std::binary_search(drawn.begin(), drawn.end(), row);
        const auto bytes = static_cast<double>(m_map->bytes(row));
        const bool inside = height + bytes / 2 > low && height + bytes / 2 < high;
        if (merged.rest ? !own : own && inside)
            take(row);
        height += own ? bytes : 0;
    });
}

/// From the cursor on, or else from the left edge: what was born before is drawn too, and selecting it would
/// take the view to its birth. Where none is, the last one before. Precondition: at least one, ascending.
std::size_t MapBlocks::firstBornInView(const std::vector<std::uint32_t>& rows,
                                       std::optional<Nanoseconds> cursor) const {
    const TimeRange visible = m_viewport().time;
    const auto from = [&](Nanoseconds t) {
        return std::partition_point(rows.begin(), rows.end(),
                                    [&](std::uint32_t row) { return m_map->begin(row) < t.value; });
    };
    auto first = from(cursor && visible.contains(*cursor) ? *cursor : visible.begin);
    if (first == rows.end())
        first = from(visible.begin);
    return first == rows.end() ? rows.back() : *first;
}

std::optional<std::size_t> MapBlocks::neighbor(int key, std::optional<std::size_t> selected,
                                               std::optional<Nanoseconds> cursor) const {
    if (!areOfMap())
        return std::nullopt;  // the rows drawn are another map's
    std::vector<std::uint32_t> rows;
    for (const MapRect& rect : m_geometry.blocks)
        rows.push_back(rect.row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty())
        return std::nullopt;
    if (!selected)
        return firstBornInView(rows, cursor);
    const auto here = static_cast<std::uint32_t>(*selected);
    if (key == Qt::Key_Left) {
        const auto at = std::lower_bound(rows.begin(), rows.end(), here);
        return at == rows.begin() ? rows.front() : *(at - 1);
    }
    if (key == Qt::Key_Right) {
        const auto at = std::upper_bound(rows.begin(), rows.end(), here);
        return at == rows.end() ? rows.back() : *at;
    }
    const std::int64_t t = std::max(m_map->begin(here), m_viewport().time.begin.value);
    // Upwards; down, it is the same with its sign turned.
    const std::int64_t sign = key == Qt::Key_Up ? 1 : -1;
    const auto heightOf = [&](std::uint32_t row) {
        return sign * (m_byAddress ? m_map->place(row) : static_cast<std::int64_t>(row));
    };
    std::optional<std::uint32_t> best;
    for (const std::uint32_t row : rows) {
        const bool alive = m_map->begin(row) <= t && m_map->end(row) > t;
        if (alive && heightOf(row) > heightOf(here) && (!best || heightOf(row) < heightOf(*best)))
            best = row;
    }
    return best ? *best : selected;
}

}  // namespace warpglass::ui
