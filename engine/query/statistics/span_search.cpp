#include "engine/query/statistics/span_search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/query/spans/kernel_title.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/outermost_spans.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {

namespace {

constexpr SearchKind kindOf(TrackKind kind) {
    switch (kind) {
        case TrackKind::kGpuStream:
        case TrackKind::kGpuCopies:
            return SearchKind::kKernels;
        case TrackKind::kCpuThread:
            return SearchKind::kOps;
        case TrackKind::kApiThread:
        case TrackKind::kGpuSync:
        case TrackKind::kProfiler:
            return SearchKind::kCalls;
        default:
            return SearchKind::kModules;
    }
}

struct SearchedLane {
    SpanLane lane;
    TrackKind kind;
};

std::vector<SearchedLane> lanesOf(const Snapshot& snapshot, const SpanSearch& search) {
    std::vector<SearchedLane> lanes;
    for (std::size_t i = 0; i < snapshot.laneCount(); ++i) {
        const SpanLane lane = snapshot.lane(LaneId(i));
        if (lane.track().index() >= snapshot.trackCount())
            continue;
        const TrackKind kind = snapshot.track(lane.track()).kind;
        if (search.only && search.only->kind != kind)
            continue;
        // The phases as the GPU went through them would be found twice.
        if (kind != TrackKind::kGpuPhase && search.kinds[static_cast<std::size_t>(kindOf(kind))])
            lanes.push_back({lane, kind});
    }
    return lanes;
}

SearchMatch matchOf(const SearchedLane& lane, const SpanChunk& chunk, std::uint32_t i, std::uint64_t row) {
    return {{lane.lane.id(), row}, lane.kind,
            chunk.start[i],        chunk.duration[i],
            NameId(chunk.name[i]), PlaceId(chunk.place[i]),
            chunk.step[i],         DetailId(chunk.detail[i])};
}

/// In the order in which one may lie within another: by kind (steps, phases, modules), track and depth.
void sortOuterFirst(std::vector<SearchedLane>& lanes) {
    std::ranges::stable_sort(lanes, [](const SearchedLane& a, const SearchedLane& b) {
        return std::tuple(a.kind, a.lane.track().value, a.lane.depth()) <
               std::tuple(b.kind, b.lane.track().value, b.lane.depth());
    });
}

/// Keeps the longest kMost of any number of matches.
class LongestMatches {
public:
    /// Precondition: it does not refuse its duration.
    void add(const SearchMatch& match) {
        if (m_kept.size() < SearchResult::kMost) {
            m_kept.push_back(match);
            if (m_kept.size() == SearchResult::kMost)
                std::make_heap(m_kept.begin(), m_kept.end(), longerFirst);
            return;
        }
        std::pop_heap(m_kept.begin(), m_kept.end(), longerFirst);
        m_kept.back() = match;
        std::push_heap(m_kept.begin(), m_kept.end(), longerFirst);
    }
    /// Shorter than all that are kept, and no room: not worth a SearchMatch.
    bool refuses(std::int64_t duration) const {
        return m_kept.size() == SearchResult::kMost && duration <= m_kept.front().duration;
    }
    std::vector<SearchMatch> take() {
        std::ranges::sort(m_kept, comesBefore);
        return std::move(m_kept);
    }

private:
    static bool longerFirst(const SearchMatch& a, const SearchMatch& b) { return a.duration > b.duration; }
    std::vector<SearchMatch> m_kept;
};

}  // namespace

bool SpanSearch::matchesNothing() const {
    const auto isNot = [](std::uint8_t matches) { return matches == 0; };
    return std::ranges::all_of(names, isNot) && std::ranges::all_of(details, isNot);
}

bool comesBefore(const SearchMatch& a, const SearchMatch& b) {
    return std::tuple(a.start, a.at.lane.value, a.at.row) < std::tuple(b.start, b.at.lane.value, b.at.row);
}

