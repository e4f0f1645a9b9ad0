// The points of a chart as a table, for those who draw it elsewhere.
#pragma once

#include "engine/tables/chart.h"
#include "engine/tables/report_table.h"

namespace warpglass {

/// A row for each point of each series, in their order: series, x, y (of a heat map the value as well, of a
/// bridge where the bar begins), the deviation where any point has one, and the state of a point that was not
/// measured. Points of a category have its name. Keys have the unit as suffix: "y_ns".
ReportTable chartTable(const Chart& chart);

}  // namespace warpglass
