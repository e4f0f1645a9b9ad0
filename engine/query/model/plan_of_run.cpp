#include "engine/query/model/plan_of_run.h"

#include "engine/plan/valid_config.h"
#include "engine/query/spans/module_group.h"

namespace warpglass {

std::optional<RunConfig> configOfRun(const Snapshot& snapshot) {
    Result<RunConfig> config = configFromPairs(snapshot.info().pairs());
    if (!config || !validate(*config).empty())
        return std::nullopt;
    return std::move(*config);
}

bool isPlannedIn(const SpanFilter& filter, PlanPhase phase, std::string_view module) {
    return (!filter.phase || *filter.phase == tracePhase(phase)) &&
           (filter.modulePath.empty() || isWithin(module, filter.modulePath));
}

}  // namespace warpglass
