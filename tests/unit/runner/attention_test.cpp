// The attention variants against attention in double precision, outputs and gradients; and RoPE's properties.
#include "engine/runner/attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/runner/implementations/attention_tiled.h"
#include "tests/support/implementations.h"

namespace warpglass::test::attention_test {

struct Attended {
    at::Tensor output, dq, dk, dv;
};

/// Runs `attention` on copies of q, k, v, and its backward pass from `gradient`.
template <class Attention>
Attended attendAndDifferentiate(Attention attention, const at::Tensor& q, const at::Tensor& k,
                                const at::Tensor& v, const at::Tensor& gradient) {
    // detach() keeps the strides.
    at::Tensor in[] = {q.detach(), k.detach(), v.detach()};
    for (at::Tensor& x : in)
        x.set_requires_grad(true);
    const at::Tensor output = attention(in[0], in[1], in[2]);
    output.backward(gradient);
    return {output.detach(), in[0].grad(), in[1].grad(), in[2].grad()};
}

/// The definition, written independently of every variant.
Attended oracle(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& gradient,
                bool causal) {
    const auto definition = [causal](const at::Tensor& a, const at::Tensor& b, const at::Tensor& c) {
        at::Tensor scores =
            at::einsum("bhid,bhjd->bhij", {a, b}) / std::sqrt(static_cast<double>(a.size(-1)));
        if (causal) {
            const auto seen = at::ones({a.size(2), b.size(2)}, at::kBool).tril();
            scores = at::where(seen, scores, at::full({}, -1e300, at::kDouble));
        }
        return at::einsum("bhij,bhjd->bhid", {at::softmax(scores, -1), c});
    };
    return attendAndDifferentiate(definition, q.to(at::kDouble), k.to(at::kDouble), v.to(at::kDouble),
                                  gradient.to(at::kDouble));
}

double largestDifference(const at::Tensor& a, const at::Tensor& b) {
    EXPECT_EQ(a.sizes(), b.sizes());
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

void expectClose(const Attended& a, const Attended& b, double tolerance, const std::string& what) {
    EXPECT_LE(largestDifference(a.output, b.output), tolerance) << "output, " << what;
    EXPECT_LE(largestDifference(a.dq, b.dq), tolerance) << "dq, " << what;
    EXPECT_LE(largestDifference(a.dk, b.dk), tolerance) << "dk, " << what;
    EXPECT_LE(largestDifference(a.dv, b.dv), tolerance) << "dv, " << what;
}

struct Inputs {
    at::Tensor q, k, v, gradient;  // (B, H, S, d)

    Inputs(std::int64_t batch, std::int64_t heads, std::int64_t context, std::int64_t d, std::uint64_t seed) {
        at::Generator generator = at::detail::createCPUGenerator(seed);
        // As the model makes them: contiguous by position, seen by head.
        for (at::Tensor* x : {&q, &k, &v, &gradient})
            *x = at::empty({batch, context, heads, d}).normal_(0, 1, generator).transpose(1, 2);
    }
};

TEST(TiledAttention, AgreesWithTheDefinition) {
    for (std::int64_t context : {1, 2, 7, 16, 33, 64, 65, 130}) {
        for (std::int64_t tile : {16, 64}) {
            for (bool causal : {true, false}) {
                const Inputs in(2, 3, context, 8, static_cast<std::uint64_t>(context));
                const auto tiled = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
                    return tiledAttention(q, k, v, causal, tile);
                };
                expectClose(attendAndDifferentiate(tiled, in.q, in.k, in.v, in.gradient),
                            oracle(in.q, in.k, in.v, in.gradient, causal), 1e-5,
                            "S " + std::to_string(context) + ", tile " + std::to_string(tile) +
                                (causal ? ", causal" : ", not causal"));
            }
        }
    }
}

TEST(TiledAttention, LargeScoresDoNotOverflow) {
    Inputs in(1, 1, 40, 16, 3);
    in.q.mul_(100);
    in.k.mul_(10);
    const at::Tensor tiled = tiledAttention(in.q, in.k, in.v, true, 16);
    EXPECT_TRUE(tiled.isfinite().all().item<bool>());
    EXPECT_LE(largestDifference(tiled, oracle(in.q, in.k, in.v, in.gradient, true).output), 1e-4);
}

TEST(TiledAttention, GivesItsInputsType) {
    const Inputs in(1, 2, 20, 8, 4);
    const at::Tensor q = in.q.to(at::kBFloat16), k = in.k.to(at::kBFloat16), v = in.v.to(at::kBFloat16);
    const auto tiled = [](const at::Tensor& a, const at::Tensor& b, const at::Tensor& c) {
        return tiledAttention(a, b, c, true, 16);
    };
    const Attended result = attendAndDifferentiate(tiled, q, k, v, in.gradient.to(at::kBFloat16));
    EXPECT_EQ(result.output.scalar_type(), at::kBFloat16);
    EXPECT_EQ(result.dq.scalar_type(), at::kBFloat16);
    // bf16 has 8 bits of mantissa.
    expectClose(result, oracle(q, k, v, in.gradient.to(at::kBFloat16), true), 0.03, "bf16");
}

/// The largest number of elements of any tensor that an op of the tiled variant gives.
std::int64_t s_largestOutput = 0;
void noteOutputs(const at::RecordFunction& op, at::ObserverContext*) {
    for (const at::IValue& output : op.outputs()) {
        if (output.isTensor() && output.toTensor().defined())
            s_largestOutput = std::max(s_largestOutput, output.toTensor().numel());
    }
}

TEST(TiledAttention, NeverHoldsAnSByS) {
    const std::int64_t context = 512, d = 8, tile = 32;
    const Inputs in(1, 1, context, d, 5);
    s_largestOutput = 0;
    const auto observer = at::addThreadLocalCallback(
        at::RecordFunctionCallback(
            [](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> { return nullptr; },
            noteOutputs)
            .needsOutputs(true));
    attendAndDifferentiate([](const at::Tensor& q, const at::Tensor& k,
                              const at::Tensor& v) { return tiledAttention(q, k, v, true, 32); },
                           in.q, in.k, in.v, in.gradient);
    at::removeCallback(observer);
    EXPECT_GE(s_largestOutput, context * d);
    EXPECT_LE(s_largestOutput, std::max(context * d, tile * tile));
}

TEST(Attend, EveryVariantAgreesWithTheDefinition) {
    for (const AttentionVariant variant : attentionsFor(RunConfig())) {
        for (const auto& [causal, scalesScores] :
             {std::pair{true, false}, {false, false}, {true, true}, {false, true}}) {
            for (std::int64_t context : {5, 64, 100}) {
                const SdpaBackendScope backend(variant);
                const Inputs in(2, 2, context, 16, 6);
                AttentionSetting setting{.variant = variant,
                                         .causal = causal,
                                         .scalesScores = scalesScores,
                                         .mask = makeCausalMask(context, Precision::kFp32)};
                const auto attention = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
                    return attend(q, k, v, setting);
                };
                expectClose(attendAndDifferentiate(attention, in.q, in.k, in.v, in.gradient),
                            oracle(in.q, in.k, in.v, in.gradient, causal), 1e-5,
                            std::string(attentionName(variant)) + ", S " + std::to_string(context));
            }
        }
    }
}

TEST(SdpaBackendScope, ChoosesAndRestores) {
    RunConfig config;
    for (auto variant : {AttentionVariant::kSdpaMath, AttentionVariant::kSdpaFlash}) {
        config.attention = variant;
        const SdpaBackendScope scope(variant);
        EXPECT_EQ(attentionBackend(config),
                  variant == AttentionVariant::kSdpaMath ? "sdpa math" : "sdpa flash (CPU)");
    }
    EXPECT_TRUE(at::globalContext().userEnabledFlashSDP());
    EXPECT_TRUE(at::globalContext().userEnabledMathSDP());
}

TEST(Rotations, KeepLengthsAndStartAtNothing) {
    const at::Tensor rotations = makeRotations(10, 8);
    const at::Tensor x = at::randn({2, 10, 3, 8}, at::detail::createCPUGenerator(7));
    const at::Tensor rotated = applyRotations(x, rotations);
    EXPECT_LE(largestDifference(rotated.norm(2, -1), x.norm(2, -1)), 1e-5);
    EXPECT_EQ(largestDifference(rotated.select(1, 0), x.select(1, 0)), 0);
}

// What RoPE is for: q·k depends on how far apart the positions are, not on where they are.
TEST(Rotations, ProductsDependOnDistanceAlone) {
    const std::int64_t context = 12, d = 8;
    const at::Tensor rotations = makeRotations(context, d);
    const auto everywhere = [&](std::uint64_t seed) {
        const at::Tensor one = at::randn({1, 1, 1, d}, at::detail::createCPUGenerator(seed));
        return applyRotations(one.expand({1, context, 1, d}).contiguous(), rotations).view({context, d});
    };
    const at::Tensor products = at::matmul(everywhere(8), everywhere(9).t());
    for (std::int64_t distance = 0; distance < context; ++distance) {
        const at::Tensor diagonal = products.diagonal(distance);
        EXPECT_LE((diagonal - diagonal[0]).abs().max().item<double>(), 1e-5) << "distance " << distance;
    }
    EXPECT_GT((products.diagonal(0)[0] - products.diagonal(3)[0]).abs().item<double>(), 1e-3);
}

}  // namespace warpglass::test::attention_test
