// What a run makes of its model, in one sentence for each chart of it: what stands over their figures. Each
// is empty where there is nothing to say. Pure; any thread.
#pragma once

#include <span>
#include <string>

#include "engine/query/model/attention_parts.h"
#include "engine/query/model/layers.h"
#include "engine/query/model/roofline.h"

namespace warpglass {

/// "GEMMs reach 84% of their roof and attention 31%: 12.1 ms could be saved. The work of the other 34% of
/// kernel time is unknown.": shares are means weighted by time, of what has a roof. `all`: what the
/// points' times are a part of; nothing is said of what has none where it is 0.
std::string rooflineSentence(std::span<const RooflinePoint> points, double all = 0);

/// "No block stands out: all 48 lie within 1.1% of their median, 1.79 ms; the optimizer takes 16.0 ms in
/// all.", or which block stands out most. Times are those of blocks that are comparable (Layers::isWhole()).
std::string layersSentence(const Layers& layers);

/// "GEMMs take 23% of attention's time for over 99% of its FLOPs; other work on the score matrix takes 58%.":
/// of both passes. Where FLOPs or the time of GEMMs are not known, the part with the most time.
std::string attentionSentence(const AttentionParts& parts);

}  // namespace warpglass
