// Our attention kernels beside LibTorch's flash and cuDNN kernels, in one process and in turn: 16,384 tokens
// and 2,048 features in all, lengths 512 to 16,384, bf16. A round times each of them over enough calls for
// some milliseconds, by CUDA events; TFLOP/s are of the median round, and a ratio is the median of the
// rounds' ratios with its 95% interval. FLOPs as FlashAttention counts them: forward 4·B·H·S²·d,
// backward 2.5 times that, half where causal. In fp32 and tf32 beside its memory-efficient kernels and the
// definition by its products; the lengths are then to be given, since the latter stores the scores.
//
//     warpglass_kernel_bench [--rounds 11] [--head-dim 64,128] [--context 512,1024,2048,4096,8192,16384]
//                            [--precision bf16]
//     warpglass_kernel_bench --step [--rounds 11]
//
// With --step the kernels of a step instead (step_kernels_bench.h).
//
// Prints Markdown.
#include <CLI/CLI.hpp>

#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/capture/torch_headers.h"
#include "engine/kernels/kernels.h"
#include "tests/bench/kernels/in_turn.h"
#include "tests/bench/kernels/step_kernels_bench.h"
#include "tests/bench/recording/median_interval.h"

namespace {

using namespace warpglass;
using bench::Contender;

constexpr std::int64_t kTokens = 16384, kFeatures = 2048;

struct Problem {
    int length, headDimension;
    bool causal;

