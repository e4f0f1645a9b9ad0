// How a cell of a treemap is drawn: a group with its name, another with as much of name and size as there is
// room for. GUI thread only.
#pragma once

#include "ui/memory/treemap_cells.h"

class QPainter;

namespace warpglass::ui {

void paintTreemapCell(QPainter& painter, const TreemapCell& cell);

}  // namespace warpglass::ui
