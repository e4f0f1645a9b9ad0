#include "engine/query/statistics/duration_distribution.h"

#include <algorithm>
#include <cmath>

#include "engine/query/spans/filtered_spans.h"
#include "engine/query/spans/kernel_works.h"
#include "engine/query/spans/spans_around.h"
#include "engine/query/spans/text_match.h"
#include "engine/query/statistics/duration_buckets.h"
#include "engine/query/statistics/place_groups.h"

namespace warpglass {

namespace {

constexpr int kBins = DurationDistribution::kBins;

/// One more than each, so that a duration of 0 has a logarithm. Edges never decrease.
std::vector<Nanoseconds> edgesBetween(std::int64_t min, std::int64_t max, bool logarithmic) {
    std::vector<Nanoseconds> edges(kBins + 1, Nanoseconds(min));
    const auto low = static_cast<double>(min), high = static_cast<double>(max);
    for (int i = 1; i < kBins; ++i) {
        const double share = static_cast<double>(i) / kBins;
        const double edge = logarithmic ? (low + 1) * std::pow((high + 1) / (low + 1), share) - 1
                                        : low + (high - low) * share;
        edges[static_cast<std::size_t>(i)] = std::clamp(
            Nanoseconds(std::llround(edge)), edges[static_cast<std::size_t>(i - 1)], Nanoseconds(max));
    }
    edges[kBins] = Nanoseconds(max);
    return edges;
}

}  // namespace

int DurationDistribution::binOf(Nanoseconds duration) const {
    if (edges.empty())
        return -1;
    const auto after = std::upper_bound(edges.begin(), edges.end(), duration);
    return std::clamp(static_cast<int>(after - edges.begin()) - 1, 0, kBins - 1);
}

DurationCollector::DurationCollector() : m_buckets(duration_buckets::kCount) {
    m_result.min = Nanoseconds(INT64_MAX);
}

void DurationCollector::add(std::int64_t duration) {
    duration = std::max<std::int64_t>(duration, 0);
    ++m_buckets[duration_buckets::of(duration)];
    ++m_result.instances;
    m_result.total += Nanoseconds(duration);
    m_result.min = std::min(m_result.min, Nanoseconds(duration));
    m_result.max = std::max(m_result.max, Nanoseconds(duration));
}

void DurationCollector::startSecondPass() {
    DurationDistribution& r = m_result;
    if (r.instances == 0) {
        r.min = Nanoseconds(0);
        return;
    }
    m_kept.assign(m_buckets.size(), -1);
    for (std::size_t p = 0; p < m_ranks.size(); ++p) {
        // The smallest rank, from 0, that at least so many thousandths of all are at or below.
        std::int64_t rank = (DurationDistribution::kPercentiles[p] * r.instances + 999) / 1000 - 1;
        std::size_t bucket = 0;
        while (rank >= m_buckets[bucket])
            rank -= m_buckets[bucket++];
        m_ranks[p] = rank;
        r.percentiles[p] = Nanoseconds(static_cast<std::int64_t>(bucket));  // until take()
        if (m_kept[bucket] < 0) {
            m_kept[bucket] = static_cast<std::int16_t>(m_selected.size());
            m_selected.emplace_back().reserve(static_cast<std::size_t>(m_buckets[bucket]));
        }
    }
    if (r.max == r.min)
        return;
    r.logarithmic = r.max.value / DurationDistribution::kWide >= std::max<std::int64_t>(1, r.min.value);
    r.edges = edgesBetween(r.min.value, r.max.value, r.logarithmic);
    r.counts.assign(kBins, 0);
    r.longest.resize(kBins);
    m_binLongest.assign(kBins, -1);
    m_binOfBucket.assign(m_buckets.size(), -1);
    for (std::size_t b = 0; b + 1 < m_buckets.size(); ++b) {
        const int first = r.binOf(Nanoseconds(duration_buckets::begin(b)));
        const int last = r.binOf(Nanoseconds(duration_buckets::begin(b + 1) - 1));
        m_binOfBucket[b] = static_cast<std::int16_t>(first == last ? first : -1);
    }
}

void DurationCollector::addAgain(std::int64_t duration, SpanPosition position) {
    duration = std::max<std::int64_t>(duration, 0);
    const std::size_t bucket = duration_buckets::of(duration);
    if (m_kept[bucket] >= 0)
        m_selected[static_cast<std::size_t>(m_kept[bucket])].push_back(duration);
    if (duration > m_longest) {
        m_longest = duration;
        m_result.longestOfAll = position;
    }
    if (m_result.edges.empty())
        return;
    const int known = m_binOfBucket[bucket];
    const auto bin = static_cast<std::size_t>(known >= 0 ? known : m_result.binOf(Nanoseconds(duration)));
    ++m_result.counts[bin];
    if (duration > m_binLongest[bin]) {
        m_binLongest[bin] = duration;
        m_result.longest[bin] = position;
    }
}

DurationDistribution DurationCollector::take() {
    for (std::size_t p = 0; m_result.instances > 0 && p < m_ranks.size(); ++p) {
        const auto bucket = static_cast<std::size_t>(m_result.percentiles[p].value);
        std::vector<std::int64_t>& among = m_selected[static_cast<std::size_t>(m_kept[bucket])];
        const auto at = among.begin() + std::min<std::int64_t>(m_ranks[p], std::ssize(among) - 1);
        if (among.empty())
            continue;  // a chunk that was readable a moment ago
        std::nth_element(among.begin(), at, among.end());
        m_result.percentiles[p] = Nanoseconds(*at);
    }
    return std::move(m_result);
}

DurationDistribution durationDistribution(const Snapshot& snapshot, const SpanSet& set) {
    const NameId name = set.name.empty() ? NameId() : snapshot.findName(set.name);
    DurationCollector collector;
    if (!set.name.empty() && !name.valid()) {
        collector.startSecondPass();
        return collector.take();
    }
    const PlaceGroups groups(snapshot, set.grouping);
    std::vector<std::uint8_t> wanted(groups.count());
    for (std::size_t g = 0; g < wanted.size(); ++g) {
        const std::string& group = groups.name(static_cast<std::uint32_t>(g));
        wanted[g] = (set.below ? groupIsWithin(set.grouping, group, set.group) : group == set.group) ? 1 : 0;
    }
    const FilteredSpans spans(snapshot, set.filter, set.kind);
    const RowTextMatch text(snapshot, set.kind, set.text);
    const KernelWorks works = set.work ? KernelWorks(snapshot) : KernelWorks();
    const auto isOne = [&](const SpanChunk& chunk, std::uint32_t i) {
        return (!set.work || works.of(chunk, i) == *set.work) &&
               (set.name.empty() || chunk.name[i] == name.value) && wanted[groups.of(chunk.place[i])] &&
               text.passes(chunk, i);
    };
    // As in the tables: an op within another one of its name and group is part of that call.
    const auto isCalledByItself = [&](SpansAround& around, const SpanLane& lane, const SpanChunk& chunk,
                                      std::uint32_t i) {
        bool found = false;
        around.forEach(lane, chunk, i, [&](const SpanChunk& other, std::uint32_t row) {
            found = other.name[row] == chunk.name[i] &&
                    groups.of(other.place[row]) == groups.of(chunk.place[i]) && spans.takes(other, row) &&
                    isOne(other, row);
            return !found;
        });
        return found;
    };
    const auto forEach = [&](auto&& fn) {
        SpansAround around(snapshot);
        spans.forEach([&](const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i, std::uint64_t row) {
            if (isOne(chunk, i) && (isGpuTrack(set.kind) || !isCalledByItself(around, lane, chunk, i)))
                fn(chunk.duration[i], SpanPosition{lane.id(), row});
        });
    };
    forEach([&](std::int64_t duration, SpanPosition) { collector.add(duration); });
    collector.startSecondPass();
    forEach([&](std::int64_t duration, SpanPosition at) { collector.addAgain(duration, at); });
    DurationDistribution result = collector.take();
    if (isGpuTrack(set.kind))
        result.onGpu = result.total;
    return result;
}

}  // namespace warpglass
