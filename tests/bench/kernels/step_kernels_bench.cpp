#include "tests/bench/kernels/step_kernels_bench.h"

#include <torch/csrc/autograd/autograd.h>

#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/capture/torch_headers.h"
#include "tests/bench/kernels/in_turn.h"
#include "tests/bench/recording/median_interval.h"

namespace warpglass::bench {
namespace {

using kernels::NumberType;

constexpr std::int64_t kBatch = 8, kContext = 2048, kRows = kBatch * kContext;
constexpr std::int64_t kWidth = 1600, kHidden = 6400, kHeads = 25, kHeadDimension = 64, kVocabulary = 10000;
constexpr double kEpsilon = 1e-5;
constexpr auto kType = NumberType::kBf16;

at::TensorOptions fp32() {
    return at::TensorOptions(at::kCUDA).dtype(at::kFloat);
}
at::TensorOptions bf16() {
    return fp32().dtype(at::kBFloat16);
}

class Table {
public:
    Table(const kernels::Kernels& own, int rounds) : m_own(own), m_rounds(rounds) {
        const at::Tensor from = at::randn({std::int64_t{1} << 28}, fp32()), to = at::empty_like(from);
        const auto times = timedInTurn({{"copy", [&] { to.copy_(from); }}}, rounds);
        const double bytes = 2.0 * static_cast<double>(from.nbytes());
        m_copyRate = bytes / medianInterval(times[0]).median;
        std::printf("A copy of 1 GiB reads and writes %.0f GB/s.\n\n", m_copyRate * 1e-6);
        std::printf(
            "| kernel | must move | ours | share of a copy's rate | library | library ÷ ours |\n"
            "|---|---:|---:|---:|---:|---:|\n");
    }

    const kernels::Kernels& own() const { return m_own; }

