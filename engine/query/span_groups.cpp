#include "engine/query/span_groups.h"

#include <cmath>

namespace warpglass {

std::int64_t SpanGroups::bucketBegin(std::size_t bucket) {
    constexpr std::size_t kExact = std::size_t{2} << kSubBits;  // below it a bucket holds one duration
    if (bucket < kExact)
        return static_cast<std::int64_t>(bucket);
    const std::size_t shift = (bucket >> kSubBits) - 1;
    const std::size_t leading = bucket - (shift << kSubBits);
    // The bucket after the last one begins beyond the largest int64.
    return shift + kSubBits + 1 >= 64 ? INT64_MAX : static_cast<std::int64_t>(leading << shift);
}

std::uint32_t SpanGroups::makeGroup(std::size_t key) {
    const auto index = static_cast<std::uint32_t>(m_groups.size());
    m_groupOf[key] = index;
    m_groups.emplace_back().key = key;
    m_histograms.push_back(std::make_unique<std::uint32_t[]>(kBuckets));
    return index;
}

void SpanGroups::startSecondPass() {
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        Group& group = m_groups[i];
        group.mean = static_cast<double>(group.total) / static_cast<double>(group.count);
        const std::int64_t lowRank = (group.count - 1) / 2;
        const std::int64_t highRank = group.count / 2;
        std::int64_t before = 0;
        std::size_t bucket = 0;
        while (before + m_histograms[i][bucket] <= lowRank)
            before += m_histograms[i][bucket++];
        group.countBefore = before;
        group.keepFrom = bucketBegin(bucket);
        while (before + m_histograms[i][bucket] <= highRank)
            before += m_histograms[i][bucket++];
        const std::int64_t next = bucketBegin(bucket + 1);
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
