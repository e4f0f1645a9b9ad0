// The tables of `stats layers`, `stats attention` and `stats steps`: a run seen by the parts of its model.
#pragma once

#include <vector>

#include "engine/io/report_table.h"
#include "engine/query/attention_parts.h"
#include "engine/query/layers.h"
#include "engine/query/phase_samples.h"

namespace warpglass::cli {

/// `where`: ", in backward", of a range or of one step; empty for the measured steps. `memoryKnown`: there
/// are records of memory, and the layers' are of them.
ReportTable layersTable(const Layers& layers, bool memoryKnown, const std::string& where);
ReportTable attentionTable(const AttentionParts& parts, const std::string& where);
/// One row a phase of a step, by the host's clock or the GPU's.
ReportTable stepsTable(std::string key, std::string title, const std::vector<PhaseSamples>& phases);

}  // namespace warpglass::cli
