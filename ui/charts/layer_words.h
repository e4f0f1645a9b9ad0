// What a chart of layers says of one: its name under the bar, and every figure of it where it is pointed at.
#pragma once

#include <QString>
#include <string_view>

#include "engine/query/model/layers.h"

namespace warpglass::ui {

/// The row of what belongs to no layer.
inline constexpr std::string_view kLayersRest = "rest";

/// A block's number, a short word for the others; where bars are times, the rest is called what took most of
/// it.
QString layerName(const LayerRow& row, bool ofTime);
/// `row` is one of these layers.
QString layerToolTip(const Layers& layers, const LayerRow& row);

}  // namespace warpglass::ui
