// The made experiment as the window opens it, on the same day everywhere.
#pragma once

#include <QTimeZone>
#include <memory>

#include "tests/support/made_experiment.h"
#include "ui/experiments/opened_experiment.h"

namespace warpglass::test {

inline std::shared_ptr<const ui::OpenedExperiment> madeOpenedExperiment() {
    auto opened = std::make_shared<ui::OpenedExperiment>();
    opened->result = madeExperiment();
    opened->written = QDateTime({2026, 1, 31}, {15, 45}, QTimeZone::utc());
    opened->files = {
        {ui::EvidenceFile::Kind::kSweep, "times", "24 cells", "tiny · batch 4", "/made/times.wgsweep", true}};
    return opened;
}

}  // namespace warpglass::test
