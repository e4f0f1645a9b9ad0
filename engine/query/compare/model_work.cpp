#include "engine/query/compare/model_work.h"

#include "engine/plan/own_parts.h"
#include "engine/query/model/attention_part.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {
namespace {

std::optional<PlanPhase> plannedPhase(Phase phase) {
    for (const PlanPhase planned :
         {PlanPhase::kForward, PlanPhase::kLoss, PlanPhase::kBackward, PlanPhase::kOptimizer}) {
        if (tracePhase(planned) == phase)
            return planned;
    }
    return std::nullopt;
}

/// The work that an attention does besides its rotation and its products with weights.
std::optional<std::string_view> attentionWork(AttentionPart part, std::string_view op) {
    switch (part) {
        case AttentionPart::kFused:
        case AttentionPart::kProducts:
            return kAttentionWork;
        case AttentionPart::kScores:
        case AttentionPart::kSoftmax:
        case AttentionPart::kValues:
            return isProductOp(op) ? kAttentionWork : kSoftmaxWork;
        case AttentionPart::kProjections:
        case AttentionPart::kRotation:
        case AttentionPart::kOutput:
            break;
    }
    return std::nullopt;
}

}  // namespace

std::string ModelWork::text() const {
    return std::string(name) + (phase == PlanPhase::kBackward ? ", backward" : "");
}

bool isOwnOp(std::string_view op) {
    return op.find("warpglass::") != std::string_view::npos;
}

ModelWorks::ModelWorks(const Snapshot& run) : m_run(run), m_config(configOfRun(run)) {}

std::optional<ModelWork> ModelWorks::of(const WorkRow& row) const {
    const Place place = m_run.place(row.place);
    const std::optional<PlanPhase> phase = plannedPhase(place.phase);
    if (!phase)
        return std::nullopt;
    const std::string_view op = m_run.name(row.op);
    const auto variant = m_config ? std::optional(m_config->attention) : std::nullopt;
    if (const auto part = attentionPartOf(m_run, place, row.op, variant)) {
        if (const auto work = attentionWork(*part, op))
            return ModelWork{*work, *phase};
    }
    const Implementation* own =
        ownImplementationOf(*phase, moduleGroup(m_run.name(place.module)), op, m_run.name(row.kernel));
    return own ? std::optional(ModelWork{own->work, *phase}) : std::nullopt;
}

bool ModelWorks::isSpared(std::string_view work) const {
    const Implementation* own = m_config ? ownImplementationFor(work) : nullptr;
    return own && own->kernels.empty() && runsOwn(*m_config, *own);
}

}  // namespace warpglass
