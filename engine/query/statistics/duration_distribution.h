// How the durations of a set of spans are spread: percentiles exactly, a histogram, and the longest span of
// each of its bins.
//
// It takes two passes over the spans, like statistics (span_groups.h): the first counts durations in fine
// log-spaced buckets, the second selects among those in the few buckets that contain a percentile. Only the
// latter take memory that grows with the spans.
//
// Pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/statistics/grouped_statistics.h"
#include "engine/query/statistics/statistics.h"

namespace warpglass {

/// A span by its position.
struct SpanPosition {
    LaneId lane{};
    std::uint64_t row = 0;
    bool operator==(const SpanPosition&) const = default;
};

struct DurationDistribution {
    static constexpr int kBins = 40;
    /// Bins have equal ratio instead of equal width if the longest is more than this many times the shortest.
    static constexpr std::int64_t kWide = 100;
    /// In thousandths: P50 … P99.9.
    static constexpr std::array<std::int64_t, 5> kPercentiles = {500, 900, 950, 990, 999};

    std::int64_t instances = 0;
    Nanoseconds total;
    /// The part of the total that GPU kernels, copies and fills took; the rest is the CPU's.
    Nanoseconds onGpu;
    Nanoseconds min, max;
    /// By nearest rank (the smallest duration that at least this share does not exceed), so each did occur.
    std::array<Nanoseconds, kPercentiles.size()> percentiles{};
    bool logarithmic = false;
    /// kBins + 1 edges, bin i being [edge i, edge i + 1), the last one closed; and how many fall in each, the
    /// longest of each and how long it is. Empty when all are of one length or there is none.
    std::vector<Nanoseconds> edges;
    std::vector<std::int64_t> counts;
    std::vector<std::optional<SpanPosition>> longest;
    /// The longest of all; nothing if there is none.
    std::optional<SpanPosition> longestOfAll;

    /// The bin of a duration, clamped to the first and the last; −1 without bins.
    int binOf(Nanoseconds duration) const;
};

/// Which spans: those that a filter takes, of one name (any, when empty), in one group of a table and, where
/// `below`, what lies within it.
struct SpanSet {
    TrackKind kind = TrackKind::kCpuThread;
    SpanFilter filter;
    std::string name;
    SpanGrouping grouping = SpanGrouping::kFlat;
    std::string group;
    bool below = false;
    /// Only spans that it matches (text_match.h); "" for any.
    std::string text = {};
    /// Only kernels that do this (KernelWorks).
    std::optional<std::size_t> work = {};
};

/// Linear in the spans that the filter's ranges reach.
DurationDistribution durationDistribution(const Snapshot& snapshot, const SpanSet& set);

/// The collector behind it: add() every span, startSecondPass(), addAgain() the same spans, take().
class DurationCollector {
public:
    DurationCollector();
    void add(std::int64_t duration);
    void startSecondPass();
    void addAgain(std::int64_t duration, SpanPosition position);
    DurationDistribution take();

private:
    std::vector<std::int64_t> m_buckets;
    std::vector<std::int16_t> m_binOfBucket;  // −1: the bucket lies in several bins
    std::array<std::int64_t, DurationDistribution::kPercentiles.size()> m_ranks{};
    std::vector<std::int16_t> m_kept;  // by bucket: which of m_selected it fills; −1 for none
    std::vector<std::vector<std::int64_t>> m_selected;
    std::vector<std::int64_t> m_binLongest;
    std::int64_t m_longest = -1;
    DurationDistribution m_result;
};

}  // namespace warpglass
