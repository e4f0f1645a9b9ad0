// Figures for the inspector's lines: the value is short, its tool tip exact.
#pragma once

#include <QString>
#include <cstdint>

#include "engine/base/units.h"

namespace warpglass::ui {

/// "248.481 ms": with the digits that tell kernels apart.
QString shortMoment(Nanoseconds t);
QString shortDuration(Nanoseconds t);
/// "29,214,021 ns"; of a moment as well.
QString exactDuration(Nanoseconds t);
QString shortBytes(std::int64_t bytes);
QString exactBytes(std::int64_t bytes);
/// "12,345".
QString groupedCount(std::uint64_t count);

}  // namespace warpglass::ui
