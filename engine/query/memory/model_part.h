// The parts of a model at one level of its tree: what sentences sum before they name the largest. A part is a
// sublayer of all blocks together with everything within it ("blocks.*.attn", whatever attention's own parts
// or projections an allocation is of), what the blocks hold outside their sublayers ("blocks.*"), or a module
// outside the blocks ("token_embeddings", "norm", "lm_head"). The loss is no module; it counts with the head,
// whose logits it works on. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/trace/ids.h"

namespace warpglass {

/// Outside the model's modules, in the loss or in the backward pass, which begins with the loss's own.
constexpr bool isOfLoss(std::string_view module, Phase phase) {
    return module.empty() && (phase == Phase::kLoss || phase == Phase::kBackward);
}

/// The part that a place counts under; empty outside the model. The loss gives the head's path.
std::string modelPart(std::string_view module, Phase phase);

/// Whether what was summed of a part lay in its modules, and whether in the loss.
struct ModelPartHolds {
    bool modules = false, loss = false;

    void add(std::string_view module, Phase phase) { (isOfLoss(module, phase) ? loss : modules) = true; }
};

/// "blocks.*.ffn", "blocks.* outside its sublayers", "lm_head and the loss", "the loss"; for what lies in no
/// module "outside the model".
std::string modelPartName(const std::string& part, ModelPartHolds holds);

}  // namespace warpglass
