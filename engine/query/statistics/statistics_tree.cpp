// The rows of grouped statistics as a tree: the second half of engine/query/statistics/grouped_statistics.h.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/query/spans/module_group.h"
#include "engine/query/statistics/grouped_statistics.h"

namespace warpglass {

namespace {

/// The figures of several rows as if their spans were counted together; of deviations by Chan's formula.
class Sum {
public:
    void add(const StatisticsRow& row) {
        const auto n = static_cast<double>(row.instances), before = static_cast<double>(m_row.instances);
        if (row.instances == 0)
            return;
        const double own = row.standardDeviation * row.standardDeviation * std::max(0.0, n - 1);
        const double apart = row.average - m_row.average;
        m_squares += own + apart * apart * before * n / (before + n);
        m_row.average += apart * n / (before + n);
        m_row.min = m_row.instances == 0 ? row.min : std::min(m_row.min, row.min);
        m_row.max = m_row.instances == 0 ? row.max : std::max(m_row.max, row.max);
        m_row.instances += row.instances;
        m_row.total += row.total;
        m_row.self += row.self;
        m_row.timeShare += row.timeShare;
        m_row.selfShare += row.selfShare;
        if (row.self > m_mostSelf) {
            m_mostSelf = row.self;
            m_row.family = row.family;
        }
    }
    StatisticsRow take() {
        m_row.median = std::numeric_limits<double>::quiet_NaN();
        m_row.standardDeviation =
            m_row.instances > 1 ? std::sqrt(m_squares / static_cast<double>(m_row.instances - 1)) : 0;
        return m_row;
    }

private:
    StatisticsRow m_row;
    double m_squares = 0;
    Nanoseconds m_mostSelf{-1};
};

using Works = std::unordered_map<std::string, const GroupedStatistics::Work*>;

/// Not the sum of its ops' totals, in which what is nested counts again.
void setTotal(StatisticsRow& group, Nanoseconds total, Nanoseconds ofAll) {
    group.total = total;
    group.timeShare = shareOf(total, ofAll);
}

/// Shares of one kernel are as one span: what it took for each module at once is what it took for all.
void addShare(StatisticsRow& sum, const StatisticsRow& share) {
    if (sum.instances == 0) {
        sum = share;
        return;
    }
    sum.total += share.total;
    sum.self += share.self;
    sum.timeShare += share.timeShare;
    sum.selfShare += share.selfShare;
    sum.average += share.average;
    sum.standardDeviation += share.standardDeviation;
    sum.min += share.min;
    sum.max += share.max;
}

/// Adds up a group's children into its row; and says whether all of its work is known.
struct KnownWork {
    bool whole = true;
    std::int64_t flops = 0, bytes = 0, ofProducts = 0, notMoved = 0;
    StatisticsRow unsplit{};
    std::map<int, StatisticsRow> split{};  // by GroupedRow::splitOf
};
KnownWork sumUp(StatisticsNode& node, const Works& works, const GroupedStatistics& statistics) {
    Sum sum;
    KnownWork work;
    for (StatisticsNode& child : node.children) {
        if (child.isGroup) {
            const KnownWork within = sumUp(child, works, statistics);
            work.whole = work.whole && within.whole;
            addWrapping(work.flops, within.flops);
            addWrapping(work.bytes, within.bytes);
            addWrapping(work.ofProducts, within.ofProducts);
            addWrapping(work.notMoved, within.notMoved);
            sum.add(within.unsplit);
            for (const auto& [source, share] : within.split)
                addShare(work.split[source], share);
        } else if (child.row.splitOf > 0) {
            addShare(work.split[child.row.splitOf], child.row.figures);
        } else {
            sum.add(child.row.figures);
        }
    }
    work.unsplit = sum.take();
    for (const auto& [source, share] : work.split)
        sum.add(share);
    if (const auto own = works.find(node.row.group); own != works.end()) {
        work.whole = work.whole && own->second->bytes;  // copies have no FLOPs
        addWrapping(work.flops, own->second->flops.value_or(Flops()).value);
        addWrapping(work.bytes, own->second->bytes.value_or(Bytes()).value);
        addWrapping(work.ofProducts, own->second->ofProducts.value);
        addWrapping(work.notMoved, own->second->notMoved.value);
    }
    std::string name = std::move(node.row.figures.name);
    node.row.figures = sum.take();
    node.row.figures.name = std::move(name);
    if (const auto known = statistics.groupTimes.find(node.row.group); known != statistics.groupTimes.end())
        setTotal(node.row.figures, known->second, statistics.totalOfFilter);
    const auto median = statistics.groupMedians.find(node.row.group);
    if (median != statistics.groupMedians.end())
        node.row.figures.median = median->second;
    if (work.whole && work.bytes > 0)
        node.row.bytes = Bytes(work.bytes);
    if (work.whole && work.notMoved > 0)
        node.row.notMoved = Bytes(work.notMoved);
    if (work.whole && work.flops > 0)
        node.row.flops = Flops(work.flops);
    if (work.whole && work.ofProducts > 0) {
        const auto time = static_cast<double>(node.row.figures.total.value) / 1e9;
        if (const double peak = statistics.peakFlopsPerSecond; peak > 0 && time > 0)
            node.row.shareOfPeak = std::min(1.0, static_cast<double>(work.ofProducts) / time / peak);
    }
    return work;
}

class TreeBuilder {
public:
    explicit TreeBuilder(SpanGrouping grouping) : m_grouping(grouping) { m_root.isGroup = true; }

