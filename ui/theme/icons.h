// Our own line drawings on a 16 px grid, 1.5 px strokes, in whatever color the text beside them has.
#pragma once

#include <QColor>
#include <QIcon>
#include <QRectF>

class QPainter;

namespace warpglass::ui {

enum class Icon {
    kRun,
    kStop,
    kChevronDown,
    kChevronUp,
    kChevronRight,
    kClose,
    kSearch,
    kCheck,
    kWarning,
    kMore,
    kChevronLeft,
    kPlus,
    kColumns,
    kHistogram
};
inline constexpr int kIconCount = 14;

/// Centered in `rect`, scaled to its shorter side but never above 16 px.
void paintIcon(QPainter& painter, const QRectF& rect, Icon icon, const QColor& color);
/// Drawn anew at every size and pixel ratio. An invalid color follows the theme's text color.
QIcon makeIcon(Icon icon, const QColor& color = QColor());
/// Follows the theme's secondary text color.
QIcon makeQuietIcon(Icon icon);

}  // namespace warpglass::ui
