#include "engine/runner/accumulation.h"

#include "engine/capture/torch_headers.h"

namespace warpglass {
namespace {

at::ScalarType typeOf(NumberFormat format) {
    switch (format) {
        case NumberFormat::kFp16:
            return at::kHalf;
        case NumberFormat::kBf16:
            return at::kBFloat16;
        case NumberFormat::kFp32:
            break;
    }
    return at::kFloat;
}

}  // namespace

std::vector<double> accumulate(const Accumulation& way) {
    const at::NoGradGuard noGradients;
    const at::ScalarType type = typeOf(way.sum);
    at::Tensor sum = at::zeros({}, at::TensorOptions().dtype(type));
    at::Tensor lost = at::zeros({}, at::TensorOptions().dtype(type));
    const at::Tensor term = at::full({}, way.value, at::TensorOptions().dtype(typeOf(way.term)));
    std::vector<double> sums;
    sums.reserve(static_cast<std::size_t>(way.terms));
    for (std::int64_t i = 0; i < way.terms; ++i) {
        const at::Tensor added = way.castFirst || way.compensated ? term.to(type) : term;
        if (way.compensated) {
            const at::Tensor corrected = added - lost;
            const at::Tensor next = sum + corrected;
            lost = (next - sum) - corrected;
            sum = next;
        } else {
            sum += added;
        }
        sums.push_back(sum.item().toDouble());
    }
    return sums;
}

}  // namespace warpglass
