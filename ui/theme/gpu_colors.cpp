#include "ui/theme/gpu_colors.h"

#include <QCoreApplication>

#include "ui/theme/theme.h"

namespace warpglass::ui {

QColor gpuPartColor(GpuBusy::Part part) {
    const ThemeColors& colors = Theme::instance().colors();
    switch (part) {
        case GpuBusy::Part::kBusy:
            return colors.accent;
        // Idle time is in none of the colors that memory's categories have beside it.
        case GpuBusy::Part::kHostLate:
            // On a light ground a warning's color is made for text; as the fill of most of a lane it is mud.
            return Theme::instance().kind() == ThemeKind::kDark ? colors.warning : QColor(0xE3, 0x9A, 0x55);
        case GpuBusy::Part::kSynchronization:
            return colors.secondaryText;
        case GpuBusy::Part::kGap:
            return Theme::mixed(colors.secondaryText, colors.hairline, 0.5);
        case GpuBusy::Part::kUnknown:
            // A hairline alone is not seen as a fill on the lightest ground.
            return Theme::mixed(colors.hairline, colors.secondaryText, 0.08);
        case GpuBusy::Part::kOutside:
            break;
    }
    return colors.background;
}

QString gpuPartName(GpuBusy::Part part) {
    const auto tr = [](const char* text) {
        return QCoreApplication::translate("warpglass::ui::SummaryPage", text);
    };
    switch (part) {
        case GpuBusy::Part::kBusy:
            return tr("busy");
        case GpuBusy::Part::kHostLate:
            return tr("idle, waiting for the host");
        case GpuBusy::Part::kSynchronization:
            return tr("idle, synchronization");
        case GpuBusy::Part::kGap:
            return tr("idle, kernel gap");
        case GpuBusy::Part::kUnknown:
            return tr("idle, unknown");
        case GpuBusy::Part::kOutside:
            break;
    }
    return tr("outside the steps");
}

}  // namespace warpglass::ui