    int batch() const { return static_cast<int>(kTokens / length); }
    int heads() const { return static_cast<int>(kFeatures / headDimension); }
    double forwardFlops() const {
        return 4.0 * batch() * heads() * length * length * headDimension * (causal ? 0.5 : 1);
    }
};

/// Ours, two peers, and of a backward pass ours again, deterministic.
constexpr std::size_t kContenders = 4;

/// A row of the table: the problem, TFLOP/s of each, and ours ÷ each other one.
void compare(const Problem& problem, const char* pass, double flops, const std::vector<Contender>& contenders,
             int rounds) {
    const std::vector<std::vector<double>> times = bench::timedInTurn(contenders, rounds);
    std::printf("| %s | %d | %d | %s |", pass, problem.headDimension, problem.length,
                problem.causal ? "yes" : "no");
    for (const std::vector<double>& each : times)
        std::printf(" %.0f |", flops / bench::medianInterval(each).median * 1e-9);
    const auto blank = [&] {
        for (std::size_t i = contenders.size(); i < kContenders; ++i)
            std::printf(" |");
    };
    blank();
    for (std::size_t peer = 1; peer < contenders.size(); ++peer)
        std::printf(" %s |",
                    bench::text(bench::medianInterval(bench::ratios(times[0], times[peer])), 2).c_str());
    blank();
    std::printf("\n");
    std::fflush(stdout);
}

void allowOnly(at::SDPBackend backend) {
    at::globalContext().setSDPUseFlash(backend == at::SDPBackend::flash_attention);
    at::globalContext().setSDPUseCuDNN(backend == at::SDPBackend::cudnn_attention);
    at::globalContext().setSDPUseMath(backend == at::SDPBackend::math);
    at::globalContext().setSDPUseMemEfficient(backend == at::SDPBackend::efficient_attention);
}

struct Peer {
    const char* name;
    at::SDPBackend backend;
};

/// In 16 bits, and in fp32 and tf32.
constexpr Peer kPeers[2][2] = {
    {{"flash", at::SDPBackend::flash_attention}, {"cuDNN", at::SDPBackend::cudnn_attention}},
    {{"memory-efficient", at::SDPBackend::efficient_attention}, {"naive", at::SDPBackend::math}}};

kernels::HeadTensor headTensor(const at::Tensor& x) {
    return {x.data_ptr(), x.stride(0), x.stride(1), x.stride(2)};
}

void compareAttention(const Problem& problem, kernels::AttentionType type, const kernels::Kernels& own,
                      int rounds) {
    const bool wide = kernels::isFp32(type);
    const auto options = at::TensorOptions(at::kCUDA).dtype(wide ? at::kFloat : at::kBFloat16);
    const at::Tensor joined =
        at::randn({problem.batch(), problem.length, 3, problem.heads(), problem.headDimension}, options);
    const auto head = [&](int index) { return joined.select(2, index).transpose(1, 2); };
    const at::Tensor q = head(0), k = head(1), v = head(2);
    const at::Tensor gradient =
        at::randn({problem.batch(), problem.length, problem.heads(), problem.headDimension}, options)
            .transpose(1, 2);
    const at::Tensor output = at::empty_like(q), dQ = at::empty_like(q), dK = at::empty_like(k),
                     dV = at::empty_like(v);
    const auto fp32 = options.dtype(at::kFloat);
    const at::Tensor logSumExp = at::empty({problem.batch(), problem.heads(), problem.length}, fp32);
    const at::Tensor delta = at::empty_like(logSumExp);
    const at::Tensor sums =
        at::empty({problem.batch(), problem.heads(), problem.length, problem.headDimension}, fp32);
    const kernels::AttentionShape shape{problem.batch(),
                                        problem.heads(),
                                        problem.length,
                                        problem.headDimension,
                                        problem.causal,
                                        static_cast<float>(1 / std::sqrt(problem.headDimension)),
                                        type};

    std::vector<Contender> forward{{"ours", [&] {
                                        own.flashForward(shape, headTensor(q), headTensor(k), headTensor(v),
                                                         headTensor(output), logSumExp.data_ptr<float>(),
                                                         nullptr);
                                    }}};
    const auto ownBackward = [&](bool deterministic) {
        own.flashBackward(shape, headTensor(q), headTensor(k), headTensor(v), headTensor(output),
                          headTensor(gradient), logSumExp.data_ptr<float>(), headTensor(dQ), headTensor(dK),
                          headTensor(dV), {delta.data_ptr<float>(), sums.data_ptr<float>(), deterministic},
                          nullptr);
    };
    std::vector<Contender> backward{{"ours", [&] { ownBackward(false); }}};
    const at::Tensor leafQ = q.detach().requires_grad_(), leafK = k.detach().requires_grad_(),
                     leafV = v.detach().requires_grad_();
    for (const auto& [name, backend] : kPeers[wide]) {
        forward.push_back({name, [&, backend = backend] {
                               const at::NoGradGuard noGradients;
                               allowOnly(backend);
                               at::scaled_dot_product_attention(q, k, v, {}, 0.0, problem.causal);
                           }});
        allowOnly(backend);
        const at::Tensor attended =
            at::scaled_dot_product_attention(leafQ, leafK, leafV, {}, 0.0, problem.causal);
        backward.push_back({name, [&, attended] {
                                torch::autograd::grad({attended}, {leafQ, leafK, leafV}, {gradient}, true);
                            }});
    }
    if (!wide)
        backward.push_back({"deterministic", [&] { ownBackward(true); }});
    forward.front().call();  // logSumExp and output for the backward pass
    compare(problem, "forward", problem.forwardFlops(), forward, rounds);
    compare(problem, "backward", 2.5 * problem.forwardFlops(), backward, rounds);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Our attention kernels beside LibTorch's, in turn"};
    int rounds = 11;
    std::vector<int> headDimensions{64, 128}, lengths{512, 1024, 2048, 4096, 8192, 16384};
    app.add_option("--rounds", rounds, "Rounds in which each is timed")->check(CLI::Range(3, 1000));
    app.add_option("--head-dim", headDimensions, "Head dimensions")->delimiter(',');
    app.add_option("--context", lengths, "Lengths; divide 16384")->delimiter(',');
    std::string precision = "bf16";
    app.add_option("--precision", precision, "For attention")->check(CLI::IsMember({"bf16", "fp32", "tf32"}));
    bool step = false;
    app.add_flag("--step", step, "The kernels of a step instead of attention's");
    CLI11_PARSE(app, argc, argv);
    if (!at::globalContext().hasCUDA()) {
        std::fprintf(stderr, "There is no NVIDIA GPU on this machine.\n");
        return 1;
    }
    const kernels::Kernels* const own = warpglassKernels(kernels::kKernelsAbi);
    if (step) {
        bench::compareStepKernels(*own, rounds);
        return 0;
    }
    const kernels::AttentionType type = precision == "bf16"   ? kernels::AttentionType::kBf16
                                        : precision == "fp32" ? kernels::AttentionType::kFp32
                                                              : kernels::AttentionType::kTf32;
    at::globalContext().setFloat32MatmulPrecision(precision == "tf32" ? "high" : "highest");
    const auto& peers = kPeers[kernels::isFp32(type)];
    std::printf(
        "| pass | d | S | causal | ours, TFLOP/s | %s | %s | deterministic "
        "| ours ÷ %s | ours ÷ %s | ours ÷ deterministic |\n"
        "|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|\n",
        peers[0].name, peers[1].name, peers[0].name, peers[1].name);
    for (const int headDimension : headDimensions)
        for (const bool causal : {true, false})
            for (const int length : lengths)
                compareAttention({length, headDimension, causal}, type, *own, rounds);
    return 0;
}
