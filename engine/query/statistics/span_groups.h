// Exact statistics of durations in many groups at once, in two passes over the rows and bounded memory.
//
// The median is the hard part: sorting 10 M durations by group costs more than all the rest. The first pass
// counts each group's durations in a histogram of log-spaced buckets (32 an octave, exact below 64 ns), which
// says in which bucket the middle lies; the second pass keeps only the durations of that bucket, some 5% of
// all, and selects among them. The second pass also sums squared deviations from the mean that is then known,
// the numerically sound way.
//
// Durations below 0, which no recorder makes, count as 0.
//
// A group of few spans keeps the durations themselves, up to the number that take as much room as a
// histogram. Most groups of a run with many names are small, and counting in one of thousands of histograms
// is a cache miss.
//
// Either pass may be shared out among threads, each with groups of its own in the first and with a share in
// the second.
//
// Internal to engine/query. Memory: 8 KiB a group at most, and the kept durations. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/query/statistics/duration_buckets.h"
#include "engine/query/statistics/statistics.h"

namespace warpglass {

class SpanGroups {
public:
    /// Keys are 0 … keys − 1 (more may come); only those that occur cost memory.
    explicit SpanGroups(std::size_t keys) : m_groupOf(keys, kNoGroup) {}

    /// First pass: every row once.
    void add(std::size_t key, std::int64_t duration, std::int64_t self) {
        std::uint32_t index = key < m_groupOf.size() ? m_groupOf[key] : kNoGroup;
        if (index == kNoGroup)
            index = makeGroup(key);
        duration = std::max<std::int64_t>(duration, 0);
        Group& group = m_groups[index];
        ++group.count;
        group.total += static_cast<std::uint64_t>(duration);
        group.self += static_cast<std::uint64_t>(self);
        group.min = std::min(group.min, duration);
        group.max = std::max(group.max, duration);
        if (const Histogram& histogram = m_histograms[index])
            ++histogram[duration_buckets::of(duration)];
        else
            keepOneOfFew(index, duration);
    }

    /// First pass: a row that is part of another one of its key, which has its time; the second pass knows
    /// nothing of it.
    void addPart(std::size_t key, std::int64_t self) {
        std::uint32_t index = key < m_groupOf.size() ? m_groupOf[key] : kNoGroup;
        if (index == kNoGroup)
            index = makeGroup(key);
        m_groups[index].self += static_cast<std::uint64_t>(self);
    }

    /// Takes over what `part` was given in its first pass; its key k is keyOf(k) here.
    template <class KeyOf>
    void merge(SpanGroups& part, KeyOf&& keyOf) {
        for (std::size_t i = 0; i < part.m_groups.size(); ++i)
            mergeGroup(keyOf(part.m_groups[i].key), part.m_groups[i], std::move(part.m_histograms[i]));
        part = SpanGroups(0);
    }

    /// Takes what `other` was given in its first pass, which it keeps: each of its keys k as all of
    /// keysOf(k).
    template <class KeysOf>
    void addAllOf(const SpanGroups& other, KeysOf&& keysOf) {
        for (std::size_t i = 0; i < other.m_groups.size(); ++i) {
            for (const std::size_t key : keysOf(other.m_groups[i].key)) {
                Group copy = other.m_groups[i];
                mergeGroup(key, copy, copyOf(other.m_histograms[i]));
            }
        }
    }

    /// Between the passes.
    void startSecondPass();
    /// Second pass: the same rows again.
    void addAgain(std::size_t key, std::int64_t duration) {
        duration = std::max<std::int64_t>(duration, 0);
        Group& group = m_groups[m_groupOf[key]];
        const double deviation = static_cast<double>(duration) - group.mean;
        group.squares += deviation * deviation;
        if (group.keepFrom <= duration && duration <= group.keepTo)
            group.kept.push_back(duration);
    }

    /// A thread's share of the second pass, by the keys of these groups.
    class Share {
    public:
        explicit Share(const SpanGroups& groups) : m_groups(&groups), m_sums(groups.m_groups.size()) {}
        void add(std::size_t key, std::int64_t duration) {
            duration = std::max<std::int64_t>(duration, 0);
            const std::uint32_t index = m_groups->m_groupOf[key];
            const Group& group = m_groups->m_groups[index];
            Sum& sum = m_sums[index];
            const double deviation = static_cast<double>(duration) - group.mean;
            sum.squares += deviation * deviation;
            if (group.keepFrom <= duration && duration <= group.keepTo)
                sum.kept.push_back(duration);
        }

    private:
        friend class SpanGroups;
        struct Sum {
            double squares = 0;
            std::vector<std::int64_t> kept;
        };
        const SpanGroups* m_groups;
        std::vector<Sum> m_sums;  // by group
    };
    void take(const Share& share);

    struct Row {
        std::size_t key = 0;
        StatisticsRow statistics;  // without shares, name and family
    };
    /// After the second pass, once: a row for every key that occurred, in order of first occurrence.
    std::vector<Row> takeRows();

private:
    static constexpr std::uint32_t kNoGroup = 0xffffffffu;
    /// A group that reaches this many durations gets a histogram.
    static constexpr std::size_t kFew = 1024;
    using Histogram = std::unique_ptr<std::uint32_t[]>;

    struct Group {
        std::size_t key = 0;
        std::int64_t count = 0;
        // Unsigned: a run file from outside may hold any number; its sums may wrap, never overflow.
        std::uint64_t total = 0;
        std::uint64_t self = 0;
        std::int64_t min = INT64_MAX;
        std::int64_t max = INT64_MIN;
        double mean = 0;
        double squares = 0;
        // Durations that may be the median: those of the middle's bucket or buckets; of few spans, all from
        // the first pass on.
        std::int64_t keepFrom = 0;
        std::int64_t keepTo = -1;
        std::int64_t countBefore = 0;  // durations below keepFrom
        std::vector<std::int64_t> kept;
    };

    static Histogram copyOf(const Histogram& histogram);
    std::uint32_t makeGroup(std::size_t key);
    void mergeGroup(std::size_t key, Group& from, Histogram histogram);
    void countKept(std::size_t index);
    void keepOneOfFew(std::size_t index, std::int64_t duration);
    static double medianOf(Group& group);

    std::vector<std::uint32_t> m_groupOf;  // by key
    std::vector<Group> m_groups;
    std::vector<Histogram> m_histograms;  // by group; none of few spans
};

}  // namespace warpglass
