#include "engine/query/plan_of_run.h"

namespace warpglass {

std::optional<RunConfig> configOfRun(const Snapshot& snapshot) {
    const Result<RunConfig> config = configFromPairs(snapshot.info().pairs());
    if (!config || !validate(*config).empty())
        return std::nullopt;
    return *config;
}

}  // namespace warpglass