SpanSearch searchOf(const Snapshot& snapshot, std::array<bool, kSearchKindCount> kinds,
                    const std::function<bool(std::string_view)>& matches, const std::function<bool()>& goOn) {
    SpanSearch search;
    search.kinds = kinds;
    search.names.resize(snapshot.nameCount());
    for (std::size_t i = 0; i < search.names.size(); ++i) {
        if (goOn && !goOn())
            return search;
        search.names[i] = matches(snapshot.name(NameId(i))) ? 1 : 0;
    }
    // A signature is a name too, and has been asked.
    search.details.resize(snapshot.detailCount());
    for (std::size_t i = 0; i < search.details.size(); ++i) {
        const auto detail = snapshot.detail(DetailId(i));
        const std::size_t name = detail ? detail->fullName.index() : search.names.size();
        search.details[i] = name < search.names.size() ? search.names[name] : 0;
    }
    return search;
}

namespace {

/// Sums over the outermost matches.
class TotalTimes {
public:
    TotalTimes(const Snapshot& snapshot, SearchResult& result)
        : m_result(result), m_measuredSteps(snapshot, measuredOnly()) {}

    void beginLane(const std::vector<SearchedLane>& lanes, std::size_t i) {
        const SpanLane& lane = lanes[i].lane;
        m_ofGpu = isGpuTrack(lanes[i].kind);
        if (i == 0 || lanes[i - 1].lane.track() != lane.track())
            m_outermost.beginTrack(lanes[i].kind);
        m_outermost.beginLane(lanes[i].kind,
                              i + 1 == lanes.size() || lanes[i + 1].lane.track() != lane.track());
    }
    void add(const SpanChunk& chunk, std::uint32_t i) {
        const Nanoseconds duration(std::max<std::int64_t>(chunk.duration[i], 0));
        const bool measured = m_measuredSteps.stepPasses(chunk.step[i]);
        m_result.measured.count += measured ? 1 : 0;
        if (!m_outermost.add(chunk.start[i], chunk.end(i))) {
            ++m_result.nested;
            return;
        }
        m_result.total += duration;
        m_result.onGpu += m_ofGpu ? duration : Nanoseconds();
        if (!measured)
            return;
        m_result.measured.total += duration;
        m_result.measured.onGpu += m_ofGpu ? duration : Nanoseconds();
    }
    void endLane() { m_outermost.endLane(); }

private:
    static SpanFilter measuredOnly() {
        SpanFilter filter;
        filter.measuredOnly = true;
        return filter;
    }
    SearchResult& m_result;
    bool m_ofGpu = false;
    RowFilter m_measuredSteps;
    OutermostSpans m_outermost;
};

/// The matches by name, and what their times are shares of.
class GroupSums {
public:
    explicit GroupSums(const Snapshot& snapshot) : m_snapshot(snapshot) {}

