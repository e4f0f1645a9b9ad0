// Our kernels of a step's element-wise and row-wise parts against their definitions in fp64, and the same
// bits twice.
#include <algorithm>
#include <type_traits>

#include "tests/gpu/attention_case.h"

namespace warpglass::kernels {
namespace {

/// What a rounding to the type may be off by, relative to the largest number.
double roundingOf(at::ScalarType type) {
    return type == at::kFloat ? 2e-6 : type == at::kHalf ? 1.0 / 1024 : 1.0 / 128;
}

NumberType numberType(at::ScalarType type) {
    return type == at::kFloat ? NumberType::kFp32 : type == at::kHalf ? NumberType::kFp16 : NumberType::kBf16;
}

class StepKernels : public KernelsTest, public ::testing::WithParamInterface<at::ScalarType> {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!m_kernels)
            return;
        ASSERT_EQ(m_kernels->checkDevice(), 0);
        at::manual_seed(7);
    }

    template <class Call, class Stream>
    static void run(int (*kernel)(const Call&, Stream), const std::type_identity_t<Call>& call) {
        EXPECT_EQ(kernel(call, nullptr), 0);
    }
    at::Tensor random(at::IntArrayRef sizes) const { return at::randn(sizes, fp32()).to(GetParam()); }
    static at::TensorOptions fp32() { return at::TensorOptions(at::kCUDA).dtype(at::kFloat); }

    /// Within a rounding of the definition's largest number, element by element.
    static void expectNear(const at::Tensor& ours, const at::Tensor& definition, const std::string& what,
                           double factor = 1) {
        const at::Tensor wide = definition.to(at::kDouble);
        const double allowed =
            factor * roundingOf(ours.scalar_type()) * std::max(wide.abs().max().item<double>(), 1e-30);
        const double error = (ours.to(at::kDouble) - wide).abs().max().item<double>();
        EXPECT_LE(error, allowed) << what;
    }

    /// Turns of pairs by random angles, as the kernels take them and as numbers.
    struct Turns {
        at::Tensor numbers, table;

        Turns(std::int64_t length, std::int64_t pairs) {
            const at::Tensor angles = at::rand({length, pairs}, fp32()).mul(7);
            numbers = at::polar(at::ones_like(angles), angles);
            table = at::view_as_real(numbers).contiguous();
        }
        /// What x, (…, length, d), is turned to, in fp64.
        at::Tensor of(const at::Tensor& x) const {
            return at::view_as_real(
                       at::view_as_complex(x.to(at::kDouble).contiguous().unflatten(-1, {-1, 2})) * numbers)
                .flatten(-2);
        }
    };

    /// The loss; the logits become their gradient.
    at::Tensor crossEntropy(const at::Tensor& logits, const at::Tensor& targets, const at::Tensor& upstream) {
        const std::int64_t rows = logits.size(0), vocabulary = logits.size(1);
        const at::Tensor rowSums = at::empty({rows, 2}, fp32()), rowLosses = at::empty({rows}, fp32()),
                         loss = at::empty({}, fp32());
        run(m_kernels->crossEntropyForward,
            {rows, vocabulary, numberType(GetParam()), logits.data_ptr(), targets.data_ptr<std::int64_t>(),
             rowSums.data_ptr<float>(), rowLosses.data_ptr<float>(), loss.data_ptr<float>()});
        run(m_kernels->crossEntropyBackward,
            {rows, vocabulary, numberType(GetParam()), logits.data_ptr(), targets.data_ptr<std::int64_t>(),
             rowSums.data_ptr<float>(), upstream.data_ptr<float>()});
        return loss;
    }
};

struct NormCase {
    std::int64_t rows, width;
    bool branch, through;
};

