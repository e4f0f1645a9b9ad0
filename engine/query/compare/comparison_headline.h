// Two runs in one line: how much faster and what bounds them, how much less memory, how the share of GEMMs
// moved. Means of steps that differ by no more than the steps of each run do
// (engine/query/compare/mean_spread.h) are said to be as fast within that spread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/compare/comparison.h"
#include "engine/query/compare/mean_spread.h"

namespace warpglass {

struct ComparisonHeadline {
    /// What B has instead of A's, where that is one setting, and all that can tell in the times: "bf16",
    /// "batch 8". Empty where the device, LibTorch or CUDA is another too, or one of two steps is no measured
    /// one.
    std::string subject;
    /// What A has there; empty where `subject` is, or where A does not state it.
    std::string subjectA;
    /// What bounds each run, "launch-bound (the GPU waits for the host 63% of the step)", as boundInWords()
    /// of engine/query/findings/launch_bound.h says it, which whoever asks for a headline adds; empty: not
    /// known.
    std::string boundA, boundB;
    /// Mean of the measured steps, or the one step of each; ns.
    std::optional<double> stepA, stepB;
    /// The steps that are compared, of the scope of one step; else nothing.
    std::optional<std::int32_t> oneA, oneB;
    /// For runs of unlike modes (a forward pass, a training step): what both do ("forward"), and its time per
    /// step of each (the mean, or that of the one step), in ns. On a GPU the time is the GPU's, on the CPU
    /// the host's; a GPU run without GPU phase times has none, since the host only launches. Whole steps are
    /// then not compared.
    std::string common;
    std::optional<double> commonA, commonB;
    bool unlikeModes = false;
    /// What the means are of, a step or what both do, ns; of one step of each, and where that is not known of
    /// every step, nothing, and then it is not judged.
    SampleMean stepsA, stepsB, passesA, passesB;
    /// Tokens per step, if they differ.
    std::optional<std::int64_t> tokensA, tokensB;
    /// Bytes.
    std::optional<double> peakA, peakB;
    /// Whether a peak is a lower bound because its run ended too early, and whether it is nevertheless known
    /// which peak is smaller.
    bool peakAtLeastA = false, peakAtLeastB = false, peakDecided = true;
    /// Share of GPU time, or of the self time of ops for a run on the CPU.
    std::optional<double> matmulShareA, matmulShareB;
    std::string_view shareOf = "GPU time";  // "busy time" unless both runs have kernels

    /// Ever longer: what changed; with the figures behind it; and why a run is bound; all, with A's bound in
    /// full and the share of GEMMs, which shorter ones have where no bound is known.
    enum class Length : std::uint8_t { kBrief, kFigures, kSentence, kFull };
    /// "1.93× faster" and ": 41.3 ms per step against 79.7 ms, but launch-bound".
    struct Part {
        std::string lead, rest;
        int trend = 0;  // −1: B takes less, 1: more, 0: alike, within the spread, or neither
    };
    std::vector<Part> parts(Length length = Length::kFull) const;
    /// "bf16 is 1.93× faster: 41.3 ms per step against 79.7 ms, but launch-bound (the GPU waits for the host
    /// 63% of the step) where fp32 was GPU-bound · peak memory −39%: 3.05 GiB against 4.98 GiB"; in full also
    /// " · GEMM share of GPU time: 66% → 47%": B as measured by A. "1.03× slower, within the spread of their
    /// steps: 275 ms ± 52.0 ms per step against 266 ms ± 48.0 ms", where Welch's test does not tell them
    /// apart (mean_spread.h) and they differ by no more than both deviate. Empty where nothing can be said.
    std::string text(Length length = Length::kFull) const;
};

/// `comparison` is that of a and b in `scope`: the mean of their measured steps, or one step of each; per
/// token or not makes no difference.
ComparisonHeadline headlineOf(const RunComparison& comparison, const Snapshot& a, const Snapshot& b,
                              const ComparisonScope& scope = {});

}  // namespace warpglass
