#include "ui/theme/group_colors.h"

#include "ui/theme/theme.h"

namespace warpglass::ui {

QColor groupColor(std::size_t group) {
    static constexpr QRgb kColors[kGroupColors] = {0x77AADD, 0xEE8866, 0x44BB99, 0xEEDD88,
                                                   0xFFAABB, 0xBBCC33, 0x99DDFF, 0xAAAA00};
    return group < kGroupColors ? QColor(kColors[group]) : Theme::instance().colors().equal;
}

}  // namespace warpglass::ui
