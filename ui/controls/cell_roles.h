// What a table's cells say beyond their text. Models answer these roles, CellDelegate draws them; colors are
// named by what they mean, so that a model knows no theme.
#pragma once

#include <QMetaType>
#include <Qt>
#include <array>
#include <cstdint>

#include "engine/tables/swatch.h"
#include "engine/trace/ids.h"

namespace warpglass::ui {

enum CellRole : int {
    /// What sorting compares: a number or a text.
    kSortRole = Qt::UserRole + 1,
    /// For copying: plain numbers in ns, bytes or fractions, text as it is.
    kPlainRole,
    /// A Swatch before the text.
    kSwatchRole,
    /// A ShareBar before the text.
    kShareRole,
    /// true: a code name, in the mono font.
    kMonoRole,
    /// −1 less, 1 more than what it is compared with: the text's color; 0 neither.
    kTrendRole,
    /// The depth of a row in a tree, in the column that shows it; −1 or nothing elsewhere.
    kDepthRole,
    /// An Expansion, in that column.
    kExpansionRole,
    /// true: a sum of the rows before it, in the strong font.
    kStrongRole,
    // For a section of a horizontal header:
    /// The column's width in logical pixels.
    kWidthRole,
    /// The title with its unit, for the plain numbers: "Total time (ns)".
    kPlainTitleRole,
    /// The name of the column independent of its current title; choices of columns are saved under it.
    /// Without it, the title is used.
    kColumnNameRole,
    /// Another title that the column may have been chosen by before there were names.
    kFormerTitleRole,
    /// true: the column's bars stand behind its numbers, at the left of a wide column.
    kLongBarRole,
};

/// Whether a row of a tree has others in it, and whether they are shown.
enum Expansion : int { kLeaf, kCollapsed, kExpanded };

/// `length` is the bar's share of the longest bar in its column, 0…1. When `parts` are not all zero they
/// divide the bar by memory category, in the order of the memory chart or the largest first; else it is of
/// one color, and `pale` of it at the end paler. A diverging one is −1…1 long and begins in the middle, or at
/// a side where all go the other way; without parts it is in the colors of less and more.
struct ShareBar {
    double length = 0;
    std::array<std::int64_t, kCategoryCount> parts{};
    bool diverging = false;
    bool largestFirst = false;  // a sum's parts, in the order of its rows
    double pale = 0;
    double zero = 0.5;  // where a diverging one begins, in 0…1
};

}  // namespace warpglass::ui

Q_DECLARE_METATYPE(warpglass::Swatch)
Q_DECLARE_METATYPE(warpglass::ui::ShareBar)
