// What one run contributes to a comparison table: one figure per name.
//
// Internal to engine/query.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass {

using ComparedFigures = std::map<std::string, double, std::less<>>;

/// Sums by name id, divided; under `none` what has no name.
void addByName(const Snapshot& snapshot, const std::vector<std::int64_t>& byName, double divisor,
               std::string_view none, ComparedFigures& figures);
/// Sums by place id, divided, under the module that each is in and those around it; kOutsideModel for the
/// rest.
void addByModule(const Snapshot& snapshot, const std::vector<std::int64_t>& byPlace, double divisor,
                 ComparedFigures& figures);
/// One figure of a module, likewise.
void addToModules(std::string_view path, double figure, ComparedFigures& figures);

}  // namespace warpglass
