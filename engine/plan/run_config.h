// What a run is: the one description that the run panel, the command line, the runner and the run file share.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/plan/recorded.h"

namespace warpglass {

/// kTf32: fp32 tensors, matrix products in TensorFloat-32. kBf16 and kFp16 are mixed precision (autocast);
/// fp16 with loss scaling. tf32 and fp16 need a GPU.
enum class Precision : std::uint8_t { kFp32, kTf32, kBf16, kFp16 };
/// kSdpaEfficient and kSdpaCudnn need a GPU, kTiled the CPU.
enum class AttentionVariant : std::uint8_t {
    kNaive,
    kSdpaMath,
    kSdpaEfficient,
    kSdpaFlash,
    kSdpaCudnn,
    kTiled
};
enum class Mode : std::uint8_t { kForward, kForwardBackward, kStep };
/// kGraph: the first step runs eagerly, then a step is captured once as a CUDA graph, which every later step
/// replays with one launch. Needs a GPU.
enum class Execution : std::uint8_t { kEager, kGraph };

// The words of the command line, the run file and the run panel, by enumerator.
inline constexpr std::array<std::string_view, 4> kPrecisionNames = {"fp32", "tf32", "bf16", "fp16"};
inline constexpr std::array<std::string_view, 6> kAttentionNames = {
    "naive", "sdpa-math", "sdpa-efficient", "sdpa-flash", "sdpa-cudnn", "tiled"};
inline constexpr std::array<std::string_view, 3> kModeNames = {"forward", "forward-backward", "step"};
inline constexpr std::array<std::string_view, 2> kExecutionNames = {"eager", "graph"};

constexpr std::string_view precisionName(Precision p) {
    return kPrecisionNames[static_cast<std::size_t>(p)];
}
constexpr std::string_view attentionName(AttentionVariant a) {
    return kAttentionNames[static_cast<std::size_t>(a)];
}
constexpr std::string_view modeName(Mode m) {
    return kModeNames[static_cast<std::size_t>(m)];
}
constexpr std::string_view executionName(Execution e) {
    return kExecutionNames[static_cast<std::size_t>(e)];
}

/// Matrix products and what they read in 16 bits, the rest in fp32.
constexpr bool isMixed(Precision p) {
    return p == Precision::kBf16 || p == Precision::kFp16;
}
/// One fused kernel, with no S × S matrix and q, k and v kept as they are.
constexpr bool isFusedAttention(AttentionVariant a) {
    return a == AttentionVariant::kSdpaEfficient || a == AttentionVariant::kSdpaFlash ||
           a == AttentionVariant::kSdpaCudnn;
}

Result<Precision> parsePrecision(std::string_view word);
Result<AttentionVariant> parseAttention(std::string_view word);
Result<Mode> parseMode(std::string_view word);
Result<Execution> parseExecution(std::string_view word);

/// Sizes of the decoder-only Transformer (engine/plan/parameters.h says what they give).
struct ModelShape {
    std::int64_t vocabulary = 10000;
    std::int64_t dModel = 256;
    std::int64_t dFf = 1024;
    std::int64_t layers = 4;
    std::int64_t heads = 4;

    std::int64_t headDimension() const { return heads > 0 ? dModel / heads : 0; }
    bool operator==(const ModelShape&) const = default;
};

struct ModelPreset {
    std::string_view name;
    ModelShape shape;
};
/// tiny, small, medium, large, xl, 2.7B, 10B: in that order.
std::span<const ModelPreset> modelPresets();
/// An error that lists the presets when there is none of that name.
Result<ModelShape> presetShape(std::string_view name);

struct RunConfig {
    /// A preset's name, or "custom".
    std::string model = "tiny";
    ModelShape shape;
    std::int64_t context = 128;
    std::int64_t batch = 4;
    Precision precision = Precision::kFp32;
    AttentionVariant attention = AttentionVariant::kNaive;
    Mode mode = Mode::kStep;
    Execution execution = Execution::kEager;
    /// "cpu", or "cuda:" and a number.
    std::string device = "cpu";
    /// What LibTorch's allocator may take of a GPU's memory at most; 0 for all there is.
    Bytes memoryLimit;
    std::int64_t warmup = 1;
    std::int64_t steps = 3;
    std::uint64_t seed = 0;
    Recorded recorded;

    bool onGpu() const { return device != "cpu"; }
    std::int64_t tokensPerStep() const { return batch * context; }
    bool operator==(const RunConfig&) const = default;
};

/// "small · fp32 · naive · 512", of a graph "small · bf16 · sdpa-flash · 512 · CUDA graph": a run's short
/// title.
std::string shortTitle(const RunConfig& config);

/// One thing wrong with a configuration.
struct ConfigProblem {
    /// The command line's option without dashes: "d-model", "context", "device".
    std::string field;
    /// One sentence.
    std::string sentence;
};
/// Every problem, in field order; empty when the configuration can be run as far as arithmetic can tell.
std::vector<ConfigProblem> validate(const RunConfig& config);

/// The configuration as run information ("config.model" … "config.seed"), and back. Unknown keys are ignored;
/// a missing or malformed one is an error that names it.
std::vector<std::pair<std::string, std::string>> toPairs(const RunConfig& config);
Result<RunConfig> configFromPairs(std::span<const std::pair<std::string, std::string>> pairs);

}  // namespace warpglass
