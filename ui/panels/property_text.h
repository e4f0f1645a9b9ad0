// Figures for the inspector's lines: the value is short, its tool tip exact.
#pragma once

#include <QString>
#include <cstdint>

#include "engine/base/units.h"

namespace warpglass::ui {

QString shortDuration(Nanoseconds t);
/// "29,214,021 ns".
QString exactDuration(Nanoseconds t);
/// "248,481,021 ns from the start of the run", whatever the clock that the line itself is told by.
QString exactMoment(Nanoseconds t);
QString shortBytes(std::int64_t bytes);
QString exactBytes(std::int64_t bytes);
/// "12,345".
QString groupedCount(std::uint64_t count);

}  // namespace warpglass::ui
