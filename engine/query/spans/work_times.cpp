#include "engine/query/spans/work_times.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "engine/query/spans/text_match.h"

namespace warpglass {
namespace {

struct Key {
    std::uint32_t place = 0, op = 0, kernel = 0, signature = NameId().value;
    bool operator==(const Key&) const = default;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        // Fibonacci hashing of each part: ids are small and dense.
        constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;
        std::uint64_t hash = key.place * kGolden;
        hash = (hash ^ (hash >> 32) ^ key.op) * kGolden;
        hash = (hash ^ (hash >> 32) ^ key.kernel) * kGolden;
        hash = (hash ^ (hash >> 32) ^ key.signature) * kGolden;
        return static_cast<std::size_t>(hash ^ (hash >> 32));
    }
};

class Sums {
public:
    void add(const Key& key, std::int64_t time, bool copy = false) {
        // Ops come in runs of the same kind.
        if (m_rows.empty() || key != m_lastKey) {
            m_last = m_index.try_emplace(key, m_rows.size()).first->second;
            m_lastKey = key;
            if (m_last == m_rows.size())
                m_rows.push_back({PlaceId(key.place), NameId(key.op), NameId(key.kernel), 0, 0, copy,
                                  NameId(key.signature)});
        }
        WorkRow& row = m_rows[m_last];
        row.time = std::max<std::int64_t>(0, wrappingAdd(row.time, std::max<std::int64_t>(time, 0)));
        ++row.instances;
    }
    std::vector<WorkRow> take() { return std::move(m_rows); }

private:
    std::unordered_map<Key, std::size_t, KeyHash> m_index;
    std::vector<WorkRow> m_rows;
    Key m_lastKey;
    std::size_t m_last = 0;
};

struct WorkConditions {
    WorkConditions(const Snapshot& snapshot, const WorkScope& scope)
        : ranges(scope.filter.ranges), rows(snapshot, scope.filter), text(snapshot, scope.text) {}
    const std::vector<TimeRange>& ranges;
    RowFilter rows;
    TextMatch text;
};

void addGpu(const Snapshot& snapshot, const WorkConditions& conditions, bool onCpuSide, Sums& sums) {
    const bool byLaunch = onCpuSide && !conditions.ranges.empty();
    const std::optional<LaunchTimes> launches =
        byLaunch ? std::optional<LaunchTimes>(snapshot) : std::nullopt;
    const std::vector<TimeRange> ranges = byLaunch ? std::vector<TimeRange>() : conditions.ranges;
    for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
        forEachRow(snapshot, kind, ranges, [&](const SpanChunk& chunk, std::uint32_t i) {
            if (!conditions.rows.passes(chunk, i) ||
                (launches && !launches->startsIn(chunk.link[i], conditions.ranges)))
                return;
            const auto detail = snapshot.detail(DetailId(chunk.detail[i]));
            const NameId op = detail ? detail->op : NameId();
            if (conditions.text.passes(chunk.name[i], op.value, chunk.place[i]))
                sums.add({chunk.place[i], op.value, chunk.name[i],
                          detail ? detail->fullName.value : NameId().value},
                         chunk.duration[i], kind == TrackKind::kGpuCopies);
        });
    }
}

void addCpu(const Snapshot& snapshot, const WorkConditions& conditions, Sums& sums) {
    forEachRow(snapshot, TrackKind::kCpuThread, conditions.ranges,
               [&](const SpanChunk& chunk, std::uint32_t i) {
                   if (conditions.rows.passes(chunk, i) &&
                       conditions.text.passes(chunk.name[i], NameId().value, chunk.place[i]))
                       sums.add({chunk.place[i], chunk.name[i], NameId().value}, chunk.self[i]);
               });
}

}  // namespace

bool hasKernels(const Snapshot& snapshot) {
    const std::vector<SpanLane> lanes = lanesOfKind(snapshot, TrackKind::kGpuStream);
    return std::ranges::any_of(lanes, [](const SpanLane& lane) { return !lane.empty(); });
}

bool isOfWholeSteps(const Snapshot& snapshot, const WorkScope& scope) {
    return scope.ofWholeSteps() &&
           (!scope.filter.step || completeSteps(snapshot).contains(*scope.filter.step));
}

bool isOfUnfinishedStep(const Snapshot& snapshot, const WorkScope& scope) {
    const StepSelection complete = completeSteps(snapshot);
    return complete.count == 0 || (scope.filter.step && !complete.contains(*scope.filter.step));
}

WorkTimes workTimes(const Snapshot& snapshot, const WorkScope& scope) {
    WorkTimes times;
    times.gpu = hasKernels(snapshot);
    times.ofRange = !scope.filter.ranges.empty() || scope.filter.step;
    const StepSelection steps = scope.allSteps ? completeSteps(snapshot) : stepsToAverage(snapshot);
    times.measured = !times.ofRange && steps.measured;
    times.steps = times.ofRange ? 1 : steps.count;
    if (times.steps == 0)
        return times;
    WorkConditions conditions(snapshot, scope);
    if (!times.ofRange)
        conditions.rows.keepSteps(steps);
    Sums sums;
    if (times.gpu)
        addGpu(snapshot, conditions, scope.filter.byLaunch, sums);
    else
        addCpu(snapshot, conditions, sums);
    times.rows = sums.take();
    return times;
}

OpFamily familyOf(const Snapshot& snapshot, const WorkRow& row) {
    if (row.copy)
        return OpFamily::kCopy;
    const std::string_view op = snapshot.name(row.op);
    return kernelFamily(row.kernel.valid() ? snapshot.name(row.kernel) : op, snapshot.name(row.signature), op,
                        snapshot.place(row.place).phase);
}

std::vector<WorkRow> gpuWork(const Snapshot& snapshot, const RowFilter& filter) {
    const WorkScope everything;
    WorkConditions conditions(snapshot, everything);
    conditions.rows = filter;
    Sums sums;
    addGpu(snapshot, conditions, false, sums);
    return sums.take();
}

}  // namespace warpglass
