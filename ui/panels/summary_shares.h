// What the summary's cards are of: a mean step by phase, the GPU's time by what it did, the peak by category.
//
// GUI thread only: colors are the theme's.
#pragma once

#include "engine/query/findings/run_overview.h"
#include "ui/panels/share_card.h"

namespace warpglass::ui {

struct SummaryShares {
    std::vector<ShareCard::Part> parts;  // none where there is nothing to show
    QString total;
    QString note;
};

SummaryShares phaseShares(const RunOverview& run);
SummaryShares gpuShares(const RunOverview& run);
SummaryShares memoryShares(const RunOverview& run);

}  // namespace warpglass::ui
