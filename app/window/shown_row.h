// A row of a view's tables by its text: what a lesson points at, and what `--select` selects. GUI thread
// only.
#pragma once

#include <QModelIndex>
#include <QString>
#include <optional>

#include "app/window/window_fwd.h"

namespace warpglass::app {

struct ShownRow {
    ui::DataTable* table;
    QModelIndex index;
};
/// The first row in the visible tables within `view` that has that text in one of its cells, or in their tool
/// tips: these have a kernel's name as it is recorded. Ignores case; nothing where there is none.
std::optional<ShownRow> shownRow(const QWidget& view, const QString& text);

}  // namespace warpglass::app
