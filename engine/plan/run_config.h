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
#include "engine/plan/choice.h"
#include "engine/plan/recorded.h"
#include "engine/plan/variants.h"

namespace warpglass {

// Each enumeration with its choices, by enumerator.

/// What a step is: of the whole model, or of its attention alone, on q, k and v that are there already.
enum class Workload : std::uint8_t { kTransformer, kAttention };
inline constexpr auto kWorkloads = std::to_array<Choice>({
    {.word = "transformer", .toolTip = "The whole language model", .label = "Transformer"},
    {.word = "attention",
     .toolTip = "Attention alone, on queries, keys and values that are made once",
     .label = "Attention"},
});

/// Whether a position sees only itself and what came before it. A Transformer's always do.
enum class Causal : std::uint8_t { kNo, kYes };
inline constexpr auto kCausals = std::to_array<Choice>({
    {.word = "no", .toolTip = "Each position sees all", .title = "not causal"},
    {.word = "yes", .toolTip = "Each position sees itself and what came before it", .title = "causal"},
});

/// Whether the backward pass of flash attention on a GPU gives the same bits in every run.
enum class Deterministic : std::uint8_t { kNo, kYes };
inline constexpr auto kDeterministics = std::to_array<Choice>({
    {.word = "no", .toolTip = "Sums may be added up in any order", .title = "any order"},
    {.word = "yes",
     .toolTip = "Sums are added up in one order: the same bits in every run",
     .devices = Devices::kGpu,
     .title = "deterministic"},
});

/// kBf16 and kFp16 are mixed precision (autocast); fp16 with loss scaling.
enum class Precision : std::uint8_t { kFp32, kTf32, kBf16, kFp16 };
inline constexpr auto kPrecisions = std::to_array<Choice>({
    {"fp32", "Everything in 32-bit floating point"},
    {"tf32", "32-bit tensors, GEMMs in TensorFloat-32", Devices::kGpu},
    {"bf16", "Mixed: GEMMs in bfloat16; parameters, norms and loss stay fp32"},
    {"fp16", "Mixed: GEMMs in half precision, with loss scaling", Devices::kGpu},
});

enum class Mode : std::uint8_t { kForward, kForwardBackward, kStep };
inline constexpr auto kModes = std::to_array<Choice>({
    {"forward", "Inference: forward only, no gradients"},
    {.word = "forward-backward", .toolTip = "Forward, loss and backward", .label = "fwd + bwd"},
    {"step", "A full training step: forward, loss, backward, AdamW"},
});

/// kGraph: the first step runs eagerly, then a step is captured, which every later step replays.
enum class Execution : std::uint8_t { kEager, kGraph };
inline constexpr auto kExecutions = std::to_array<Choice>({
    {"eager", "Op by op, as PyTorch does"},
    {"graph",
     "The step captured once as a CUDA graph and replayed with one launch, or a few while kernels are "
     "recorded",
     Devices::kGpu, "CUDA graph"},
});

inline constexpr auto kPrecisionNames = wordsOf(kPrecisions);
inline constexpr auto kModeNames = wordsOf(kModes);
inline constexpr auto kExecutionNames = wordsOf(kExecutions);

constexpr std::string_view precisionName(Precision p) {
    return kPrecisionNames[static_cast<std::size_t>(p)];
}
/// Its word. What else is known of it: planOf() (engine/plan/parts.h).
std::string_view attentionName(AttentionVariant a);
constexpr std::string_view modeName(Mode m) {
    return kModeNames[static_cast<std::size_t>(m)];
}
constexpr std::string_view executionName(Execution e) {
    return kExecutionNames[static_cast<std::size_t>(e)];
}
/// As people read it: in titles, captions and tables.
constexpr std::string_view executionWords(Execution e) {
    return kExecutions[static_cast<std::size_t>(e)].title;
}

/// GEMMs and what they read in 16 bits, the rest in fp32.
constexpr bool isMixed(Precision p) {
    return p == Precision::kBf16 || p == Precision::kFp16;
}
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

/// The one module of the attention workload.
inline constexpr std::string_view kAttentionModule = "attn";

struct ModelPreset {
    std::string_view name;
    ModelShape shape;
};
/// tiny, small, medium, large, xl, 2.7B, 10B: in that order.
std::span<const ModelPreset> modelPresets();
/// An error that lists the presets when there is none of that name.
Result<ModelShape> presetShape(std::string_view name);

/// What a model is called whose sizes are no preset's.
inline constexpr std::string_view kCustomModel = "custom";

/// Each member is a setting, which engine/plan/settings.cpp describes; the variants of all parts but
/// attention are one together (own_parts.h).
struct RunConfig {
    Workload workload = Workload::kTransformer;
    /// A preset's name, or "custom".
    std::string model = "tiny";
    ModelShape shape;
    /// For the attention workload, whose other sizes are shape.heads, context and batch.
    std::int64_t headDim = 64;
    std::int64_t context = 128;
    std::int64_t batch = 4;
    Precision precision = Precision::kFp32;
    AttentionVariant attention{};
    Causal causal = Causal::kNo;
    Deterministic deterministic = Deterministic::kNo;
    NormVariant norm{};
    FeedForwardVariant feedForward{};
    EmbeddingVariant embedding{};
    RotaryVariant rotary{};
    SoftmaxVariant softmax{};
    LossVariant loss{};
    LinearVariant linear{};
    ProductsVariant products{};
    OptimizerVariant optimizer{};
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
    bool isAttention() const { return workload == Workload::kAttention; }
    /// The dimension of a head of attention, whatever the workload.
    std::int64_t headDimension() const { return isAttention() ? headDim : shape.headDimension(); }
    bool isCausal() const { return !isAttention() || causal == Causal::kYes; }
    std::int64_t tokensPerStep() const { return batch * context; }
    bool operator==(const RunConfig&) const = default;
};

/// Why the CPU leaves none of LibTorch's memory snapshots (engine/runner/memory_snapshot.h).
inline constexpr std::string_view kNoSnapshotOfCpu =
    "A memory snapshot can be taken on a GPU only: LibTorch keeps no history of the CPU's memory.";

/// "small · fp32 · naive · 512", of a graph "small · bf16 · sdpa-flash · 512 · CUDA graph", of attention
/// alone "attention · fp32 · naive · 8 × 1 × 1024 × 64" (batch, heads, length, head dimension): a run's short
/// title.
std::string shortTitle(const RunConfig& config);

/// Which settings are written: those that apply to the configuration's workload, or all, for a configuration
/// whose workload may yet be replaced.
enum class Written : std::uint8_t { kApplying, kAll };
/// The configuration as run information ("config.workload" … "config.record"), and back. Unknown keys are
/// ignored; a missing or malformed one is an error that names it, but what does not apply may be missing.
std::vector<std::pair<std::string, std::string>> toPairs(const RunConfig& config,
                                                         Written which = Written::kApplying);
Result<RunConfig> configFromPairs(std::span<const std::pair<std::string, std::string>> pairs,
                                  Written which = Written::kApplying);

}  // namespace warpglass
