// Which of the model's work a kernel does, be it the library's or one of ours in the place of several: what
// two runs can be compared by where their ops have nothing in common. The descriptions of the implementations
// say it of ours and of the library's ops that they stand for (Implementation::standsFor), and the parts of
// attention of what attention runs (engine/query/model/attention_part.h).
//
// Internal to engine/query. Pure; any thread.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "engine/plan/flops.h"
#include "engine/plan/run_config.h"
#include "engine/query/spans/work_times.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// Attention from the heads' q, k and v on. Where its products are the library's in both runs, what is
/// between them is a work of its own.
inline constexpr std::string_view kAttentionWork = "Attention", kSoftmaxWork = "Scale, mask and softmax";

/// One work in one phase.
struct ModelWork {
    std::string_view name;  // one that lives for ever
    PlanPhase phase = PlanPhase::kForward;

    auto operator<=>(const ModelWork&) const = default;
    /// "SwiGLU", "SwiGLU, backward".
    std::string text() const;
};

/// Whether an op is one of ours: "warpglass::adamw", and the backward op of a function of ours.
bool isOwnOp(std::string_view op);

class ModelWorks {
public:
    explicit ModelWorks(const Snapshot& run);

    /// Nothing for work that no kernel of ours does in any run: products with weights, say.
    std::optional<ModelWork> of(const WorkRow& row) const;
    /// Whether the run does it by no op at all where the library has some: casts of weights that are kept in
    /// 16 bits.
    bool isSpared(std::string_view work) const;

private:
    const Snapshot& m_run;
    std::optional<RunConfig> m_config;
};

}  // namespace warpglass
