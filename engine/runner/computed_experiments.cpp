#include "engine/runner/computed_experiments.h"

#include "engine/capture/op_types.h"
#include "engine/runner/autocast_scope.h"

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

constexpr std::int64_t kRows = 8, kInputs = 20, kHidden = 10, kClasses = 5;

at::Tensor parameter(at::IntArrayRef sizes, at::Device device) {
    return at::randn(sizes, at::TensorOptions().device(device)).set_requires_grad(true);
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

std::vector<NamedType> autocastTypes(at::Device device, Precision precision) {
    const at::Tensor fc1 = parameter({kHidden, kInputs}, device),
                     fc2 = parameter({kClasses, kHidden}, device);
    const at::Tensor gain = parameter({kHidden}, device), shift = parameter({kHidden}, device);
    const at::Tensor x = at::randn({kRows, kInputs}, at::TensorOptions().device(device));
    const at::Tensor targets =
        at::randint(kClasses, {kRows}, at::TensorOptions().device(device).dtype(at::kLong));

    std::vector<NamedType> types;
    const auto add = [&types](const char* name, const at::Tensor& tensor) {
        types.push_back({name, tensor.defined() ? typeName(tensor.scalar_type()) : "none"});
    };
    add("input", x);
    add("fc1 weight", fc1);
    add("LayerNorm weight", gain);
    add("fc2 weight", fc2);
    at::Tensor loss;
    {
        const AutocastScope autocast(precision, device.type());
        const at::Tensor hidden = at::linear(x, fc1);
        add("fc1 output", hidden);
        const at::Tensor active = at::relu(hidden);
        add("ReLU output", active);
        const at::Tensor normed = at::layer_norm(active, {kHidden}, gain, shift);
        add("LayerNorm output", normed);
        const at::Tensor logits = at::linear(normed, fc2);
        add("fc2 output (logits)", logits);
        loss = at::cross_entropy_loss(logits, targets);
        add("loss", loss);
    }
    loss.backward();
    add("fc1 gradient", fc1.grad());
    add("LayerNorm gradient", gain.grad());
    add("fc2 gradient", fc2.grad());
    return types;
}

}  // namespace warpglass
