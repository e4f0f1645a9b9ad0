// A run's tables by the parts of its model: layers, attention's parts, and the roofline of its GEMMs.
#pragma once

#include "engine/query/model/attention_parts.h"
#include "engine/query/model/layers.h"
#include "engine/query/model/roofline.h"
#include "engine/tables/column.h"

namespace warpglass {

/// Shown in place of FLOPs and bytes moved if some within the filter is unknown (plan_of_scope.h); and why.
inline constexpr std::string_view kUnknownWork = "unknown";
inline constexpr std::string_view kWhyWorkIsUnknown =
    "Not known: the filter takes some of the ops that do this work, and the plan does not say how much of it "
    "each does";

struct LayersShown {
    Layers layers;
    /// There are records of memory: something is alive at the moment that the layers' is of.
    bool memoryKnown = false;
    /// Time of all layers, ns.
    double time = 0;

    LayersShown() = default;
    explicit LayersShown(Layers of);
};
const TableDescription<LayerRow, LayersShown>& layersTable();

inline int rowKey(const AttentionPartRow& row) {
    return static_cast<int>(row.phase) * static_cast<int>(kAttentionPartCount) + static_cast<int>(row.part);
}
const TableDescription<AttentionPartRow, AttentionParts>& attentionTable();

struct RooflineShown {
    /// The intensity, in operations per byte, below which memory is the roof; 0 if unknown.
    double ridge = 0;
};
inline std::string rowKey(const RooflinePoint& point) {
    return std::string(planPhaseName(point.phase)) + '/' + point.name;
}
const TableDescription<RooflinePoint, RooflineShown>& rooflineTable();

}  // namespace warpglass
