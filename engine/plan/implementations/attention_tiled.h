// What the attention variant "flash" is on the CPU: FlashAttention-2 by tiles of LibTorch's ops, our readable
// reference (engine/runner/implementations/attention_tiled.h).
#pragma once

#include "engine/plan/parts.h"

namespace warpglass {

extern const AttentionPlan kTiledAttention;

}  // namespace warpglass
