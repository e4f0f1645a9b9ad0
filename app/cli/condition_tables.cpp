#include "app/cli/condition_tables.h"

#include <cmath>

#include "app/cli/report.h"
#include "engine/base/gpu_state.h"
#include "engine/query/step_spans.h"
#include "engine/query/step_table.h"

namespace warpglass::cli {
namespace {

ReportCell wholeOrAbsent(const std::optional<double>& value) {
    return value ? ReportCell(std::int64_t{std::llround(*value)}) : ReportCell();
}

std::vector<ReportColumn> conditionColumns() {
    return {{"Cores used by others", "others_cores", Unit::kRatio},
            {"Thread waited for a core", "waited_share", Unit::kFraction},
            {"Preemptions a second", "preemptions_per_second", Unit::kCount},
            {"Cores taken by the hypervisor", "stolen_cores", Unit::kRatio},
            {"Held back by a CPU quota", "throttled_share", Unit::kFraction},
            {"SM clock (MHz)", "sm_clock_mhz", Unit::kCount},
            {"Memory clock (MHz)", "memory_clock_mhz", Unit::kCount},
            {"Clock limited by", "clock_reasons"},
            {"Power (W)", "power_watts", Unit::kCount},
            {"Temperature (°C)", "temperature_celsius", Unit::kCount},
            {"Programs on the GPU", "gpu_processes", Unit::kCount}};
}

void addConditions(const Conditions& conditions, std::vector<ReportCell>& cells) {
    cells.push_back(orAbsent(conditions.othersCores));
    cells.push_back(orAbsent(conditions.waitedShare));
    cells.push_back(wholeOrAbsent(conditions.preemptions));
    cells.push_back(orAbsent(conditions.stolenCores));
    cells.push_back(orAbsent(conditions.throttledShare));
    cells.push_back(wholeOrAbsent(conditions.smClock));
    cells.push_back(wholeOrAbsent(conditions.memoryClock));
    cells.push_back(conditions.clockReasons ? ReportCell(clockReasonsInWords(*conditions.clockReasons))
                                            : ReportCell());
    cells.push_back(wholeOrAbsent(conditions.power));
    cells.push_back(wholeOrAbsent(conditions.temperature));
    cells.push_back(orAbsent(conditions.gpuProcesses));
}

}  // namespace

ReportTable conditionsOfRunTable(const RunConditions& run, bool forPeople) {
    if (forPeople && !run.recorded())
        return {"What the run ran under",
                {{"Load of the host, clocks of the GPU", "known"}},
                {{std::string(run.sampled ? "no sample of a completed step is there" : "not recorded")}},
                "conditions"};
    const std::string cautions = joinedSentences(run.cautions());
    ReportTable table{std::string("What ") + (run.measured ? "the measured steps" : "the warm-up steps") +
                          " ran under. " + (cautions.empty() ? "Nothing of it disturbed them." : cautions),
                      conditionColumns(),
                      {},
                      "conditions"};
    table.columns.insert(table.columns.end(), {{"Cores of the host", "host_cores", Unit::kRatio},
                                               {"Cores the run needs", "needed_cores", Unit::kRatio},
                                               {"Fastest SM clock (MHz)", "max_sm_clock_mhz", Unit::kCount}});
    if (!forPeople)
        table.columns.push_back({"Cautions", "cautions"});
    if (!run.recorded())
        return table;
    std::vector<ReportCell>& cells = table.rows.emplace_back();
    addConditions(run.steps, cells);
    cells.push_back(run.cores > 0 ? ReportCell(run.cores) : ReportCell());
    cells.push_back(run.cores > 0 ? ReportCell(run.coresNeeded) : ReportCell());
    cells.push_back(wholeOrAbsent(run.maxSmClock));
    if (!forPeople)
        cells.push_back(cautions.empty() ? ReportCell() : ReportCell(cautions));
    return table;
}

ReportTable conditionsOfStepsTable(const Snapshot& snapshot) {
    ReportTable table{"What each step ran under",
                      {{"Step", "step", Unit::kCount},
                       {"Start", "start_ns", Unit::kNanoseconds},
                       {"Duration", "duration_ns", Unit::kNanoseconds},
                       {"Counts as", "counts_as"}},
                      {},
                      "conditions"};
    for (ReportColumn& column : conditionColumns())
        table.columns.push_back(std::move(column));
    const ConditionSeries series(snapshot);
    if (series.empty())
        return table;
    const StepStates states(snapshot);
    for (const StepSpan& step : endedSteps(snapshot)) {
        std::vector<ReportCell>& cells = table.rows.emplace_back();
        cells = {std::int64_t{step.step}, step.range.begin.value, step.range.duration().value,
                 std::string(kStepStateNames[static_cast<std::size_t>(states.of(step.step))])};
        addConditions(series.in(step.range), cells);
    }
    return table;
}

}  // namespace warpglass::cli
