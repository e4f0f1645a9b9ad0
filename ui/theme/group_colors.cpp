#include "ui/theme/group_colors.h"

#include "ui/theme/theme.h"

namespace warpglass::ui {

QColor groupColor(std::size_t group) {
    static constexpr QRgb kColors[kGroupColors] = {0x77AADD, 0xEE8866, 0x44BB99, 0xEEDD88,
                                                   0xFFAABB, 0xBBCC33, 0x99DDFF, 0xAAAA00};
    return group < kGroupColors ? QColor(kColors[group]) : Theme::instance().colors().equal;
}

QColor seriesColor(std::size_t series) {
    static constexpr QRgb kDark[kSeriesColors] = {0x56B4E9, 0xE5735C, 0xF0E442, 0x4477DD, 0xE8EAED, 0xB06C9C};
    static constexpr QRgb kLight[kSeriesColors] = {0x0072B2, 0xD55E00, 0x00966D,
                                                   0x5B2A86, 0x8C564B, 0x2A2A2A};
    return QColor((Theme::instance().kind() == ThemeKind::kDark ? kDark : kLight)[series % kSeriesColors]);
}

}  // namespace warpglass::ui