    void add(const std::string& name, double bytes, std::function<void()> ours,
             std::function<void()> library) {
        const auto times =
            timedInTurn({{"ours", std::move(ours)}, {"library", std::move(library)}}, m_rounds);
        const double time = medianInterval(times[0]).median;
        std::printf("| %s | %.0f MB | %.3f ms | %.0f%% | %.3f ms | %s |\n", name.c_str(), bytes * 1e-6, time,
                    100 * bytes / time / m_copyRate, medianInterval(times[1]).median,
                    text(medianInterval(ratios(times[0], times[1])), 2).c_str());
        std::fflush(stdout);
    }

private:
    const kernels::Kernels& m_own;
    int m_rounds;
    /// Bytes per millisecond.
    double m_copyRate = 0;
};

double bytesOf(std::initializer_list<at::Tensor> tensors) {
    double sum = 0;
    for (const at::Tensor& each : tensors)
        sum += static_cast<double>(each.nbytes());
    return sum;
}

std::function<void()> gradients(const at::Tensor& of, std::vector<at::Tensor> leaves, at::Tensor gradient) {
    return [=] { torch::autograd::grad({of}, leaves, {gradient}, /*retain_graph=*/true); };
}

void addNorm(Table& table) {
    const at::Tensor x = at::randn({kRows, kWidth}, fp32()), branch = at::randn({kRows, kWidth}, bf16()),
                     weight = at::ones({kWidth}, fp32());
    const at::Tensor sum = at::empty_like(x), output = at::empty_like(branch),
                     reciprocal = at::empty({kRows}, fp32());
    const kernels::NormForward forward{kRows,
                                       kWidth,
                                       kType,
                                       static_cast<float>(kEpsilon),
                                       x.data_ptr<float>(),
                                       branch.data_ptr(),
                                       weight.data_ptr<float>(),
                                       sum.data_ptr<float>(),
                                       output.data_ptr(),
                                       reciprocal.data_ptr<float>()};
    const auto library = [=](const at::Tensor& to, const at::Tensor& added, const at::Tensor& gain) {
        const at::Tensor both = to + added;
        return std::pair(both, at::rms_norm(both, {kWidth}, gain, kEpsilon).to(at::kBFloat16));
    };
    table.add(
        "add and norm", bytesOf({x, branch, sum, output}),
        [=, &table] { table.own().normForward(forward, nullptr); },
        [=] {
            const at::NoGradGuard noGradients;
            library(x, branch, weight);
        });
    const at::Tensor dy = at::randn({kRows, kWidth}, bf16()), through = at::randn({kRows, kWidth}, fp32()),
                     ds = at::empty_like(x), dBranch = at::empty_like(branch),
                     dWeight = at::empty_like(weight);
    constexpr std::int64_t kPartials = 512;
    const at::Tensor partials = at::empty({kPartials, kWidth}, fp32());
    const kernels::NormBackward backward{kRows,
                                         kWidth,
                                         kType,
                                         dy.data_ptr(),
                                         through.data_ptr<float>(),
                                         sum.data_ptr<float>(),
                                         weight.data_ptr<float>(),
                                         reciprocal.data_ptr<float>(),
                                         ds.data_ptr<float>(),
                                         dBranch.data_ptr(),
                                         dWeight.data_ptr<float>(),
                                         kPartials,
                                         partials.data_ptr<float>()};
    const at::Tensor leafX = x.detach().requires_grad_(), leafBranch = branch.detach().requires_grad_(),
                     leafWeight = weight.detach().requires_grad_();
    const auto [added, normed] = library(leafX, leafBranch, leafWeight);
    table.add(
        "add and norm, backward", bytesOf({dy, through, sum, ds, dBranch}),
        [=, &table] { table.own().normBackward(backward, nullptr); },
        [=, added = added, normed = normed] {
            torch::autograd::grad({added, normed}, {leafX, leafBranch, leafWeight}, {through, dy},
                                  /*retain_graph=*/true);
        });
}

void addSwiglu(Table& table) {
    const at::Tensor gate = at::randn({kRows, kHidden}, bf16()), value = at::randn({kRows, kHidden}, bf16()),
                     hidden = at::empty_like(gate), dHidden = at::randn({kRows, kHidden}, bf16()),
                     dGate = at::empty_like(gate), dValue = at::empty_like(gate);
    const kernels::SwigluForward forward{kRows,           kHidden,          kHidden,          kType,
                                         gate.data_ptr(), value.data_ptr(), hidden.data_ptr()};
    table.add(
        "SwiGLU", bytesOf({gate, value, hidden}),
        [=, &table] { table.own().swigluForward(forward, nullptr); },
        [=] {
            const at::NoGradGuard noGradients;
            at::silu(gate) * value;
        });
    const kernels::SwigluBackward backward{kRows,
                                           kHidden,
                                           kHidden,
                                           kType,
                                           gate.data_ptr(),
                                           value.data_ptr(),
                                           dHidden.data_ptr(),
                                           dGate.data_ptr(),
                                           dValue.data_ptr()};
    const at::Tensor leafGate = gate.detach().requires_grad_(), leafValue = value.detach().requires_grad_();
    table.add(
        "SwiGLU, backward", bytesOf({gate, value, dHidden, dGate, dValue}),
        [=, &table] { table.own().swigluBackward(backward, nullptr); },
        gradients(at::silu(leafGate) * leafValue, {leafGate, leafValue}, dHidden));
}

/// The tokens are random: most have their row of the table in common with another.
void addEmbedding(Table& table) {
    const at::Tensor tokens = at::randint(kVocabulary, {kBatch, kContext}, fp32().dtype(at::kLong));
    const at::Tensor dy = at::randn({kBatch, kContext, kWidth}, fp32()),
                     dWeight = at::empty({kVocabulary, kWidth}, fp32()),
                     scratch = at::empty({kRows + kVocabulary + 1}, fp32().dtype(at::kInt));
    const kernels::EmbeddingBackward call{kRows,
                                          kVocabulary,
                                          kWidth,
                                          tokens.data_ptr<std::int64_t>(),
                                          dy.data_ptr<float>(),
                                          dWeight.data_ptr<float>(),
                                          scratch.data_ptr<int>(),
                                          scratch.data_ptr<int>() + kRows};
    table.add(
        "embedding, backward", bytesOf({dy, dWeight}),
        [call, dWeight, scratch, &table] { table.own().embeddingBackward(call, nullptr); },
        [=] { at::embedding_dense_backward(dy, tokens, kVocabulary, -1, false); });
}

void addRotary(Table& table) {
    const at::Tensor x = at::randn({kBatch, kContext, kWidth}, bf16());
    const at::Tensor angles = at::rand({kContext, kHeadDimension / 2}, fp32());
    const at::Tensor rotations =
        at::polar(at::ones_like(angles), angles).view({kContext, 1, kHeadDimension / 2});
    kernels::Rotary call;
    call.batch = kBatch;
    call.length = kContext;
    call.heads = kHeads;
    call.headDimension = kHeadDimension;
    call.type = kType;
    call.x[0] = call.output[0] = x.data_ptr();
    call.strides = call.outputStrides = {kContext * kWidth, kWidth, kHeadDimension};
    call.rotations = static_cast<const float*>(rotations.data_ptr());
    table.add(
        "rotary embedding", 2 * bytesOf({x}), [=, &table] { table.own().rotary(call, nullptr); },
        [=] {
            const at::Tensor heads = x.view({kBatch, kContext, kHeads, kHeadDimension}).to(at::kFloat);
            const at::Tensor pairs = at::view_as_complex(heads.unflatten(-1, {kHeadDimension / 2, 2}));
            at::view_as_real(pairs * rotations).flatten(-2).to(at::kBFloat16);
        });
}

/// Half of what is read lies behind the mask, and is not.
void addSoftmax(Table& table) {
    constexpr std::int64_t kMatrices = 50;
    const at::Tensor scores = at::randn({kMatrices, kContext, kContext}, bf16());
    const at::Tensor mask =
        at::full({kContext, kContext}, -std::numeric_limits<double>::infinity(), bf16()).triu_(1);
    const at::Tensor weights = at::softmax((scores + mask).to(at::kFloat), -1).to(at::kBFloat16),
                     dp = at::randn({kMatrices, kContext, kContext}, bf16());
    const kernels::SoftmaxForward forward{kMatrices * kContext, kContext, kType, true, 0.125f,
                                          scores.data_ptr()};
    table.add(
        "scale, mask and softmax", 1.5 * bytesOf({scores}),
        [=, &table] { table.own().softmaxForward(forward, nullptr); },
        [=] {
            const at::NoGradGuard noGradients;
            const at::Tensor masked = scores * 0.125 + mask;
            at::softmax(masked, -1, at::kFloat).to(at::kBFloat16);
        });
    const kernels::SoftmaxBackward backward{kMatrices * kContext, kContext,     kType, true, 0.125f,
                                            weights.data_ptr(),   dp.data_ptr()};
    const at::Tensor leaf = scores.detach().requires_grad_();
    table.add(
        "scale, mask and softmax, backward", 2 * bytesOf({weights}),
        [=, &table] { table.own().softmaxBackward(backward, nullptr); },
        gradients(at::softmax(leaf * 0.125 + mask, -1, at::kFloat).to(at::kBFloat16), {leaf}, dp));
}

void addCrossEntropy(Table& table) {
    const at::Tensor logits = at::randn({kRows, kVocabulary}, bf16());
    const at::Tensor targets = at::randint(kVocabulary, {kRows}, fp32().dtype(at::kLong));
    const at::Tensor rowSums = at::empty({kRows, 2}, fp32()), rowLosses = at::empty({kRows}, fp32()),
                     loss = at::empty({}, fp32()), one = at::ones({}, fp32());
    const kernels::CrossEntropyForward forward{kRows,
                                               kVocabulary,
                                               kType,
                                               logits.data_ptr(),
                                               targets.data_ptr<std::int64_t>(),
                                               rowSums.data_ptr<float>(),
                                               rowLosses.data_ptr<float>(),
                                               loss.data_ptr<float>()};
    table.add(
        "cross-entropy", bytesOf({logits}),
        [=, &table] { table.own().crossEntropyForward(forward, nullptr); },
        [=] {
            const at::NoGradGuard noGradients;
            at::cross_entropy_loss(logits.to(at::kFloat), targets);
        });
    const kernels::CrossEntropyBackward backward{kRows,
                                                 kVocabulary,
                                                 kType,
                                                 logits.data_ptr(),
                                                 targets.data_ptr<std::int64_t>(),
                                                 rowSums.data_ptr<float>(),
                                                 one.data_ptr<float>()};
    const at::Tensor leaf = logits.detach().clone().requires_grad_();
    table.add(
        "cross-entropy, backward", 2 * bytesOf({logits}),
        [=, &table] { table.own().crossEntropyBackward(backward, nullptr); },
        gradients(at::cross_entropy_loss(leaf.to(at::kFloat), targets), {leaf}, one));
}

/// The tensors of a layer of large, as often as that has layers.
void addAdamw(Table& table) {
    constexpr std::int64_t kLayers = 36, kD = 1280, kF = 5120;
    std::vector<at::Tensor> parameters, moments1, moments2, given, copies, counts;
    const at::Tensor count = at::ones({}, fp32());
    double numbers = 0;
    for (std::int64_t layer = 0; layer < kLayers; ++layer) {
        for (const std::int64_t size :
             {kD, kD * kD, kD * kD, kD * kD, kD * kD, kD, kD * kF, kD * kF, kD * kF}) {
            for (std::vector<at::Tensor>* each : {&parameters, &given})
                each->push_back(at::randn({size}, fp32()));
            for (std::vector<at::Tensor>* each : {&moments1, &moments2})
                each->push_back(at::zeros({size}, fp32()));
            copies.push_back(at::empty({size}, bf16()));
            counts.push_back(count);
            numbers += static_cast<double>(size);
        }
    }
    std::vector<kernels::AdamwTensor> tensors;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        tensors.push_back({parameters[i].data_ptr<float>(), given[i].data_ptr<float>(),
                           moments1[i].data_ptr<float>(), moments2[i].data_ptr<float>(), copies[i].data_ptr(),
                           parameters[i].numel()});
    kernels::Adamw call;
    call.tensors = tensors;
    call.learningRate = 3e-4;
    call.beta1 = 0.9;
    call.beta2 = 0.999;
    call.epsilon = 1e-8;
    call.weightDecay = 0.01;
    call.step = count.data_ptr<float>();
    table.add(
        "AdamW with bf16 copies", 30 * numbers, [&] { table.own().adamw(call, nullptr); },
        [&] {
            at::_fused_adamw_(parameters, given, moments1, moments2, {}, counts, 3e-4, 0.9, 0.999, 0.01, 1e-8,
                              false, false);
            at::_foreach_copy_(copies, parameters);
        });
}

}  // namespace

void compareStepKernels(const kernels::Kernels& own, int rounds) {
    Table table(own, rounds);
    addNorm(table);
    addSwiglu(table);
    addEmbedding(table);
    addRotary(table);
    addSoftmax(table);
    addCrossEntropy(table);
    addAdamw(table);
}

}  // namespace warpglass::bench
