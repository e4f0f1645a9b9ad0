#include "ui/theme/family_legend.h"

#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

QString familyName(OpFamily family) {
    return toQString(kOpFamilyNames[static_cast<std::size_t>(family)]);
}

LegendEntry familyEntry(OpFamily family) {
    return {Theme::instance().familyColor(family), familyName(family)};
}

FamilyLegend familyLegend(const std::array<double, kOpFamilyCount>& amounts) {
    FamilyLegend legend;
    for (std::size_t i = 0; i < kOpFamilyCount; ++i) {
        if (amounts[i] <= 0)
            continue;
        legend.entries.push_back(familyEntry(static_cast<OpFamily>(i)));
        legend.weights.push_back(amounts[i]);
    }
    return legend;
}

}  // namespace warpglass::ui