TEST_P(StepKernels, NormsAreTheirDefinition) {
    for (const NormCase& c :
         {NormCase{3, 8, true, true}, NormCase{2048, 768, true, true}, NormCase{700, 1280, false, true},
          NormCase{5, 1601, true, false}, NormCase{65, 1600, true, true}, NormCase{33, 4608, true, true},
          NormCase{6, 20'000, true, true}}) {
        const std::string name = std::to_string(c.rows) + " × " + std::to_string(c.width);
        const at::Tensor x = at::randn({c.rows, c.width}, fp32()), branch = random({c.rows, c.width});
        const at::Tensor weight = at::randn({c.width}, fp32()), dy = random({c.rows, c.width});
        const at::Tensor through = at::randn({c.rows, c.width}, fp32());
        const double epsilon = 1e-5;

        at::Tensor s = x.to(at::kDouble);
        if (c.branch)
            s = s + branch.to(at::kDouble);
        s = s.detach().requires_grad_();
        const at::Tensor w = weight.to(at::kDouble).requires_grad_();
        const at::Tensor y = s * at::rsqrt(s.square().mean(-1, true) + epsilon) * w;
        y.backward(dy.to(at::kDouble));
        const at::Tensor ds = c.through ? s.grad() + through.to(at::kDouble) : s.grad();

        const at::Tensor sum = c.branch ? at::empty_like(x) : x, output = at::empty_like(branch),
                         reciprocal = at::empty({c.rows}, fp32());
        run(m_kernels->normForward,
            {c.rows, c.width, numberType(GetParam()), static_cast<float>(epsilon), x.data_ptr<float>(),
             c.branch ? branch.data_ptr() : nullptr, weight.data_ptr<float>(),
             c.branch ? sum.data_ptr<float>() : nullptr, output.data_ptr(), reciprocal.data_ptr<float>()});
        expectNear(sum, s, name + " sum");
        expectNear(output, y, name + " output", 2);

        const std::int64_t partialRows = std::min<std::int64_t>(c.rows, 512);
        at::Tensor first;
        for (int turn = 0; turn < 2; ++turn) {
            const at::Tensor sumGradient = at::empty_like(x), branchGradient = at::empty_like(branch),
                             weightGradient = at::empty_like(weight),
                             partials = at::empty({partialRows, c.width}, fp32());
            run(m_kernels->normBackward,
                {c.rows, c.width, numberType(GetParam()), dy.data_ptr(),
                 c.through ? through.data_ptr<float>() : nullptr, sum.data_ptr<float>(),
                 weight.data_ptr<float>(), reciprocal.data_ptr<float>(), sumGradient.data_ptr<float>(),
                 c.branch ? branchGradient.data_ptr() : nullptr, weightGradient.data_ptr<float>(),
                 partialRows, partials.data_ptr<float>()});
            expectNear(sumGradient, ds, name + " gradient", 4);
            if (c.branch)
                expectNear(branchGradient, ds, name + " branch's gradient", 2);
            expectNear(weightGradient, w.grad(), name + " weight's gradient", 8);
            if (turn == 0)
                first = weightGradient;
            else
                EXPECT_TRUE(at::equal(first, weightGradient)) << name << ": other bits";
        }
    }
}

TEST_P(StepKernels, SwigluIsItsDefinitionWhereverItsRowsLie) {
    for (const std::int64_t width : {3072, 1037, 12}) {
        for (const bool joined : {false, true}) {
            const std::int64_t rows = 41, stride = joined ? 2 * width : width;
            const std::string name = std::to_string(width) + (joined ? ", joined" : "");
            const at::Tensor both = random({rows, 2 * width}).mul(3);
            const auto half = [&](const at::Tensor& tensor, int index) {
                const at::Tensor part = tensor.slice(1, index * width, (index + 1) * width);
                return joined ? part : part.contiguous();
            };
            const at::Tensor gate = half(both, 0), value = half(both, 1), dh = random({rows, width});
            const at::Tensor g = gate.to(at::kDouble).detach().requires_grad_(),
                             v = value.to(at::kDouble).detach().requires_grad_();
            const at::Tensor h = g * at::sigmoid(g) * v;
            h.backward(dh.to(at::kDouble));

            const at::Tensor hidden = at::empty({rows, width}, dh.options());
            run(m_kernels->swigluForward, {rows, width, stride, numberType(GetParam()), gate.data_ptr(),
                                           value.data_ptr(), hidden.data_ptr()});
            expectNear(hidden, h, name);
            // In place: each gradient over what it is the gradient of.
            run(m_kernels->swigluBackward,
                {rows, width, stride, numberType(GetParam()), gate.data_ptr(), value.data_ptr(),
                 dh.data_ptr(), gate.data_ptr(), value.data_ptr()});
            expectNear(gate, g.grad(), name + " gate's gradient");
            expectNear(value, v.grad(), name + " value's gradient");
        }
    }
}

TEST_P(StepKernels, RotationsTurnPairsAndTurnThemBack) {
    for (const std::int64_t d : {64, 6}) {
        const std::int64_t batch = 2, length = 37, heads = 3;
        const at::Tensor joined = random({batch, length, 3, heads, d});
        const at::Tensor x = joined.select(2, 1), before = x.clone(), neighbors = joined.select(2, 0).clone();
        const Turns turns(length, d / 2);
        const at::Tensor wanted = turns.of(x.transpose(1, 2)).transpose(1, 2);
        Rotary call{.batch = batch,
                    .length = length,
                    .heads = heads,
                    .headDimension = d,
                    .type = numberType(GetParam())};
        call.x[0] = call.output[0] = x.data_ptr();
        call.strides = call.outputStrides = {length * 3 * heads * d, 3 * heads * d, d};
        call.rotations = turns.table.data_ptr<float>();
        run(m_kernels->rotary, call);
        expectNear(x, wanted, "turned");
        call.back = true;
        run(m_kernels->rotary, call);
        expectNear(x, before, "turned back", 2);
        EXPECT_TRUE(at::equal(joined.select(2, 0), neighbors)) << "what lies beside it was touched";
    }
}

/// Queries, keys and values of one tensor, put by head and back, in a launch each.
TEST_P(StepKernels, RotationsPutThreeTensorsByHead) {
    for (const std::int64_t d : {64, 20, 6}) {
        const std::int64_t batch = 3, length = 37, heads = 5;
        const at::Tensor joined = random({batch, length, 3, heads, d}), before = joined.clone();
        const Turns turns(length, d / 2);
        Rotary call{.batch = batch,
                    .length = length,
                    .heads = heads,
                    .headDimension = d,
                    .type = numberType(GetParam()),
                    .parts = 3,
                    .turned = 2,
                    .strides = {length * 3 * heads * d, 3 * heads * d, d},
                    .rotations = turns.table.data_ptr<float>(),
                    .outputStrides = {heads * length * d, d, length * d}};
        std::vector<at::Tensor> made;
        for (int i = 0; i < 3; ++i) {
            made.push_back(at::zeros({batch, heads, length, d}, joined.options()));
            call.x[i] = joined.select(2, i).data_ptr();
            call.output[i] = made[i].data_ptr();
        }
        run(m_kernels->rotary, call);
        for (int i = 0; i < 2; ++i)
            expectNear(made[i], turns.of(before.select(2, i).transpose(1, 2)), "turned " + std::to_string(i));
        EXPECT_TRUE(at::equal(made[2], before.select(2, 2).transpose(1, 2)));
        joined.zero_();
        std::swap(call.strides, call.outputStrides);
        for (int i = 0; i < 3; ++i) {
            call.x[i] = made[i].data_ptr();
            call.output[i] = joined.select(2, i).data_ptr();
        }
        call.back = true;
        run(m_kernels->rotary, call);
        expectNear(joined, before, "turned back", 2);
        EXPECT_TRUE(at::equal(joined.select(2, 2), before.select(2, 2)));
    }
}

TEST_P(StepKernels, SoftmaxIsItsDefinitionWithScaleAndMask) {
    for (const bool causal : {true, false}) {
        // The last is longer than what a block's registers hold.
        for (const std::int64_t length : {512, 77, 1000, 2048, 12'288}) {
            const std::int64_t batch = length > 1000 ? 1 : 3, kept = length > 1000 ? 64 : length;
            const std::string name = std::to_string(length) + (causal ? ", causal" : "");
            const double scale = 0.125;
            const at::Tensor scores = random({batch, length, length}).mul(40);
            const at::Tensor dp = random({batch, length, length});
            at::Tensor wide = scores.to(at::kDouble) * scale;
            if (causal)
                wide.masked_fill_(at::ones({length, length}, fp32().dtype(at::kBool)).triu(1),
                                  -std::numeric_limits<double>::infinity());
            const at::Tensor p = at::softmax(wide, -1);
            const at::Tensor ds =
                scale * p * (dp.to(at::kDouble) - (p * dp.to(at::kDouble)).sum(-1, /*keepdim=*/true));
            run(m_kernels->softmaxForward, {batch * length, length, numberType(GetParam()), causal,
                                            static_cast<float>(scale), scores.data_ptr()});
            expectNear(scores, p, name);
            const at::Tensor exact = p.to(GetParam());
            run(m_kernels->softmaxBackward, {batch * length, length, numberType(GetParam()), causal,
                                             static_cast<float>(scale), exact.data_ptr(), dp.data_ptr()});
            for (const std::int64_t first : {std::int64_t{0}, length - kept})  // causal, the last see most
                expectNear(dp.slice(1, first, first + kept), ds.slice(1, first, first + kept),
                           name + " gradient", 4);
        }
    }
}

TEST_P(StepKernels, TheGradientOfEmbeddingsIsTheSumOfEachRowsTokens) {
    if (GetParam() != at::kFloat)
        GTEST_SKIP() << "gradients of the residual stream are fp32";
    struct Case {
        std::int64_t count, vocabulary, width;
    };
    for (const Case& c : {Case{2048, 10'000, 768}, Case{5000, 3, 77}, Case{1, 17, 4}, Case{1025, 1, 256},
                          Case{40'000, 300, 6}, Case{16'384, 50'257, 10}, Case{0, 5, 8}}) {
        const std::string name = std::to_string(c.count) + " of " + std::to_string(c.vocabulary);
        const at::Tensor tokens = at::randint(c.vocabulary, {c.count}, fp32().dtype(at::kLong));
        const at::Tensor dy = random({c.count, c.width});
        const at::Tensor expected = at::zeros({c.vocabulary, c.width}, fp32().dtype(at::kDouble))
                                        .index_add(0, tokens, dy.to(at::kDouble));
        const at::Tensor scratch = at::full({c.count + c.vocabulary + 1}, -1, fp32().dtype(at::kInt));
        at::Tensor first;
        for (int turn = 0; turn < 2; ++turn) {
            const at::Tensor gradient = at::full({c.vocabulary, c.width}, NAN, fp32());
            run(m_kernels->embeddingBackward,
                {c.count, c.vocabulary, c.width, tokens.data_ptr<std::int64_t>(), dy.data_ptr<float>(),
                 gradient.data_ptr<float>(), scratch.data_ptr<int>(), scratch.data_ptr<int>() + c.count});
            expectNear(gradient, expected, name, 16);
            if (turn == 0)
                first = gradient;
            else
                EXPECT_TRUE(at::equal(first, gradient)) << name << ": other bits";
        }
    }
}

TEST_P(StepKernels, CrossEntropyIsItsDefinition) {
    for (const std::int64_t vocabulary : {10'000, 17, 50'257}) {
        const std::int64_t rows = 61;
        const std::string name = "vocabulary " + std::to_string(vocabulary);
        const at::Tensor logits = random({rows, vocabulary}).mul(8);
        logits.select(0, 1).fill_(200);  // would overflow without the maximum
        const at::Tensor targets = at::randint(vocabulary, {rows}, fp32().dtype(at::kLong));
        const at::Tensor wide = logits.to(at::kDouble).detach().requires_grad_();
        const at::Tensor wanted = at::cross_entropy_loss(wide, targets);
        const at::Tensor upstream = at::full({}, 128.0, fp32());
        wanted.backward(upstream.to(at::kDouble));

        expectNear(crossEntropy(logits, targets, upstream), wanted, name);
        expectNear(logits, wide.grad(), name + " gradient", 4);
    }
}

/// A model that has learned its batch: every target's probability is nearly 1, and its gradient, p − 1, is
/// what rounding leaves of it. The largest logit is far from 0, to whose size a log-sum-exp would be rounded.
TEST_P(StepKernels, CrossEntropyIsNotRoundedAwayWhereTheModelIsSure) {
    if (GetParam() != at::kFloat)
        GTEST_SKIP() << "16 bits round the gradient by more than that";
    const std::int64_t rows = 256, vocabulary = 1000;
    const at::Tensor targets = at::randint(vocabulary, {rows}, fp32().dtype(at::kLong));
    const at::Tensor logits =
        at::randn({rows, vocabulary}, fp32()).add(20).scatter_(1, targets.unsqueeze(1), 36);
    const at::Tensor wide = logits.to(at::kDouble).detach().requires_grad_();
    const at::Tensor wanted = at::cross_entropy_loss(wide, targets);
    wanted.backward();
    const at::Tensor loss = crossEntropy(logits, targets, at::ones({}, fp32()));
    // A sum of exponentials just above 1 is rounded to 2⁻²⁴ of it, which is 3·10⁻⁴ of p − 1 here; rounding to
    // the largest logit's size would be 10⁻².
    const double relative = 2e-3;
    EXPECT_NEAR(loss.item<double>(), wanted.item<double>(), relative * wanted.item<double>());
    const at::Tensor ours = logits.to(at::kDouble).gather(1, targets.unsqueeze(1)),
                     exact = wide.grad().gather(1, targets.unsqueeze(1));
    EXPECT_LT((ours - exact).abs().div(exact.abs()).max().item<double>(), relative);
}

TEST_P(StepKernels, AdamwIsTheLibrarysInEveryTensorOfALongList) {
    // More than one launch takes, of awkward sizes, the largest of many chunks.
    std::vector<at::Tensor> parameters, gradients, first, second, copies;
    std::vector<at::Tensor> theirs, theirFirst, theirSecond;
    std::vector<AdamwTensor> table;
    for (int i = 0; i < 600; ++i) {
        const std::int64_t count = i == 5 ? 100'003 : 1 + i * 7 % 5000;
        parameters.push_back(at::randn({count}, fp32()));
        gradients.push_back(at::randn({count}, fp32()));
        first.push_back(at::zeros({count}, fp32()));
        second.push_back(at::zeros({count}, fp32()));
        copies.push_back(
            at::empty({count}, fp32().dtype(GetParam() == at::kHalf ? at::kHalf : at::kBFloat16)));
        theirs.push_back(parameters.back().clone());
        theirFirst.push_back(first.back().clone());
        theirSecond.push_back(second.back().clone());
        table.push_back({parameters.back().data_ptr<float>(), gradients.back().data_ptr<float>(),
                         first.back().data_ptr<float>(), second.back().data_ptr<float>(),
                         i % 3 == 0 ? nullptr : copies.back().data_ptr(), count});
    }
    const at::Tensor step = at::zeros({}, fp32()), scale = at::full({}, 4.0, fp32()),
                     infinite = at::zeros({}, fp32());
    Adamw call{table,
               3e-4,
               0.9,
               0.999,
               1e-8,
               0.01,
               numberType(GetParam()),
               step.data_ptr<float>(),
               scale.data_ptr<float>(),
               infinite.data_ptr<float>()};
    for (int turn = 0; turn < 3; ++turn) {
        step.add_(1);
        run(m_kernels->adamw, call);
        std::vector<at::Tensor> scaled;  // theirs are unscaled in place
        for (const at::Tensor& gradient : gradients)
            scaled.push_back(gradient.clone());
        at::_fused_adamw_(theirs, scaled, theirFirst, theirSecond, {}, std::vector<at::Tensor>(600, step),
                          3e-4, 0.9, 0.999, 0.01, 1e-8, false, false, scale, infinite);
    }
    for (int i = 0; i < 600; ++i) {
        expectNear(parameters[i], theirs[i], "parameter " + std::to_string(i));
        expectNear(first[i], theirFirst[i], "first moment " + std::to_string(i));
        expectNear(second[i], theirSecond[i], "second moment " + std::to_string(i));
        if (i % 3 != 0) {
            EXPECT_TRUE(at::equal(copies[i], parameters[i].to(copies[i].scalar_type()))) << i;
        }
    }
    const at::Tensor before = parameters[5].clone();
    infinite.fill_(1);
    run(m_kernels->adamw, call);
    EXPECT_TRUE(at::equal(before, parameters[5])) << "a step with an infinite gradient is left out";
}

INSTANTIATE_TEST_SUITE_P(InEveryType, StepKernels, ::testing::Values(at::kFloat, at::kBFloat16, at::kHalf),
                         [](const auto& info) { return std::string(c10::toString(info.param)); });

}  // namespace
}  // namespace warpglass::kernels
