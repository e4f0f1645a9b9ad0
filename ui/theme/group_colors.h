// Colors of groups that have none of their own (modules, ops): Paul Tol's "light" scheme, whose colors are
// told apart with the common color-vision deficiencies and bear dark text (personal.sron.nl/~pault, "Color
// schemes", 2021). The same in both themes.
#pragma once

#include <QColor>
#include <cstddef>

namespace warpglass::ui {

inline constexpr std::size_t kGroupColors = 8;
/// Gray for the rest, from kGroupColors on.
QColor groupColor(std::size_t group);

/// The color of lines, points and bars in a chart of data, by the shown theme: 3.4 : 1 and more on
/// the background, told apart with the common color-vision deficiencies. They repeat from kSeriesColors on.
inline constexpr std::size_t kSeriesColors = 6;
QColor seriesColor(std::size_t series);

}  // namespace warpglass::ui
