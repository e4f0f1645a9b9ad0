#include "engine/runner/arithmetic.h"

#include <array>
#include <utility>

namespace warpglass {
namespace {

template <class Variant, std::size_t... each>
std::array<ArithmeticOf<Variant>, sizeof...(each)> gathered(std::index_sequence<each...>) {
    return {arithmetic<static_cast<Variant>(each)>()...};
}

}  // namespace

template <class Variant>
const ArithmeticOf<Variant>& arithmeticOf(Variant variant) {
    static const auto all = gathered<Variant>(std::make_index_sequence<kCountOf<Variant>>());
    return all.at(static_cast<std::size_t>(variant));
}

template const AttentionArithmetic& arithmeticOf(AttentionVariant);
template const NormArithmetic& arithmeticOf(NormVariant);
template const FeedForwardArithmetic& arithmeticOf(FeedForwardVariant);
template const EmbeddingArithmetic& arithmeticOf(EmbeddingVariant);
template const RotaryArithmetic& arithmeticOf(RotaryVariant);
template const SoftmaxArithmetic& arithmeticOf(SoftmaxVariant);
template const LossArithmetic& arithmeticOf(LossVariant);
template const LinearArithmetic& arithmeticOf(LinearVariant);
template const ProductsArithmetic& arithmeticOf(ProductsVariant);
template const OptimizerArithmetic& arithmeticOf(OptimizerVariant);

}  // namespace warpglass