    void add(const GroupedRow& row) {
        StatisticsNode* group = &m_root;
        if (m_grouping == SpanGrouping::kModule && !row.group.empty())
            group = descend(row.group);
        else if (m_grouping != SpanGrouping::kFlat)
            group = child(m_root, row.group, nameOf(row.group));
        group->children.push_back({row, false, {}});
    }
    StatisticsNode& root() { return m_root; }

private:
    /// The name of a group that no path leads to.
    static std::string_view nameOf(std::string_view group) {
        return group.empty() ? kOutsideModel : group == phaseName(Phase::kNone) ? kOutsidePhases : group;
    }
    StatisticsNode* descend(const std::string& path) {
        StatisticsNode* at = &m_root;
        std::size_t level = 0;
        for (std::size_t begin = 0; begin < path.size(); ++level) {
            const std::size_t end = endOfPathLevel(path, level, begin);
            at = child(*at, path.substr(0, end), path.substr(begin, end - begin));
            begin = end + 1;
        }
        return at;
    }
    /// A path has one parent, whichever row it comes with.
    StatisticsNode* child(StatisticsNode& of, const std::string& path, std::string_view name) {
        const auto [found, fresh] = m_indexOf.try_emplace(path, of.children.size());
        if (!fresh)
            return &of.children[found->second];
        StatisticsNode& made = of.children.emplace_back();
        made.isGroup = true;
        made.row.group = path;
        made.row.figures.name = name;
        return &made;
    }

    SpanGrouping m_grouping;
    StatisticsNode m_root;
    std::unordered_map<std::string, std::size_t> m_indexOf;  // among its parent's children, by path
};

std::size_t phaseOrder(const std::string& word) {
    return static_cast<std::size_t>(std::ranges::find(kPhaseNames, word) - kPhaseNames.begin());
}

}  // namespace

std::int64_t GroupedStatistics::instances() const {
    std::set<int> split;
    std::int64_t all = 0;
    for (const GroupedRow& row : rows)
        all += row.splitOf == 0 || split.insert(row.splitOf).second ? row.figures.instances : 0;
    return all;
}

std::vector<StatisticsNode> statisticsTree(const GroupedStatistics& statistics, SpanGrouping grouping) {
    TreeBuilder builder(grouping);
    for (const GroupedRow& row : statistics.rows)
        builder.add(row);
    StatisticsNode& root = builder.root();
    if (grouping == SpanGrouping::kFlat)
        return std::move(root.children);
    Works works;
    for (const GroupedStatistics::Work& work : statistics.groups)
        works.emplace(work.group, &work);
    for (StatisticsNode& group : root.children)
        sumUp(group, works, statistics);
    if (grouping == SpanGrouping::kPhase) {
        std::ranges::sort(root.children, [](const auto& a, const auto& b) {
            return phaseOrder(a.row.group) < phaseOrder(b.row.group);
        });
    }
    return std::move(root.children);
}

}  // namespace warpglass
