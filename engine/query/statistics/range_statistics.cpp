// Statistics of ranges: the second half of engine/query/statistics/statistics.h.
#include <algorithm>
#include <array>

#include "engine/query/spans/range_keys.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/statistics/span_groups.h"
#include "engine/query/statistics/statistics.h"
#include "engine/query/statistics/step_table.h"

namespace warpglass {

namespace {

constexpr std::array kRangeKinds = {TrackKind::kStep, TrackKind::kPhase, TrackKind::kModule};
static_assert(static_cast<std::size_t>(TrackKind::kModule) == 2, "kRangeKindNames begins with these three");

/// The time that spans of nested lanes cover together, given lane by lane from the outermost in, each in
/// order.
class CoveredTime {
public:
    void startLane() {
        m_covered.insert(m_covered.end(), m_added.begin(), m_added.end());
        std::ranges::sort(m_covered, [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
        m_added.clear();
        m_next = 0;
    }
    void add(std::int64_t start, std::int64_t duration) {
        const Nanoseconds begin(start), end = begin + Nanoseconds(duration);
        while (m_next < m_covered.size() && m_covered[m_next].end <= begin)
            ++m_next;
        if (duration <= 0 || (m_next < m_covered.size() && m_covered[m_next].begin <= begin))
            return;  // nested in an outer span
        m_added.push_back({begin, end});
        addWrapping(m_total, duration);
    }
    std::int64_t total() const { return m_total; }

private:
    std::vector<TimeRange> m_covered;
    std::vector<TimeRange> m_added;
    std::size_t m_next = 0;
    std::int64_t m_total = 0;
};

/// The conditions of a filter as they apply to ranges, whose name may say what an op's place says.
class RangeFilter {
public:
    RangeFilter(const Snapshot& snapshot, const SpanFilter& filter)
        : m_filter(filter), m_rows(snapshot, filter) {
        m_phaseOrModule = filter.phase || !filter.modulePath.empty();
        m_names.resize(snapshot.nameCount() + 1);
        if (!m_phaseOrModule)
            return;
        for (std::size_t i = 0; i < snapshot.nameCount(); ++i) {
            const std::string_view name = snapshot.name(NameId(i));
            const bool phase = filter.phase && name == phaseName(*filter.phase);
            const bool module = !filter.modulePath.empty() && isWithin(name, filter.modulePath);
            m_names[i] = static_cast<std::uint8_t>((phase ? 1 : 0) | (module ? 2 : 0));
        }
    }

    bool passes(TrackKind kind, const SpanChunk& chunk, std::uint32_t i, bool isPart) const {
        if (!m_rows.stepPasses(chunk.step[i]))
            return false;
        if (!m_phaseOrModule)
            return true;
        const std::uint8_t named = m_names[std::min<std::size_t>(chunk.name[i], m_names.size() - 1)];
        if (kind == TrackKind::kPhase)
            return m_filter.modulePath.empty() && ((named & 1) || m_rows.phasePasses(chunk.place[i]));
        if (kind == TrackKind::kModule)
            return m_rows.phasePasses(chunk.place[i]) &&
                   (m_rows.modulePasses(chunk.place[i]) || (!isPart && (named & 2)));
        return false;  // a step is in no phase and in no module
    }

private:
    const SpanFilter& m_filter;
    RowFilter m_rows;
    bool m_phaseOrModule = false;
    std::vector<std::uint8_t> m_names;  // bit 0: is the phase, bit 1: is within the module
};

double shareOf(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// The rows of one kind of range, with shares, in no order.
std::vector<StatisticsRow> statisticsOfKind(const Snapshot& snapshot, const SpanFilter& filter,
                                            const RangeFilter& rangeFilter, const RangeKeys& keys,
                                            TrackKind kind) {
    const auto forEachCounted = [&](const SpanLane& lane, auto&& fn) {
        forEachRow(lane, filter.ranges, [&](const SpanChunk& chunk, std::uint32_t i) {
            const std::size_t key = keys.keyOf(kind, chunk.name[i], chunk.place[i]);
            if (rangeFilter.passes(kind, chunk, i, keys.isPart(key)))
                fn(chunk, i, key);
        });
    };
    SpanGroups groups(keys.count());
    std::int64_t covered = 0;
    for (const TrackId track : snapshot.tracksOfKind(kind)) {
        CoveredTime outermost;
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            outermost.startLane();
            forEachCounted(lane, [&](const SpanChunk& chunk, std::uint32_t i, std::size_t key) {
                groups.add(key, chunk.duration[i], chunk.self[i]);
                outermost.add(chunk.start[i], chunk.duration[i]);
            });
        }
        addWrapping(covered, outermost.total());
    }
    groups.startSecondPass();
    for (const SpanLane& lane : lanesOfKind(snapshot, kind)) {
        forEachCounted(lane, [&](const SpanChunk& chunk, std::uint32_t i, std::size_t key) {
            groups.addAgain(key, chunk.duration[i]);
        });
    }

    std::vector<StatisticsRow> rows;
    std::int64_t self = 0;
    for (SpanGroups::Row& group : groups.takeRows()) {
        StatisticsRow& row = rows.emplace_back(std::move(group.statistics));
        row.name = keys.nameOf(snapshot, group.key);
        row.kind = kRangeKindNames[keys.isPart(group.key) ? 3 : static_cast<std::size_t>(kind)];
        addWrapping(self, row.self.value);
    }
    for (StatisticsRow& row : rows) {
        row.timeShare = shareOf(row.total.value, covered);
        row.selfShare = shareOf(row.self.value, self);
    }
    return rows;
}

}  // namespace

std::vector<StatisticsRow> rangeStatistics(const Snapshot& snapshot, const SpanFilter& filter) {
    const RangeFilter rangeFilter(snapshot, filter);
    const RangeKeys keys(snapshot);
    std::vector<StatisticsRow> rows;
    for (const TrackKind kind : kRangeKinds) {
        for (StatisticsRow& row : statisticsOfKind(snapshot, filter, rangeFilter, keys, kind))
            rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(rows, [](const StatisticsRow& a, const StatisticsRow& b) {
        return a.total != b.total ? a.total > b.total : a.name < b.name;
    });
    return rows;
}

namespace {

constexpr bool happensOnce(Phase phase) {
    return phase == Phase::kSetup || phase == Phase::kTeardown;
}

}  // namespace

std::vector<StatisticsRow> phaseStatistics(const Snapshot& snapshot, TrackKind phases) {
    SpanFilter measured;
    measured.measuredOnly = true;
    return phaseStatistics(snapshot, measured, phases);
}

std::vector<StatisticsRow> phaseStatistics(const Snapshot& snapshot, const SpanFilter& filter,
                                           TrackKind phases) {
    StepSelection steps = stepsToAverage(snapshot);
    if (!filter.measuredOnly)
        steps.first = 0;
    const auto takes = [&](std::int32_t step) {
        return steps.contains(step) && (!filter.step || step == *filter.step);
    };
    std::vector<std::size_t> phaseOfName(snapshot.nameCount() + 1, 0);
    for (std::size_t i = 0; i < snapshot.nameCount(); ++i)
        phaseOfName[i] = static_cast<std::size_t>(phaseNamed(snapshot.name(NameId(i))));
    constexpr std::size_t kStepKey = kPhaseCount;
    constexpr std::size_t kNoKey = kPhaseCount + 1;
    const auto keyOf = [&](TrackKind kind, const SpanChunk& chunk, std::uint32_t i) {
        if (kind == TrackKind::kStep) {
            const TimeRange range = chunk.range(i);
            return takes(chunk.step[i]) && overlapsAny(range, filter.ranges) ? kStepKey : kNoKey;
        }
        const std::size_t phase = phaseOfName[std::min<std::size_t>(chunk.name[i], snapshot.nameCount())];
        // Outside the steps only what happens once: what a graph's capture goes through is no step's.
        const bool counts = chunk.step[i] == kNoStep ? happensOnce(static_cast<Phase>(phase)) &&
                                                           filter.ranges.empty() && !filter.step
                                                     : takes(chunk.step[i]);
        const bool wanted = !filter.phase || *filter.phase == static_cast<Phase>(phase);
        return phase != 0 && counts && wanted ? phase : kNoKey;
    };
    const auto forEachCounted = [&](auto&& fn) {
        for (const TrackKind kind : {phases, TrackKind::kStep}) {
            // A range within a step has none of its own.
            const std::vector<TimeRange> ranges =
                kind == TrackKind::kStep ? std::vector<TimeRange>() : filter.ranges;
            forEachRow(snapshot, kind, ranges, [&](const SpanChunk& chunk, std::uint32_t i) {
                if (const std::size_t key = keyOf(kind, chunk, i); key != kNoKey)
                    fn(key, chunk.duration[i], chunk.self[i]);
            });
        }
    };
    SpanGroups groups(kNoKey);
    forEachCounted(
        [&](std::size_t key, std::int64_t duration, std::int64_t self) { groups.add(key, duration, self); });
    groups.startSecondPass();
    forEachCounted(
        [&](std::size_t key, std::int64_t duration, std::int64_t) { groups.addAgain(key, duration); });

    std::vector<SpanGroups::Row> ordered = groups.takeRows();
    std::ranges::sort(ordered, [](const auto& a, const auto& b) { return a.key < b.key; });
    const std::int64_t stepTime =
        !ordered.empty() && ordered.back().key == kStepKey ? ordered.back().statistics.total.value : 0;
    std::vector<StatisticsRow> rows;
    for (SpanGroups::Row& group : ordered) {
        StatisticsRow& row = rows.emplace_back(std::move(group.statistics));
        const auto phase = static_cast<Phase>(group.key);
        row.name = group.key == kStepKey ? "step" : std::string(phaseName(phase));
        row.kind = kRangeKindNames[group.key == kStepKey ? 0 : 1];
        if (!happensOnce(phase)) {
            row.timeShare = shareOf(row.total.value, stepTime);
            row.selfShare = shareOf(row.self.value, stepTime);
        }
    }
    return rows;
}

namespace {

std::vector<TimeRange> mergeTouching(std::vector<TimeRange> ranges) {
    std::ranges::sort(ranges, [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
    std::vector<TimeRange> merged;
    for (const TimeRange range : ranges) {
        if (range.begin >= range.end)
            continue;
        if (!merged.empty() && range.begin <= merged.back().end)
            merged.back().end = std::max(merged.back().end, range.end);
        else
            merged.push_back(range);
    }
    return merged;
}

/// Which names and keys a pattern matches, asked once for each and not once a span.
class RangeMatcher {
public:
    RangeMatcher(const Snapshot& snapshot, std::string_view pattern) : m_keys(snapshot) {
        m_names.resize(snapshot.nameCount() + 1);
        for (std::size_t i = 0; i < snapshot.nameCount(); ++i)
            m_names[i] = matchesGlob(snapshot.name(NameId(i)), pattern) ? 1 : 0;
        m_byKey.resize(m_keys.count());
        for (std::size_t key = snapshot.nameCount() + 1; key < m_keys.count(); ++key)
            m_byKey[key] = matchesGlob(m_keys.nameOf(snapshot, key), pattern) ? 1 : 0;
        m_any =
            std::ranges::find(m_names, 1) != m_names.end() || std::ranges::find(m_byKey, 1) != m_byKey.end();
    }
    bool any() const { return m_any; }
    bool matches(TrackKind kind, std::uint32_t name, std::uint32_t place) const {
        return m_names[std::min<std::size_t>(name, m_names.size() - 1)] ||
               m_byKey[m_keys.keyOf(kind, name, place)];
    }

private:
    RangeKeys m_keys;
    std::vector<std::uint8_t> m_names;
    std::vector<std::uint8_t> m_byKey;
    bool m_any = false;
};

}  // namespace

std::vector<TimeRange> rangesMatching(const Snapshot& snapshot, std::string_view pattern) {
    const RangeMatcher matcher(snapshot, pattern);
    std::vector<TimeRange> ranges;
    if (!matcher.any())
        return ranges;
    for (const TrackKind kind : kRangeKinds) {
        forEachSpan(snapshot, kind, snapshot.range().end,
                    [&](NameId name, PlaceId place, std::int32_t, TimeRange range) {
                        if (matcher.matches(kind, name.value, place.value))
                            ranges.push_back(range);
                    });
    }
    return mergeTouching(std::move(ranges));
}

}  // namespace warpglass
