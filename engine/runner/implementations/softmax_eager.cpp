#include "engine/runner/arithmetic.h"

namespace warpglass {

template <>
SoftmaxArithmetic arithmetic<SoftmaxVariant::kEager>() {
    return {};
}

}  // namespace warpglass
