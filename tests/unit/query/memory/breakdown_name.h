// The name of a breakdown's row, worked out by hand.
#pragma once

#include <string>

#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/spans/module_group.h"

namespace warpglass::test {

inline std::string breakdownName(const Snapshot& run, const AllocationRow& row, BreakdownKey key) {
    const Place place = run.place(row.place);
    const std::string module(run.name(place.module)), op(run.name(row.op));
    if (key == BreakdownKey::kCategory)
        return std::string(categoryName(row.category));
    if (key == BreakdownKey::kPhase)
        return place.phase == Phase::kNone ? "(outside a phase)" : std::string(phaseName(place.phase));
    if (key == BreakdownKey::kOp)
        return op.empty() ? "(outside any op)" : op;
    if (module.empty())
        return "(outside the model)";
    return key == BreakdownKey::kModule       ? module
           : key == BreakdownKey::kModulePart ? modulePart(module)
                                              : moduleGroup(module);
}

}  // namespace warpglass::test
