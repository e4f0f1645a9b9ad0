// Keeps a chart's chosen mark and its table's current row the same thing: a row of the model is a mark.
#pragma once

#include <functional>

namespace warpglass::ui {

class DataTable;
class MarkChart;

/// `chosen(row)` when the user chooses in either (−1 for none), `activated(row)` on Enter or a double
/// click. Both outlive the connection together, as parts of one view.
void linkTable(MarkChart& chart, DataTable& table, const std::function<void(int)>& chosen,
               const std::function<void(int)>& activated);

}  // namespace warpglass::ui
