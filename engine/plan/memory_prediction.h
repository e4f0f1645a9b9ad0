// The peak of the memory that LibTorch's allocator of the device hands out during a run, predicted from the
// configuration alone.
//
// The peak is the largest of a handful of candidate moments (end of set-up, inside a block's forward pass,
// the logits, the loss, the start of backward, inside a block's backward pass, the optimizer). Each moment is
// a list of named terms; each term says what tensors are alive then and how large they are. The terms follow
// what the runner's model really does on ATen: which tensors each op's backward node keeps, the bf16 copies
// of the weights that autocast caches, the fp32 log-softmax, gradients, AdamW's two moments, the temporaries
// of the op that is running.
//
// The terms' sizes are the bytes asked of the allocator. What a GPU's allocator gives for them, and what it
// takes from the device to do so, comes from the run's allocations replayed in their order, layer by layer,
// through a model of it (caching_allocator.h). The CPU's gives what it is asked for and keeps nothing. What
// is left out stands in leftOut by name.
//
// Arithmetic saturates, so any RunConfig may be given, also a refused one. Pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/run_config.h"

namespace warpglass {

/// The categories that can be predicted. The words are those of the trace's categories.
enum class PlanCategory : std::uint8_t {
    kWeights,
    kGradients,
    kOptimizerState,
    /// Token ids, targets, and the cached RoPE tables and causal mask.
    kInput,
    kActivations,
    kTemporaries,
    /// Scratch memory that libraries keep between calls; GPUs only.
    kWorkspace,
    /// What autocast makes of weights in every step, as MemoryTimeline::categoryOf() recognizes it.
    kWeightCopies
};
inline constexpr std::size_t kPlanCategoryCount = 8;
inline constexpr std::array<std::string_view, kPlanCategoryCount> kPlanCategoryNames = {
    "weights", "gradients", "optimizer", "input", "activations", "temporaries", "workspace", "weight copies"};
constexpr std::string_view planCategoryName(PlanCategory c) {
    return kPlanCategoryNames[static_cast<std::size_t>(c)];
}

/// Some tensors that are alive at a moment.
struct MemoryTerm {
    PlanCategory category = PlanCategory::kTemporaries;
    /// What they are, for a person: "attention probabilities, 12 layers".
    std::string name;
    Bytes bytes;
};

/// A point of a run at which memory may peak.
struct MemoryMoment {
    /// A phase's word: "setup", "forward", "loss", "backward", "optimizer".
    std::string phase;
    /// "the last block's attention scores".
    std::string name;
    /// No term is empty (0 bytes).
    std::vector<MemoryTerm> terms;

    Bytes total() const;
    Bytes of(PlanCategory category) const;
};

/// Something the prediction leaves out, in one sentence.
struct LeftOutTerm {
    std::string name;
    std::string sentence;
};

struct MemoryPrediction {
    /// In the order in which a step meets them; predictMemory() always gives some.
    std::vector<MemoryMoment> moments;
    std::size_t peakMoment = 0;
    /// The most that the allocator has given at a time (what recordings and charts count as allocated), and
    /// the most that it has taken from the device. On the CPU both are total().
    Bytes given, reserved;
    std::vector<LeftOutTerm> leftOut;
    /// What a second step would be given at its peak, where the run has but one and that one needs less:
    /// AdamW makes its moments at the end of the first step, and every later one has them from its beginning;
    /// the gradients of the attention workload stay in the same way.
    std::optional<Bytes> secondStep;
    /// The run that this is predicted for.
    RunConfig config;

    /// An empty moment when nothing was predicted (a default-constructed prediction).
    const MemoryMoment& peak() const;
    /// The predicted peak of what is asked for.
    Bytes total() const { return peak().total(); }
    /// The peak's bytes by PlanCategory.
    std::array<Bytes, kPlanCategoryCount> atPeak() const;
    const std::string& peakPhase() const { return peak().phase; }
    /// What is asked for just before the backward pass: all that its first moment has and it did not make
    /// itself. Nothing of a run without one.
    std::optional<Bytes> beforeBackward() const;
};

/// Microseconds for the CPU, some milliseconds for a GPU.
MemoryPrediction predictMemory(const RunConfig& config);
/// Its total() alone, in microseconds.
Bytes predictAsked(const RunConfig& config);

/// The most that predictMemory() says is given where predictAsked() says `asked`.
Bytes mostGiven(const RunConfig& config, Bytes asked);
/// Whether fitOf() will say kTooLarge, as far as `asked`, which is predictAsked()'s, tells: nothing where it
/// takes predictMemory() to tell.
std::optional<bool> tooLargeByAsked(const RunConfig& config, Bytes asked, Bytes available);

/// The predicted peaks, as given, of the first step and of later ones, whatever the steps in `config`.
struct StepPeaks {
    Bytes first, later;
    /// What a later one has from its beginning: "AdamW's moments".
    std::string_view kept = "AdamW's moments";
};
StepPeaks predictStepPeaks(const RunConfig& config);
/// "a step is predicted to need 3.20 GiB", or where they differ "the first step is predicted to need
/// 32.3 GiB, and every later one, which has AdamW's moments, 39.5 GiB".
std::string stepPeaksInWords(const StepPeaks& peaks);

enum class Fit : std::uint8_t {
    kFits,
    /// It fits, but takes over 90% of what is available; or only where the allocator gives back what it
    /// would keep; or, of more layers than are replayed, it may do so (fitSentence() says which).
    kTight,
    /// Also where the bytes would do, but not the pieces that the allocator has them in.
    kTooLarge,
    /// `available` is not known (zero or negative).
    kUnknown
};
/// It is what the allocator takes from the device that must fit.
Fit fitOf(const MemoryPrediction& prediction, Bytes available);
/// Whether the run is refused unless a person wants it all the same: it does not fit the machine's own
/// memory, where Linux would not refuse the bytes but end this process, and perhaps others, when they are
/// used. To run out of a GPU's memory is a result, which harms no one.
bool needsOvercommit(const MemoryPrediction& prediction, Bytes available);
/// One sentence for a person, for each outcome of fitOf(): "The predicted peak of 3.2 GiB fits the 11.8 GiB
/// that are available." or "… is larger than the 2 GiB that are available: choose a smaller batch, context or
/// model." Where naive attention is too large for a GPU and flash attention is not, "…, or --attention flash,
/// whose predicted peak of 706 MiB fits." On a GPU "The predicted peak of 3.05 GiB, for which the allocator
/// reserves 3.18 GiB, fits …". With `inUse`, what others hold of the device: "… 61.2 GiB of the device are in
/// use already." Of a run of a single step also what a second one would need, where that is more.
std::string fitSentence(const MemoryPrediction& prediction, Bytes available, Bytes inUse = {});
/// Why it is not known whether it fits a device of this name, and what to do: `present` where this machine
/// has the device and its driver does not say how much of its memory is free.
std::string unknownFitSentence(const MemoryPrediction& prediction, const std::string& device, bool present);

}  // namespace warpglass
