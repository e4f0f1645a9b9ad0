// The phases of a step: how long each takes, and how much it varies between steps.
#pragma once

#include "engine/query/statistics/phase_samples.h"
#include "engine/tables/column.h"

namespace warpglass {

const TableDescription<PhaseSamples>& phaseSpreadTable();

/// A phase of one step, and what it is a sample of.
struct PhaseOfStep {
    const PhaseSamples* phase;
    const PhaseSample* sample;
};
std::vector<PhaseOfStep> phasesOfSteps(const std::vector<PhaseSamples>& phases);
const TableDescription<PhaseOfStep>& phasesOfStepsTable();

}  // namespace warpglass
