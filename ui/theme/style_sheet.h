// The application's style sheet, written from the theme's tokens. What a style sheet can't say (arrows, check
// marks) is drawn by WarpglassStyle.
//
// Dynamic properties that it knows: accent (the Run button), chip, segment, flatRow, secondary (text),
// problem (a sentence that needs attention), bar (a 36 px strip over a view), card.
#pragma once

#include <QPalette>
#include <QString>

#include "ui/theme/theme.h"

namespace warpglass::ui {

QPalette paletteOf(const ThemeColors& colors);
QString styleSheet(const ThemeColors& colors, ThemeKind kind);

}  // namespace warpglass::ui
