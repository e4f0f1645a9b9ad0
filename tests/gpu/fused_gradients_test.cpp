// Every weight's gradient with our kernels against that with the library's: no farther from fp32 than the
// library's own in the same type.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/capture/torch_headers.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/parameters.h"
#include "engine/plan/valid_config.h"
#include "engine/runner/arithmetic.h"
#include "engine/runner/autocast_scope.h"
#include "engine/runner/gpu.h"
#include "engine/runner/transformer.h"

namespace warpglass::test::fused_gradients_test {

/// By the names of the weights.
using Gradients = std::map<std::string, at::Tensor>;

Gradients gradientsOf(const RunConfig& config) {
    const at::Device device(at::kCUDA, 0);
    const auto ignore = [](const at::Tensor&) {};
    const Transformer model(config, ignore, ignore, device);
    at::manual_seed(5);
    const auto ids = at::TensorOptions(at::kLong).device(device);
    const at::Tensor tokens = at::randint(config.shape.vocabulary, {config.batch, config.context}, ids),
                     targets = at::randint(config.shape.vocabulary, {config.batch, config.context}, ids);
    at::Tensor logits;
    {
        const AutocastScope autocast(config.precision, at::kCUDA);
        logits = model.forward(tokens);
    }
    // As a run in fp16 does: gradients of single numbers would be below its smallest.
    const double scale = config.precision == Precision::kFp16 ? 4096 : 1;
    (arithmeticOf(config.loss).loss(std::move(logits), targets) * scale).backward();
    Gradients gradients;
    const std::vector<ParameterTensor> names = parameterTensors(config.shape);  // in the same order
    for (std::size_t i = 0; const Transformer::Parameter& parameter : model.parameters())
        gradients[names[i++].module] = parameter.tensor.grad().to(at::kDouble) / scale;
    return gradients;
}

double distance(const at::Tensor& a, const at::Tensor& b) {
    return ((a - b).norm() / b.norm()).item<double>();
}

TEST(FusedGradients, AreNoFartherFromFp32ThanTheLibrarys) {
    if (!at::globalContext().hasCUDA())
        GTEST_SKIP() << "there is no NVIDIA GPU on this machine";
    ASSERT_TRUE(loadGpu().gpu) << loadGpu().problem;
    loadGpu().gpu->tryOutProducts(true);
    for (const AttentionVariant attention : {AttentionVariant::kNaive, AttentionVariant::kFlash}) {
        RunConfig exact{
            .context = 320, .batch = 3, .attention = AttentionVariant::kNaive, .device = "cuda:0"};
        const Gradients wanted = gradientsOf(exact);
        ASSERT_EQ(wanted.size(), 39u);
        for (const Precision precision : {Precision::kFp32, Precision::kBf16, Precision::kFp16}) {
            for (const char* kernels :
                 {"fused", "casts+rope", "casts+swiglu", "casts+rope+softmax", "casts+products", "norm"}) {
                RunConfig library = exact;
                library.precision = precision;
                library.attention = attention;
                RunConfig fused = library;
                if (!takeOwnParts(kernels, fused) || !validate(fused).empty())
                    continue;
                const Gradients usual = gradientsOf(library), ours = gradientsOf(fused);
                for (const auto& [name, gradient] : wanted) {
                    EXPECT_LE(distance(ours.at(name), gradient),
                              1.2 * distance(usual.at(name), gradient) + 2e-6)
                        << shortTitle(fused) << ": " << name;
                }
            }
        }
    }
}

}  // namespace warpglass::test::fused_gradients_test
