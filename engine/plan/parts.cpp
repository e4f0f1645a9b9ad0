#include "engine/plan/parts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/check.h"
#include "engine/plan/parameters.h"

namespace warpglass {
namespace {

template <class Variant, std::size_t... each>
std::array<const PlanOf<Variant>*, sizeof...(each)> gathered(std::index_sequence<each...>) {
    return {&plan<static_cast<Variant>(each)>()...};
}

}  // namespace

template <class Variant>
std::span<const PlanOf<Variant>* const> plansOf() {
    static const auto all = gathered<Variant>(std::make_index_sequence<kCountOf<Variant>>());
    return all;
}

template <class Variant>
const PlanOf<Variant>& planOf(Variant variant) {
    WG_CHECK(variant < Variant::kCount);
    return *plansOf<Variant>()[static_cast<std::size_t>(variant)];
}

template <class Variant>
std::span<const Choice> choicesOf() {
    static const auto all = [] {
        std::array<Choice, kCountOf<Variant>> choices;
        for (std::size_t i = 0; i < choices.size(); ++i)
            choices[i] = plansOf<Variant>()[i]->is.choice;
        return choices;
    }();
    return all;
}

const AttentionPlan& attentionPlan(const RunConfig& config) {
    const AttentionPlan& plan = planOf(config.attention);
    return plan.onCpu && !config.onGpu() ? *plan.onCpu : plan;
}

bool makesMaskTable(const RunConfig& config) {
    return attentionPlan(config).hasMaskTable && !planOf(config.softmax).inPlace && config.isCausal();
}

bool keepsWeightCopies(const RunConfig& config) {
    return planOf(config.linear).keepsCopies && isMixed(config.precision);
}

bool canTryOutProducts(const RunConfig& config) {
    return config.deterministic == Deterministic::kNo && config.warmup > 0 && config.steps > 0;
}

ProductsVariant productsOf(const RunConfig& config) {
    return keepsWeightCopies(config) && canTryOutProducts(config) ? config.products : ProductsVariant{};
}

bool joinsHeads(const RunConfig& config) {
    return !config.isAttention() && keepsWeightCopies(config) && planOf(config.rotary).inPlace;
}

bool splitsByHead(const RunConfig& config) {
    return joinsHeads(config) && attentionPlan(config).readsByHead && planOf(config.softmax).inPlace;
}

bool joinsGate(const RunConfig& config) {
    // The second weight's copy and gradient begin where kernels can read them in 16-byte pieces.
    const bool aligned = (Saturating(config.shape.dModel) * config.shape.dFf).value() % 8 == 0;
    return !config.isAttention() && aligned && keepsWeightCopies(config) &&
           planOf(config.feedForward).takesJoined;
}

const JoinedProduct* joinedProduct(const RunConfig& config, std::string_view module) {
    static constexpr std::string_view kOfHeads[] = {"q_proj", "k_proj", "v_proj"}, kOfGate[] = {"w1", "w3"};
    static constexpr JoinedProduct kHeads{"qkv_proj", kOfHeads}, kGate{"w13", kOfGate};
    const std::string_view last = module.substr(module.rfind('.') + 1);
    const auto has = [last](const JoinedProduct& joined) {
        return std::ranges::find(joined.weights, last) != joined.weights.end();
    };
    if (joinsHeads(config) && has(kHeads))
        return &kHeads;
    return joinsGate(config) && has(kGate) ? &kGate : nullptr;
}

Bytes updateMoves(const RunConfig& config) {
    const OptimizerPlan& optimizer = planOf(config.optimizer);
    Saturating bytes = Saturating(parameterCount(config.shape)) * optimizer.moved.value;
    if (keepsWeightCopies(config))
        bytes += Saturating(productParameterCount(config.shape)) * optimizer.movedForCopy.value;
    return Bytes(bytes.value());
}

ServedModules servedByUpdate(const RunConfig& config, Bytes forNumber, Bytes forCopy) {
    ServedModules served;
    const bool copies = keepsWeightCopies(config);
    for (const ParameterTensor& tensor : parameterTensors(config.shape)) {
        Saturating each = forNumber.value;
        if (copies && isOfProduct(tensor))
            each += forCopy.value;
        if (const Bytes moved((each * tensor.count()).value()); moved.value > 0)
            served.push_back({tensor.module, moved});
    }
    return served;
}

ServedModules servedByGradientCheck(const RunConfig& config) {
    return servedByUpdate(config, Bytes(8), Bytes());  // each is read and written, in fp32
}

template std::span<const AttentionPlan* const> plansOf<AttentionVariant>();
template const AttentionPlan& planOf(AttentionVariant);
template std::span<const Choice> choicesOf<AttentionVariant>();
template std::span<const NormPlan* const> plansOf<NormVariant>();
template const NormPlan& planOf(NormVariant);
template std::span<const Choice> choicesOf<NormVariant>();
template std::span<const FeedForwardPlan* const> plansOf<FeedForwardVariant>();
template const FeedForwardPlan& planOf(FeedForwardVariant);
template std::span<const Choice> choicesOf<FeedForwardVariant>();
template std::span<const EmbeddingPlan* const> plansOf<EmbeddingVariant>();
template const EmbeddingPlan& planOf(EmbeddingVariant);
template std::span<const Choice> choicesOf<EmbeddingVariant>();
template std::span<const RotaryPlan* const> plansOf<RotaryVariant>();
template const RotaryPlan& planOf(RotaryVariant);
template std::span<const Choice> choicesOf<RotaryVariant>();
template std::span<const SoftmaxPlan* const> plansOf<SoftmaxVariant>();
template const SoftmaxPlan& planOf(SoftmaxVariant);
template std::span<const Choice> choicesOf<SoftmaxVariant>();
template std::span<const LossPlan* const> plansOf<LossVariant>();
template const LossPlan& planOf(LossVariant);
template std::span<const Choice> choicesOf<LossVariant>();
template std::span<const LinearPlan* const> plansOf<LinearVariant>();
template const LinearPlan& planOf(LinearVariant);
template std::span<const Choice> choicesOf<LinearVariant>();
template std::span<const ProductsPlan* const> plansOf<ProductsVariant>();
template const ProductsPlan& planOf(ProductsVariant);
template std::span<const Choice> choicesOf<ProductsVariant>();
template std::span<const OptimizerPlan* const> plansOf<OptimizerVariant>();
template const OptimizerPlan& planOf(OptimizerVariant);
template std::span<const Choice> choicesOf<OptimizerVariant>();

}  // namespace warpglass