    void beginLane(TrackKind kind) {
        m_kind = kind;
        m_places = &m_placesOf[kind];
        m_places->resize(m_snapshot.nameCount(), kNone);
    }
    void add(const SpanChunk& chunk, std::uint32_t i) {
        SearchGroup& group = groupOf(chunk.name[i]);
        const std::int64_t time = std::max<std::int64_t>(chunk.duration[i], 0);
        group.min = group.count++ == 0 ? Nanoseconds(time) : std::min(group.min, Nanoseconds(time));
        group.max = std::max(group.max, Nanoseconds(time));
        group.total += Nanoseconds(time);
        addWrapping(m_times[static_cast<std::size_t>(&group - m_groups.data())]
                           [std::uint64_t{chunk.place[i]} << 32 | chunk.detail[i]],
                    time);
    }
    /// Without shares where `stop` says so meanwhile.
    template <class Stop>
    std::vector<SearchGroup> take(const SpanSearch& search, Stop&& stop) {
        std::map<TrackKind, Nanoseconds> whole;
        for (std::size_t i = 0; i < m_groups.size(); ++i) {
            SearchGroup& group = m_groups[i];
            tellWhere(m_times[i], group);
            const TrackKind kind = isGpuTrack(group.of.kind) ? group.of.kind : TrackKind::kStep;
            if (!whole.contains(kind))
                whole[kind] = timeOf(search, kind, stop);
            if (whole[kind].value > 0 && !stop())
                group.share = static_cast<double>(group.total.value) / static_cast<double>(whole[kind].value);
        }
        std::ranges::sort(m_groups, [](const SearchGroup& a, const SearchGroup& b) {
            return std::tuple(isGpuTrack(b.of.kind), b.total, a.of) <
                   std::tuple(isGpuTrack(a.of.kind), a.total, b.of);
        });
        return std::move(m_groups);
    }

private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    using Times = std::unordered_map<std::uint64_t, std::int64_t>;  // by place and detail
    void tellWhere(const Times& all, SearchGroup& group) const {
        const auto most = std::ranges::max_element(
            all, {}, [](const auto& sum) { return std::pair(sum.second, ~sum.first); });
        group.place = PlaceId(static_cast<std::uint32_t>(most->first >> 32));
        group.detail = DetailId(static_cast<std::uint32_t>(most->first));
        if (group.of.kind == TrackKind::kGpuStream)
            group.otherWorks = worksOf(all, m_snapshot.name(group.of.name)) - 1;
        std::map<std::string, std::int64_t> times;
        for (const auto& [where, time] : all) {
            const PlaceId place(static_cast<std::uint32_t>(where >> 32));
            if (const auto module = m_snapshot.name(m_snapshot.place(place).module); !module.empty()) {
                addWrapping(times[moduleGroup(module)], time);
            }
        }
        if (times.empty())
            return;
        group.module = std::ranges::max_element(times, {}, [](const auto& sum) { return sum.second; })->first;
        group.otherModules = static_cast<int>(times.size()) - 1;
    }

    /// How many different ones kernels of one name do.
    int worksOf(const Times& all, std::string_view name) const {
        std::set<NameId> signatures;
        for (const auto& [where, time] : all) {
            const auto detail = m_snapshot.detail(DetailId(static_cast<std::uint32_t>(where)));
            signatures.insert(detail.value_or(SpanDetail()).fullName);
        }
        std::set<std::string> titles;
        for (const NameId signature : signatures)
            titles.insert(kernelTitle(name, m_snapshot.name(signature)));
        return static_cast<int>(titles.size());
    }

    SearchGroup& groupOf(std::uint32_t name) {
        // A damaged file may have names beyond the snapshot's.
        std::uint32_t& place = name < m_places->size()
                                   ? (*m_places)[name]
                                   : m_beyond.try_emplace({m_kind, NameId(name)}, kNone).first->second;
        if (place == kNone) {
            place = static_cast<std::uint32_t>(m_groups.size());
            m_groups.emplace_back().of = {m_kind, NameId(name)};
            m_times.emplace_back();
        }
        return m_groups[place];
    }

    template <class Stop>
    Nanoseconds timeOf(const SpanSearch& search, TrackKind kind, Stop&& stop) const {
        Nanoseconds time;
        for (const SpanLane& lane : lanesOfKind(m_snapshot, kind)) {
            lane.forEachChunk(
                0, lane.rows(),
                [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t) {
                    if (stop())
                        return;
                    for (std::uint32_t i = begin; i < end; ++i) {
                        if (!search.within || search.within->holds(kind, chunk, i))
                            time += Nanoseconds(std::max<std::int64_t>(chunk.duration[i], 0));
                    }
                });
        }
        return time;
    }

    const Snapshot& m_snapshot;
    std::vector<SearchGroup> m_groups;
    std::vector<Times> m_times;  // by place in m_groups
    /// By kind and NameId: the place in m_groups.
    std::map<TrackKind, std::vector<std::uint32_t>> m_placesOf;
    std::map<SearchName, std::uint32_t> m_beyond;
    TrackKind m_kind = TrackKind::kStep;
    std::vector<std::uint32_t>* m_places = nullptr;  // of m_kind
};

}  // namespace

