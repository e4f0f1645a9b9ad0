#include "engine/report/gpu_tables.h"

#include "engine/query/activity/gpu_idle.h"
#include "engine/query/completeness/completeness.h"
#include "engine/tables/report.h"
#include "engine/tables/statistics_columns.h"

namespace warpglass {
namespace {

/// As many as a screen shows.
constexpr std::size_t kStretches = 20;

/// As far as the file tells: what is missing is not idle, and without the calls no cause is known.
GpuTimeUse gpuUseOf(const Snapshot& run, std::size_t longestStretches) {
    GpuTimeUse use = gpuTimeUse(run, longestStretches);
    const MissingRecords missing = Completeness(run).missing();  // once what it takes has been read
    if (missing.lacksGpuWork())
        return {};
    if (missing.lacks(RecordKind::kCalls))
        forgetCauses(use);
    return use;
}

}  // namespace

ReportTable gpuTimeTable(const Snapshot& run) {
    ReportTable table{"GPU time in the measured steps",
                      {{"GPU", "use"},
                       {"Share", "share", Unit::kFraction},
                       {"Per step", "per_step_ns", Unit::kNanoseconds},
                       {"Total", "total_ns", Unit::kNanoseconds}},
                      {},
                      "gpu-time"};
    const GpuTimeUse use = gpuUseOf(run, 0);
    if (use.steps == 0)
        return table;
    const auto add = [&](std::string name, Nanoseconds time) {
        const auto total = static_cast<double>(time.value);
        table.rows.push_back({std::move(name),
                              use.wall.value > 0 ? total / static_cast<double>(use.wall.value) : 0.0,
                              total / static_cast<double>(use.steps), time.value});
    };
    constexpr auto unknown = static_cast<std::size_t>(IdleCause::kUnknown);
    const Nanoseconds idle = use.wall - use.busy;
    add("busy", use.busy);
    for (std::size_t i = 0; i < use.idle.size(); ++i) {
        // Where no cause is known, noughts would say what was none of them.
        const bool anyKnown = use.idle[unknown] < idle || idle.value == 0;
        if (use.idle[i].value > 0 || (i != unknown && anyKnown))
            add("idle, " + std::string(kIdleCauseNames[i]), use.idle[i]);
    }
    add("step", use.wall);
    return table;
}

ReportTable gpuPhasesTable(const Snapshot& run, bool forPeople) {
    std::vector<StatisticsRow> rows = phaseStatistics(run, TrackKind::kGpuPhase);
    if (rows.size() == 1)
        rows.clear();  // the steps alone
    return reportOf(statisticsTable(StatisticsOf::kPhases), "Phases on the GPU, by CUDA events", rows, {},
                    forPeople, "gpu-phases");
}

ReportTable gpuIdleTable(const Snapshot& run, std::int64_t limit) {
    ReportTable table{"Longest idle stretches of the GPU",
                      {{"Duration", "duration_ns", Unit::kNanoseconds},
                       {"Start", "start_ns", Unit::kNanoseconds},
                       {"Step", "step", Unit::kCount},
                       {"Cause", "cause"},
                       {"What ran next", "next"}},
                      {},
                      "gpu-idle"};
    const GpuTimeUse use = gpuUseOf(run, limit > 0 ? static_cast<std::size_t>(limit) : kStretches);
    for (const IdleStretch& stretch : use.longest)
        table.rows.push_back({stretch.range.duration().value, stretch.range.begin.value,
                              std::int64_t{stretch.step},
                              std::string(kIdleCauseNames[static_cast<std::size_t>(stretch.cause)]),
                              stretch.next.valid() ? Cell(std::string(run.name(stretch.next))) : Cell()});
    return table;
}

}  // namespace warpglass
