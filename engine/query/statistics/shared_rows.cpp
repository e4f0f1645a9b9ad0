#include "engine/query/statistics/shared_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/plan/parts.h"
#include "engine/query/model/plan_of_run.h"

namespace warpglass {
namespace {

/// What of a row is for one module.
struct ModuleShare {
    std::int64_t time = 0;
    double bytes = 0;
};

GroupedRow partOf(const GroupedRow& row, std::string_view module, std::int64_t time, double fraction) {
    const auto scaled = [fraction](auto& amount) {
        amount = std::remove_reference_t<decltype(amount)>(
            std::llround(static_cast<double>(amount.value) * fraction));
    };
    GroupedRow part = row;
    part.group = module;
    part.ranIn = row.group;
    StatisticsRow& figures = part.figures;
    figures.total = figures.self = Nanoseconds(time);
    for (double* figure : {&figures.timeShare, &figures.selfShare, &figures.average, &figures.median,
                           &figures.standardDeviation})
        *figure *= fraction;
    scaled(figures.min);
    scaled(figures.max);
    if (part.flops)
        scaled(*part.flops);
    if (part.bytes)
        scaled(*part.bytes);
    if (part.notMoved)
        scaled(*part.notMoved);
    return part;
}

/// Medians of groups that a part was taken from or came into are not known any more.
void forgetMedians(GroupedStatistics& statistics, std::string_view group) {
    const auto forget = [&](std::string_view path) { statistics.groupMedians.erase(std::string(path)); };
    forget(group);
    for (std::size_t at = group.find_first_of("./"); at != group.npos; at = group.find_first_of("./", at + 1))
        forget(group.substr(0, at));
}

}  // namespace

SharedRows::SharedRows(const Snapshot& snapshot, const SpanFilter& filter, TrackKind kind,
                       SpanGrouping grouping)
    : m_snapshot(snapshot) {
    if (kind != TrackKind::kGpuStream || grouping != SpanGrouping::kModule || !filter.modulePath.empty() ||
        !hasSharedWork(snapshot))
        return;
    m_shared.emplace(snapshot);
    for (const UpdateOp& op : planOf(configOfRun(snapshot)->optimizer).ops) {
        if (const NameId name = snapshot.findName(op.name); name.valid())
            m_updates.push_back(name);
    }
}

std::size_t SharedRows::kindOf(const SpanChunk& chunk, std::uint32_t i) const {
    // An op of the same name elsewhere is for what it stands in, and is split in no view (SharedWork).
    const Place place = m_snapshot.place(PlaceId(chunk.place[i]));
    if (m_updates.empty() || place.phase != Phase::kOptimizer || !m_snapshot.name(place.module).empty())
        return 0;
    const auto detail = m_snapshot.detail(DetailId(chunk.detail[i]));
    const auto found = detail ? std::ranges::find(m_updates, detail->op) : m_updates.end();
    return found == m_updates.end() ? 0 : static_cast<std::size_t>(found - m_updates.begin()) + 1;
}

void SharedRows::add(std::size_t kind, PlaceId place, NameId kernel) {
    if (!m_shared)
        return;
    WorkRow& row = m_rows.emplace_back();
    row.place = place;
    row.op = kind > 0 ? m_updates[kind - 1] : NameId();
    row.kernel = kernel;
}

void SharedRows::split(GroupedStatistics& statistics) {
    if (!m_shared)
        return;
    std::vector<GroupedRow> rows;
    for (std::size_t i = 0; i < statistics.rows.size(); ++i) {
        GroupedRow& row = statistics.rows[i];
        m_rows[i].time = row.figures.total.value;
        const Sharing* const sharing = m_shared->of(m_rows[i].place, m_rows[i].op, m_rows[i].kernel);
        if (!sharing) {
            rows.push_back(std::move(row));
            continue;
        }
        std::map<std::string_view, ModuleShare> shares;
        for (const SharedWork::Share& share : m_shared->sharesOf(m_rows[i]))
            shares[share.module].time += share.time;
        double bytes = 0;
        for (const ServedModule& served : sharing->modules) {
            shares[served.module].bytes += static_cast<double>(served.moved.value);
            bytes += static_cast<double>(served.moved.value);
        }
        for (const auto& [module, share] : shares) {
            rows.push_back(partOf(row, module, share.time, share.bytes / bytes));
            rows.back().splitOf = static_cast<int>(m_whole.size()) + 1;
        }
        m_whole.push_back(std::move(row));
    }
    statistics.rows = std::move(rows);
    statistics.splits = m_shared->sentences();
}

void SharedRows::moveWork(GroupedStatistics& statistics) const {
    if (m_whole.empty())
        return;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < statistics.groups.size(); ++i)
        places.emplace(statistics.groups[i].group, i);
    // Negative where it leaves a group. A group of which some work is unknown stays so.
    const auto give = [&](const GroupedRow& row, std::int64_t sign) {
        forgetMedians(statistics, row.group);
        if (!row.bytes)
            return;
        const auto [found, fresh] = places.try_emplace(row.group, statistics.groups.size());
        if (fresh)
            statistics.groups.push_back({row.group, Flops(), Bytes(), Flops(), Bytes()});
        GroupedStatistics::Work& work = statistics.groups[found->second];
        if (!work.bytes)
            return;
        work.flops =
            Flops(wrappingAdd(work.flops.value_or(Flops()).value, sign * row.flops.value_or(Flops()).value));
        work.bytes = Bytes(wrappingAdd(work.bytes->value, sign * row.bytes->value));
        work.notMoved = Bytes(wrappingAdd(work.notMoved.value, sign * row.notMoved.value_or(Bytes()).value));
    };
    for (const GroupedRow& row : m_whole)
        give(row, -1);
    for (const GroupedRow& row : statistics.rows) {
        if (row.splitOf > 0)
            give(row, 1);
    }
}

}  // namespace warpglass
