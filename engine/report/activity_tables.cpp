#include "engine/report/activity_tables.h"

#include <algorithm>

#include "engine/query/activity/gpu_idle.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/step_spans.h"
#include "engine/tables/report.h"
#include "engine/tables/statistics_columns.h"
#include "engine/tables/step_columns.h"
#include "engine/tables/table_shape.h"

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
    struct Use {
        std::string name;
        Nanoseconds time;
    };
    std::vector<Use> uses;
    const GpuTimeUse use = gpuUseOf(run, 0);
    if (use.steps > 0) {
        constexpr auto unknown = static_cast<std::size_t>(IdleCause::kUnknown);
        const Nanoseconds idle = use.wall - use.busy;
        uses.push_back({"busy", use.busy});
        for (std::size_t i = 0; i < use.idle.size(); ++i) {
            // Where no cause is known, noughts would say what was none of them.
            const bool anyKnown = use.idle[unknown] < idle || idle.value == 0;
            if (use.idle[i].value > 0 || (i != unknown && anyKnown))
                uses.push_back({"idle, " + std::string(kIdleCauseNames[i]), use.idle[i]});
        }
        uses.push_back({"step", use.wall});
    }
    using Part = Column<Use>;
    return tableOf<Use>(
        "gpu-time", "GPU time in the measured steps", uses,
        {Part("use", "GPU", &Use::name),
         Part("share", "Share", Unit::kFraction, shareOf(numberOf(use.wall), &Use::time)),
         Part("per_step_ns", "Per step", Unit::kNanoseconds,
              [&](const Use& part) { return numberOf(part.time) / static_cast<double>(use.steps); }),
         Part("total_ns", "Total", Unit::kNanoseconds, &Use::time)});
}

ReportTable gpuPhasesTable(const Snapshot& run, bool forPeople) {
    std::vector<StatisticsRow> rows = phaseStatistics(run, TrackKind::kGpuPhase);
    if (rows.size() == 1)
        rows.clear();  // the steps alone
    return reportOf(statisticsTable(StatisticsOf::kPhases), "Phases on the GPU, by CUDA events", rows, {},
                    forPeople, "gpu-phases");
}

ReportTable gpuIdleTable(const Snapshot& run, std::int64_t limit) {
    using Idle = Column<IdleStretch>;
    return tableOf<IdleStretch>(
        "gpu-idle", "Longest idle stretches of the GPU",
        gpuUseOf(run, limit > 0 ? static_cast<std::size_t>(limit) : kStretches).longest,
        {Idle("duration_ns", "Duration", Unit::kNanoseconds,
              through(&IdleStretch::range, &TimeRange::duration)),
         Idle("start_ns", "Start", Unit::kNanoseconds, through(&IdleStretch::range, &TimeRange::begin)),
         Idle("step", "Step", Unit::kCount, &IdleStretch::step),
         Idle("cause", "Cause",
              [](const IdleStretch& each) { return kIdleCauseNames[static_cast<std::size_t>(each.cause)]; }),
         Idle("next", "What ran next", [&](const IdleStretch& each) {
             return each.next.valid() ? cellOf(run.name(each.next)) : Cell();
         })});
}

ReportTable conditionsOfRunTable(const RunConditions& run, bool forPeople) {
    if (forPeople && !run.recorded())
        return recordOf("conditions", "Conditions of the run",
                        {{"known", "Host load, GPU clocks", Unit::kText,
                          run.sampled ? "no sample of a completed step" : "not recorded"}});
    const std::string cautions = joinedSentences(run.cautions());
    ReportTable table =
        reportOf(conditionsTable(),
                 std::string("What ") + (run.measured ? "the measured steps" : "the warm-up steps") +
                     " ran under. " + (cautions.empty() ? "Nothing of it disturbed them." : cautions),
                 run.recorded() ? rowOf(run) : rowOf(std::optional<RunConditions>()), {}, forPeople);
    // What limited the clock: an empty cell would look forgotten.
    for (std::vector<Cell>& row : table.rows) {
        if (forPeople)
            std::replace(row.begin(), row.end(), Cell(std::string()), Cell(std::string("nothing")));
    }
    return table;
}

ReportTable conditionsOfStepsTable(const Snapshot& snapshot, bool forPeople) {
    std::vector<StepRow> rows;
    const ConditionSeries series(snapshot);
    if (!series.empty()) {
        const StepStates states(snapshot);
        for (const StepSpan& step : endedSteps(snapshot))
            rows.push_back(
                {step.step, states.of(step.step), step.range, {}, std::nullopt, series.in(step.range)});
    }
    auto table = stepsTable();
    nameInFull(table.columns);
    return reportOf(table, "Conditions of each step", rows, {}, forPeople);
}

}  // namespace warpglass
