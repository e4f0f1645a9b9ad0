// Means of a run in words, for the summary's tiles and cards.
#pragma once

#include <QString>

namespace warpglass::ui {

/// "29.2 ms"; of nanoseconds, and parts of one.
QString meanText(double nanoseconds);
/// "29,214,021 ns".
QString meanExact(double nanoseconds);

}  // namespace warpglass::ui
