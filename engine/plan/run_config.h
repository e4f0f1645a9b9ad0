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

namespace warpglass {

enum class Precision : std::uint8_t { kFp32, kBf16 };
enum class AttentionVariant : std::uint8_t { kNaive, kSdpaMath, kSdpaFlash, kTiled };
enum class Mode : std::uint8_t { kForward, kForwardBackward, kStep };

// The words of the command line, the run file and the run panel, by enumerator.
inline constexpr std::array<std::string_view, 2> kPrecisionNames = {"fp32", "bf16"};
inline constexpr std::array<std::string_view, 4> kAttentionNames = {"naive", "sdpa-math", "sdpa-flash",
                                                                    "tiled"};
inline constexpr std::array<std::string_view, 3> kModeNames = {"forward", "forward-backward", "step"};

constexpr std::string_view precisionName(Precision p) {
    return kPrecisionNames[static_cast<std::size_t>(p)];
}
constexpr std::string_view attentionName(AttentionVariant a) {
    return kAttentionNames[static_cast<std::size_t>(a)];
}
constexpr std::string_view modeName(Mode m) {
    return kModeNames[static_cast<std::size_t>(m)];
}

Result<Precision> parsePrecision(std::string_view word);
Result<AttentionVariant> parseAttention(std::string_view word);
Result<Mode> parseMode(std::string_view word);

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
    /// "cpu".
    std::string device = "cpu";
    std::int64_t warmup = 1;
    std::int64_t steps = 3;
    std::uint64_t seed = 0;

    std::int64_t tokensPerStep() const { return batch * context; }
    bool operator==(const RunConfig&) const = default;
};

/// "small · fp32 · naive · 512": a run's short title.
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
