#include "engine/report/condition_tables.h"

#include <algorithm>

#include "engine/query/spans/step_spans.h"
#include "engine/tables/report.h"
#include "engine/tables/step_columns.h"

namespace warpglass {

ReportTable conditionsOfRunTable(const RunConditions& run, bool forPeople) {
    if (forPeople && !run.recorded())
        return {"Conditions of the run",
                {{"Host load, GPU clocks", "known"}},
                {{std::string(run.sampled ? "no sample of a completed step" : "not recorded")}},
                "conditions"};
    const std::string cautions = joinedSentences(run.cautions());
    std::vector<RunConditions> rows;
    if (run.recorded())
        rows.push_back(run);
    ReportTable table =
        reportOf(conditionsTable(),
                 std::string("What ") + (run.measured ? "the measured steps" : "the warm-up steps") +
                     " ran under. " + (cautions.empty() ? "Nothing of it disturbed them." : cautions),
                 rows, {}, forPeople);
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
