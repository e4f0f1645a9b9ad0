#include "engine/query/model/attention_part.h"

#include "engine/plan/parts.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {
namespace {

/// What a module is of an attention: "attn", "q_proj"; nothing for what is in none.
std::optional<std::string_view> inAttention(std::string_view module) {
    constexpr std::string_view kAttention = ".attn";
    if (module == kAttentionModule)  // alone
        return "attn";
    const std::size_t at = module.find(kAttention);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = module.substr(at + kAttention.size());
    if (rest.empty())
        return "attn";
    return rest.front() == '.' ? std::optional(rest.substr(1)) : std::nullopt;
}

/// The part that a projection's path is of.
std::optional<AttentionPart> projection(std::string_view module) {
    if (module == "output_proj")
        return AttentionPart::kOutput;
    return module == "attn" ? std::nullopt : std::optional(AttentionPart::kProjections);
}

/// The part for what an attention module runs itself.
AttentionPart partOf(std::string_view part, OpFamily family, const std::optional<AttentionVariant>& variant) {
    if (part == "scores")
        return AttentionPart::kScores;
    if (part == "softmax")
        return AttentionPart::kSoftmax;
    if (part == "values")
        return AttentionPart::kValues;
    if (family == OpFamily::kAttention)
        return AttentionPart::kFused;
    if (family == OpFamily::kMatmul)
        return AttentionPart::kProducts;
    const AttentionPlan* plan = variant ? &planOf(*variant) : nullptr;
    if (family == OpFamily::kNormalization && plan && plan->record == AttentionRecord::kOps &&
        plan->storesScores)
        return AttentionPart::kSoftmax;
    return AttentionPart::kRotation;
}

/// Where the plan's entry of an attention module itself is found.
AttentionPart plannedPart(std::string_view part, const std::optional<AttentionVariant>& variant) {
    if (part == "rope")
        return AttentionPart::kRotation;
    const AttentionPlan* plan = variant ? &planOf(*variant) : nullptr;
    if (plan && plan->record == AttentionRecord::kOneKernel)
        return AttentionPart::kFused;
    if (plan && plan->record == AttentionRecord::kOps) {
        if (part != "softmax")
            return AttentionPart::kProducts;
        return plan->storesScores ? AttentionPart::kSoftmax : AttentionPart::kRotation;
    }
    return part == "scores"    ? AttentionPart::kScores
           : part == "softmax" ? AttentionPart::kSoftmax
                               : AttentionPart::kValues;
}

}  // namespace

std::optional<AttentionPart> attentionPartOf(const Snapshot& snapshot, const Place& place, NameId op,
                                             const std::optional<AttentionVariant>& variant) {
    const auto module = inAttention(snapshot.name(place.module));
    if (!module)
        return std::nullopt;
    if (const auto projected = projection(*module))
        return projected;
    return partOf(snapshot.name(place.part), opFamily(snapshot.name(op), place.phase), variant);
}

std::optional<AttentionPart> plannedAttentionPart(std::string_view module, std::string_view part,
                                                  const std::optional<AttentionVariant>& variant) {
    const auto of = inAttention(module);
    if (!of)
        return std::nullopt;
    if (const auto projected = projection(*of))
        return projected;
    return plannedPart(part, variant);
}

}  // namespace warpglass
