#include "engine/query/statistics/span_groups.h"

#include <cmath>

namespace warpglass {

std::uint32_t SpanGroups::makeGroup(std::size_t key) {
    const auto index = static_cast<std::uint32_t>(m_groups.size());
    if (key >= m_groupOf.size())
        m_groupOf.resize(key + 1, kNoGroup);
    m_groupOf[key] = index;
    m_groups.emplace_back().key = key;
    m_histograms.emplace_back();
    return index;
}

SpanGroups::Histogram SpanGroups::copyOf(const Histogram& histogram) {
    if (!histogram)
        return nullptr;
    auto copy = std::make_unique<std::uint32_t[]>(duration_buckets::kCount);
    std::copy_n(histogram.get(), duration_buckets::kCount, copy.get());
    return copy;
}

void SpanGroups::keepOneOfFew(std::size_t index, std::int64_t duration) {
    std::vector<std::int64_t>& kept = m_groups[index].kept;
    kept.push_back(duration);
    if (kept.size() >= kFew)
        countKept(index);
}

void SpanGroups::countKept(std::size_t index) {
    std::vector<std::int64_t>& kept = m_groups[index].kept;
    m_histograms[index] = std::make_unique<std::uint32_t[]>(duration_buckets::kCount);
    for (const std::int64_t each : kept)
        ++m_histograms[index][duration_buckets::of(each)];
    kept = {};
}

void SpanGroups::mergeGroup(std::size_t key, Group& from, Histogram histogram) {
    std::uint32_t index = key < m_groupOf.size() ? m_groupOf[key] : kNoGroup;
    if (index == kNoGroup) {
        index = makeGroup(key);
        m_groups[index] = std::move(from);
        m_groups[index].key = key;
        m_histograms[index] = std::move(histogram);
        return;
    }
    Group& group = m_groups[index];
    group.count += from.count;
    group.total += from.total;
    group.self += from.self;
    group.min = std::min(group.min, from.min);
    group.max = std::max(group.max, from.max);
    if (histogram && m_histograms[index]) {
        for (std::size_t bucket = 0; bucket < duration_buckets::kCount; ++bucket)
            m_histograms[index][bucket] += histogram[bucket];
        return;
    }
    if (histogram) {
        m_histograms[index] = std::move(histogram);
        std::swap(group.kept, from.kept);  // those of few are counted in that of many
    }
    if (!m_histograms[index]) {
        group.kept.insert(group.kept.end(), from.kept.begin(), from.kept.end());
        if (group.kept.size() >= kFew)
            countKept(index);
        return;
    }
    for (const std::int64_t each : from.kept)
        ++m_histograms[index][duration_buckets::of(each)];
}

void SpanGroups::take(const Share& share) {
    for (std::size_t i = 0; i < share.m_sums.size(); ++i) {
        m_groups[i].squares += share.m_sums[i].squares;
        m_groups[i].kept.insert(m_groups[i].kept.end(), share.m_sums[i].kept.begin(),
                                share.m_sums[i].kept.end());
    }
}

void SpanGroups::startSecondPass() {
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        Group& group = m_groups[i];
        if (group.count == 0) {  // parts alone, of rows in a damaged chunk
            group.min = group.max = 0;
            continue;
        }
        group.mean = static_cast<double>(group.total) / static_cast<double>(group.count);
        if (!m_histograms[i])
            continue;  // all are kept
        const std::int64_t lowRank = (group.count - 1) / 2;
        const std::int64_t highRank = group.count / 2;
        std::int64_t before = 0;
        std::size_t bucket = 0;
        while (before + m_histograms[i][bucket] <= lowRank)
            before += m_histograms[i][bucket++];
        group.countBefore = before;
        group.keepFrom = duration_buckets::begin(bucket);
        while (before + m_histograms[i][bucket] <= highRank)
            before += m_histograms[i][bucket++];
        const std::int64_t next = duration_buckets::begin(bucket + 1);
        group.keepTo = next == INT64_MAX ? next : next - 1;
        if (group.keepFrom == group.keepTo)
            group.keepTo = group.keepFrom - 1;  // one possible value: nothing to select among
    }
    m_histograms.clear();
}

double SpanGroups::medianOf(Group& group) {
    if (group.kept.empty())
        return static_cast<double>(group.keepFrom);
    const auto low = group.kept.begin() + ((group.count - 1) / 2 - group.countBefore);
    std::nth_element(group.kept.begin(), low, group.kept.end());
    if (group.count % 2 == 1)
        return static_cast<double>(*low);
    const std::int64_t high = *std::min_element(low + 1, group.kept.end());
    return (static_cast<double>(*low) + static_cast<double>(high)) / 2;
}

std::vector<SpanGroups::Row> SpanGroups::takeRows() {
    std::vector<Row> rows;
    rows.reserve(m_groups.size());
    for (Group& group : m_groups) {
        Row& row = rows.emplace_back();
        row.key = group.key;
        StatisticsRow& out = row.statistics;
        out.total = Nanoseconds(static_cast<std::int64_t>(group.total));
        out.self = Nanoseconds(static_cast<std::int64_t>(group.self));
        out.instances = group.count;
        out.average = group.mean;
        out.median = medianOf(group);
        out.min = Nanoseconds(group.min);
        out.max = Nanoseconds(group.max);
        out.standardDeviation =
            group.count > 1 ? std::sqrt(group.squares / static_cast<double>(group.count - 1)) : 0;
        group.kept = {};
    }
    return rows;
}

}  // namespace warpglass