SearchResult searchSpans(const Snapshot& snapshot, const SpanSearch& search,
                         const std::atomic<bool>* canceled) {
    SearchResult result;
    if (search.matchesNothing())
        return result;
    std::vector<SearchedLane> lanes = lanesOf(snapshot, search);
    sortOuterFirst(lanes);
    const auto stop = [&] { return canceled && canceled->load(std::memory_order_relaxed); };
    std::int64_t named = 0;
    const auto forEachOf = [&](const SearchedLane& lane, auto&& fn) {
        lane.lane.forEachChunk(
            0, lane.lane.rows(),
            [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t first) {
                if (stop())
                    return;
                for (std::uint32_t i = begin; i < end; ++i) {
                    if (!search.isNamed(chunk, i))
                        continue;
                    ++named;
                    if (!search.within || search.within->holds(lane.kind, chunk, i))
                        fn(chunk, i, first + i);
                }
            });
    };
    DurationCollector durations;
    LongestMatches longest;
    TotalTimes times(snapshot, result);
    GroupSums groups(snapshot);
    for (std::size_t l = 0; l < lanes.size(); ++l) {
        times.beginLane(lanes, l);
        groups.beginLane(lanes[l].kind);
        forEachOf(lanes[l], [&](const SpanChunk& chunk, std::uint32_t i, std::uint64_t row) {
            durations.add(chunk.duration[i]);
            times.add(chunk, i);
            groups.add(chunk, i);
            if (!longest.refuses(chunk.duration[i]))
                longest.add(matchOf(lanes[l], chunk, i, row));
        });
        times.endLane();
    }
    result.everywhere = named;
    if (!search.only && !stop())
        result.groups = groups.take(search, stop);
    durations.startSecondPass();
    for (const SearchedLane& lane : lanes) {
        forEachOf(lane, [&](const SpanChunk& chunk, std::uint32_t i, std::uint64_t row) {
            durations.addAgain(chunk.duration[i], {lane.lane.id(), row});
        });
    }
    result.durations = durations.take();
    result.durations.total = result.total;
    result.durations.onGpu = result.onGpu;
    result.count = result.durations.instances;
    result.matches = longest.take();
    result.complete = !stop();
    return result;
}

SearchResult firstMatches(const Snapshot& snapshot, const SpanSearch& search, std::size_t most,
                          std::uint64_t rows) {
    SearchResult result;
    result.complete = false;
    if (search.matchesNothing())
        return result;
    std::uint64_t left = rows;
    for (const SearchedLane& lane : lanesOf(snapshot, search)) {
        const std::uint64_t until = std::min(lane.lane.rows(), left);
        left -= until;
        lane.lane.forEachChunk(
            0, until,
            [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t first) {
                for (std::uint32_t i = begin; i < end && result.matches.size() < most; ++i) {
                    if (search.matches(lane.kind, chunk, i)) {
                        result.matches.push_back(matchOf(lane, chunk, i, first + i));
                        result.total += Nanoseconds(chunk.duration[i]);
                    }
                }
            });
    }
    std::ranges::sort(result.matches, comesBefore);
    result.count = result.everywhere = std::ssize(result.matches);
    return result;
}

