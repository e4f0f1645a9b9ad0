// What a roofline is drawn from.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "engine/plan/data_sheet.h"
#include "engine/plan/device_ceilings.h"
#include "engine/query/model/roofline.h"

namespace warpglass::ui {

/// What the chart draws: the points and the ceilings of their device.
struct RooflineData {
    std::vector<RooflinePoint> points;
    /// What all of a GPU's kernels took, of which the points took a part; ns. 0 on the CPU.
    double kernelTime = 0;
    /// Raised to a run's best product where one beat them; the sentence that says so is then `raised`, and
    /// whether it was this run, `raisedHere`.
    std::optional<DeviceCeilings> measured;
    QString raised;
    bool raisedHere = false;
    std::optional<DataSheet> sheet;
    Precision precision = Precision::kFp32;

    /// Operations per byte at which the roof of the run's precision begins: the roof that points are compared
    /// with, the measured one or else the data sheet's; 0 without either.
    double ridge() const;
};

}  // namespace warpglass::ui
