// The tables of `stats layers` and `stats attention`: a run seen by the parts of its model.
#pragma once

#include <string>

#include "engine/query/model/attention_parts.h"
#include "engine/query/model/layers.h"
#include "engine/tables/report_table.h"

namespace warpglass {

/// `where`: ", in backward", of a range or of one step; empty for the measured steps.
ReportTable layersReport(const Layers& layers, const std::string& where, bool forPeople);
ReportTable attentionReport(const AttentionParts& parts, const std::string& where, bool forPeople);

}  // namespace warpglass
