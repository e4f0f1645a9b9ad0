// Names and colors of the op families, the same in the legend of every view.
//
// GUI thread.
#pragma once

#include <QString>
#include <array>
#include <vector>

#include "engine/query/spans/op_family.h"
#include "ui/theme/legend.h"

namespace warpglass::ui {

/// "matmul", as tables have it.
QString familyName(OpFamily family);
/// In the current theme's colors.
LegendEntry familyEntry(OpFamily family);

/// The families of which there is any, with how much in one unit of the caller's, in the order of all views.
struct FamilyLegend {
    std::vector<LegendEntry> entries;
    std::vector<double> weights;
};
FamilyLegend familyLegend(const std::array<double, kOpFamilyCount>& amounts);

}  // namespace warpglass::ui
