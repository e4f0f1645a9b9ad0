#include "ui/timeline/timeline_geometry.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <system_error>
#include <thread>

namespace warpglass::ui {

namespace {

/// Below this many spans in the lanes to build, starting threads (some 20 µs each) saves little.
constexpr std::uint64_t kSpansWorthThreads = 500'000;

}  // namespace

void TimelineGeometry::clear() {
    m_snapshot.reset();
    m_rows.clear();
    m_caches.clear();
    for (GeometryBuilder& builder : m_builders)
        builder.forget();
}

void TimelineGeometry::update(std::shared_ptr<const Snapshot> snapshot, const std::vector<TimelineRow>& rows,
                              TimeRange visible, int width) {
    if (!m_snapshot || !(m_map == ColumnMap::Key{visible, width})) {
        m_map = ColumnMap(visible, width);
        for (RowCache& cache : m_caches)
            cache.built = false;
    }
    if (rows != m_rows) {
        // Rows move when a lane appears; each keeps its rectangles.
        std::vector<RowCache> caches(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t old = 0; old < m_rows.size(); ++old) {
                if (m_rows[old].lane == rows[i].lane)
                    caches[i] = std::move(m_caches[old]);
            }
        }
        m_caches = std::move(caches);
        m_rows = rows;
    }
    if (snapshot == m_snapshot)
        return;
    m_snapshot = std::move(snapshot);
    const std::vector<OpenSpan>& open = m_snapshot->openSpans();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        RowCache& cache = m_caches[i];
        const LaneId lane = m_rows[i].lane;
        const bool grown = !cache.sealed && m_snapshot->lane(lane).rows() != cache.laneRows;
        const bool isOpen =
            std::any_of(open.begin(), open.end(), [&](const OpenSpan& span) { return span.lane == lane; });
        if (grown || isOpen || cache.hadOpenSpans)
            cache.built = false;
        cache.hadOpenSpans = isOpen;
    }
}

void TimelineGeometry::buildRow(std::size_t row, GeometryBuilder& builder) {
    RowCache& cache = m_caches[row];
    const SpanLane lane = m_snapshot->lane(m_rows[row].lane);
    cache.sealed = builder.buildLane(*m_snapshot, lane, m_rows[row].kind, m_map, cache.rects);
    cache.laneRows = lane.rows();
    cache.built = true;
}

void TimelineGeometry::build(std::size_t first, std::size_t last) {
    std::vector<std::size_t> missing;
    std::uint64_t spans = 0;
    for (std::size_t row = first; row < std::min(last, m_rows.size()); ++row) {
        if (!m_caches[row].built) {
            missing.push_back(row);
            spans += m_snapshot->lane(m_rows[row].lane).rows();
        }
    }
    m_builds += missing.size();

    std::atomic<std::size_t> next{0};
    const auto work = [&](GeometryBuilder& builder) {
        for (std::size_t i = next++; i < missing.size(); i = next++)
            buildRow(missing[i], builder);
    };
    std::size_t threads = 1;
    if (spans >= kSpansWorthThreads)
        threads = std::min(
            {kWorkers, missing.size(), std::size_t{std::max(1u, std::thread::hardware_concurrency())}});
    std::vector<std::jthread> helpers;  // joined when they go out of scope
    try {
        while (helpers.size() + 1 < threads)
            helpers.emplace_back(work, std::ref(m_builders[helpers.size() + 1]));
    } catch (const std::system_error&) {
        // No more threads to be had: those that there are do the work.
    }
    work(m_builders[0]);
}

const std::vector<TimelineRect>& TimelineGeometry::rects(std::size_t row) {
    build(row, row + 1);
    return m_caches[row].rects;
}

const TimelineRect* TimelineGeometry::rectAt(std::size_t row, int column, int reach) {
    const std::vector<TimelineRect>& all = rects(row);
    // x0 never decreases and rectangles share one column at most, so the last one that begins at or before
    // the column is it, or the one before, or the one after is nearest.
    const auto after = std::upper_bound(all.begin(), all.end(), column,
                                        [](int value, const TimelineRect& rect) { return value < rect.x0; });
    const TimelineRect* best = nullptr;
    int bestDistance = reach + 1;
    const auto index = after - all.begin();
    for (auto i = std::min<std::ptrdiff_t>(index, std::ssize(all) - 1);
         i >= std::max<std::ptrdiff_t>(0, index - 2); --i) {
        const TimelineRect& rect = all[static_cast<std::size_t>(i)];
        const int distance = column < rect.x0 ? rect.x0 - column : std::max(0, column - rect.x1 + 1);
        if (distance < bestDistance) {
            best = &rect;
            bestDistance = distance;
        }
    }
    return best;
}

}  // namespace warpglass::ui