namespace {

/// The first match of a lane from row `from` on.
std::optional<SearchMatch> firstFrom(const SearchedLane& lane, const SpanSearch& search, std::uint64_t from) {
    for (std::uint64_t row = from; row < lane.lane.rows();) {
        const std::uint64_t first = row / kChunkRows * kChunkRows;
        const std::uint64_t end = std::min<std::uint64_t>(first + kChunkRows, lane.lane.rows());
        if (const SpanChunk* chunk = lane.lane.chunk(static_cast<std::size_t>(row / kChunkRows))) {
            for (; row < end; ++row) {
                const auto i = static_cast<std::uint32_t>(row - first);
                if (search.matches(lane.kind, *chunk, i))
                    return matchOf(lane, *chunk, i, row);
            }
        }
        row = end;
    }
    return std::nullopt;
}

/// The last match of a lane before row `to`.
std::optional<SearchMatch> lastBefore(const SearchedLane& lane, const SpanSearch& search, std::uint64_t to) {
    while (to > 0) {
        const std::uint64_t first = (to - 1) / kChunkRows * kChunkRows;
        if (const SpanChunk* chunk = lane.lane.chunk(static_cast<std::size_t>(first / kChunkRows))) {
            for (std::uint64_t row = to; row > first; --row) {
                const auto i = static_cast<std::uint32_t>(row - 1 - first);
                if (search.matches(lane.kind, *chunk, i))
                    return matchOf(lane, *chunk, i, row - 1);
            }
        }
        to = first;
    }
    return std::nullopt;
}

/// The first row of a lane that comes after a match in the order of all, or not before it.
std::uint64_t firstAfter(const SearchedLane& lane, const SearchMatch& match, bool notBefore) {
    if (lane.lane.id() == match.at.lane)
        return match.at.row + (notBefore ? 0 : 1);
    // At the same start, lanes come in the order of their ids.
    const bool laneAfter = lane.lane.id().value > match.at.lane.value;
    return lane.lane.firstStartingAt(Nanoseconds(laneAfter ? match.start : match.start + 1));
}

}  // namespace

std::optional<SearchMatch> nextMatch(const Snapshot& snapshot, const SpanSearch& search,
                                     const std::optional<SearchMatch>& from, bool forward) {
    if (search.matchesNothing())
        return std::nullopt;
    const std::vector<SearchedLane> lanes = lanesOf(snapshot, search);
    for (const bool wrapped : {false, true}) {
        std::optional<SearchMatch> best;
        for (const SearchedLane& lane : lanes) {
            const std::uint64_t row = from && !wrapped ? firstAfter(lane, *from, !forward)
                                      : forward        ? 0
                                                       : lane.lane.rows();
            const auto found = forward ? firstFrom(lane, search, row) : lastBefore(lane, search, row);
            if (found && (!best || (forward ? comesBefore(*found, *best) : comesBefore(*best, *found))))
                best = found;
        }
        if (best)
            return best;
    }
    return std::nullopt;
}

std::optional<SearchMatch> matchAt(const Snapshot& snapshot, const SpanSearch& search, SpanPosition at) {
    for (const SearchedLane& lane : lanesOf(snapshot, search)) {
        if (lane.lane.id() != at.lane || at.row >= lane.lane.rows())
            continue;
        const SpanChunk* chunk = lane.lane.chunk(static_cast<std::size_t>(at.row / kChunkRows));
        const auto i = static_cast<std::uint32_t>(at.row % kChunkRows);
        if (chunk && search.matches(lane.kind, *chunk, i))
            return matchOf(lane, *chunk, i, at.row);
    }
    return std::nullopt;
}

std::vector<bool> matchColumns(const Snapshot& snapshot, const SpanSearch& search, TimeRange range,
                               std::size_t columns) {
    std::vector<bool> hit(columns);
    if (columns == 0 || range.duration().value <= 0 || search.matchesNothing())
        return hit;
    const double scale = static_cast<double>(columns) / static_cast<double>(range.duration().value);
    const auto columnOf = [&](std::int64_t t) {
        const double x = static_cast<double>(t - range.begin.value) * scale;
        return static_cast<std::size_t>(std::clamp(x, 0.0, static_cast<double>(columns - 1)));
    };
    for (const SearchedLane& lane : lanesOf(snapshot, search)) {
        const std::uint64_t from = lane.lane.firstEndingAfter(range.begin);
        const std::uint64_t to = lane.lane.firstStartingAt(range.end);
        lane.lane.forEachChunk(
            from, to, [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t) {
                for (std::uint32_t i = begin; i < end; ++i) {
                    if (!search.matches(lane.kind, chunk, i))
                        continue;
                    const std::size_t last = columnOf(std::max(chunk.start[i], chunk.end(i) - 1));
                    for (std::size_t c = columnOf(chunk.start[i]); c <= last; ++c)
                        hit[c] = true;
                }
            });
    }
    return hit;
}

}  // namespace warpglass
