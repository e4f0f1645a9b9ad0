#include "engine/query/span_groups.h"

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

void SpanGroups::keepOneOfFew(std::size_t index, std::int64_t duration) {
    std::vector<std::int64_t>& kept = m_groups[index].kept;
    kept.push_back(duration);
    if (kept.size() < kFew)
        return;
    m_histograms[index] = std::make_unique<std::uint32_t[]>(duration_buckets::kCount);
    for (const std::int64_t each : kept)
        ++m_histograms[index][duration_buckets::of(each)];
    kept = {};
}

void SpanGroups::startSecondPass() {
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        Group& group = m_groups[i];
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
