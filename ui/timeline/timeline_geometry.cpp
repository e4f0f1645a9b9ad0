#include "ui/timeline/timeline_geometry.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

namespace warpglass::ui {

namespace {

/// Below this many spans in the lanes to build, starting threads (some 20 µs each) saves little.
constexpr std::uint64_t kSpansWorthThreads = 500'000;

}  // namespace

void TimelineGeometry::clear() {
    m_snapshot.reset();
    m_rows.clear();
    m_caches.clear();
    m_gpuTimes.reset();
    m_hostTimes.reset();
    for (GeometryBuilder& builder : m_builders)
        builder.forget();
}

void TimelineGeometry::update(std::shared_ptr<const Snapshot> snapshot, const std::vector<TimelineRow>& rows,
                              TimeRange visible, int width, double scale) {
    if (!m_snapshot || !(m_map == ColumnMap::Key{visible, width}) || scale != m_scale) {
        m_map = ColumnMap(visible, width);
        m_logical =
            scale == 1 ? m_map : ColumnMap(visible, static_cast<int>(std::lround(m_map.width() / scale)));
        m_scale = scale;
        for (RowCache& cache : m_caches)
            cache.built = false;
    }
    if (rows != m_rows) {
        // Rows move when a lane appears; each keeps its rectangles.
        std::vector<RowCache> caches(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t old = 0; old < m_rows.size(); ++old) {
                if (m_rows[old].lane == rows[i].lane && m_rows[old].gpu == rows[i].gpu &&
                    m_rows[old].strip == rows[i].strip)
                    caches[i] = std::move(m_caches[old]);
            }
        }
        m_caches = std::move(caches);
        m_rows = rows;
    }
    if (snapshot == m_snapshot)
        return;
    m_snapshot = std::move(snapshot);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        RowCache& cache = m_caches[i];
        if (m_rows[i].gpu)
            continue;  // grows with what is known of it
        const bool grown = !cache.sealed && spansOf(m_rows[i]) != cache.spans;
        const bool isOpen = hasOpenSpan(m_rows[i]);
        if (grown || isOpen || cache.hadOpenSpans)
            cache.built = false;
        cache.hadOpenSpans = isOpen;
    }
}

std::uint64_t TimelineGeometry::spansOf(const TimelineRow& row) const {
    if (!row.strip)
        return m_snapshot->lane(row.lane).rows();
    std::uint64_t spans = 0;
    for (const SpanLane& lane : m_snapshot->lanesOf(row.track))
        spans += lane.rows();
    return spans;
}

bool TimelineGeometry::hasOpenSpan(const TimelineRow& row) const {
    return std::ranges::any_of(m_snapshot->openSpans(), [&](const OpenSpan& span) {
        return row.strip ? m_snapshot->lane(span.lane).track() == row.track : span.lane == row.lane;
    });
}

template <class Which>
void TimelineGeometry::buildAgain(const Which& which) {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (which(m_rows[i]))
            m_caches[i].built = false;
    }
}

void TimelineGeometry::setGpuTimes(std::shared_ptr<const GpuTimes> times) {
    m_gpuTimes = std::move(times);
    buildAgain([](const TimelineRow& row) { return isGpuTrack(row.kind); });
}

void TimelineGeometry::setHostTimes(std::shared_ptr<const ColorTimes> times) {
    m_hostTimes = std::move(times);
    buildAgain([](const TimelineRow& row) { return !isGpuTrack(row.kind); });
}

const ColorTimes* TimelineGeometry::timesOf(TrackKind kind) const {
    if (isGpuTrack(kind))
        return m_gpuTimes ? &m_gpuTimes->kernels : nullptr;
    return m_hostTimes.get();
}

const GpuBusy* TimelineGeometry::busyOf(const TimelineRow& row) const {
    return row.gpu && m_gpuTimes && *row.gpu < m_gpuTimes->busy.size() ? m_gpuTimes->busy[*row.gpu].get()
                                                                       : nullptr;
}

void TimelineGeometry::buildRow(std::size_t row, GeometryBuilder& builder) {
    RowCache& cache = m_caches[row];
    cache.built = true;
    cache.stacks.clear();
    if (m_rows[row].gpu) {
        if (const GpuBusy* const busy = busyOf(m_rows[row])) {
            stackBusy(*busy, m_logical, cache.stacks);
            toDevice(m_map, m_scale, cache.rects, cache.stacks);
        }
        return;
    }
    const TrackKind kind = m_rows[row].kind;
    cache.spans = spansOf(m_rows[row]);
    if (m_rows[row].strip) {
        stackStrip(*m_snapshot, m_snapshot->lanesOf(m_rows[row].track), kind, m_logical, timesOf(kind),
                   builder.families(), cache.stacks);
    } else {
        const SpanLane lane = m_snapshot->lane(m_rows[row].lane);
        cache.sealed = builder.buildLane(*m_snapshot, lane, kind, m_logical, cache.rects);
        stackLane(*m_snapshot, lane, kind, m_logical, timesOf(kind), builder.families(), cache.rects,
                  cache.stacks);
    }
    if (m_scale != 1)
        toDevice(m_map, m_scale, cache.rects, cache.stacks);
}

void TimelineGeometry::build(std::size_t first, std::size_t last) {
    std::vector<std::size_t> missing;
    std::uint64_t spans = 0;
    for (std::size_t row = first; row < std::min(last, m_rows.size()); ++row) {
        if (!m_caches[row].built) {
            missing.push_back(row);
            if (!m_rows[row].gpu)
                spans += spansOf(m_rows[row]);
        }
    }
    m_builds += missing.size();

    std::atomic<std::size_t> next{0};
    const auto work = [&](GeometryBuilder& builder) {
        for (std::size_t i = next++; i < missing.size(); i = next++)
            buildRow(missing[i], builder);
    };
    std::size_t threads = 1;
    if (spans >= kSpansWorthThreads) {
        static const std::size_t kCores = std::max(1u, std::thread::hardware_concurrency());  // reads files
        threads = std::min({kWorkers, missing.size(), kCores});
    }
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

const std::vector<ColumnStack>& TimelineGeometry::stacks(std::size_t row) {
    build(row, row + 1);
    return m_caches[row].stacks;
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
