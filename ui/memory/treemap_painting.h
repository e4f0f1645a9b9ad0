// How the cells of a treemap are drawn: a group with its name, another with as much of name and size as there
// is room for. GUI thread only.
#pragma once

#include "ui/memory/treemap_cells.h"

class QPainter;

namespace warpglass::ui {

void paintTreemap(QPainter& painter, const std::vector<TreemapCell>& cells);

}  // namespace warpglass::ui
