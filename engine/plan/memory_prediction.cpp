#include "engine/plan/memory_prediction.h"

#include <algorithm>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/plan/paper_step.h"
#include "engine/plan/parts.h"
#include "engine/plan/saturating.h"
#include "engine/plan/valid_config.h"

namespace warpglass {
namespace {

std::vector<LeftOutTerm> leftOutOnGpu() {
    return {{"small tensors", "Scalars, counters and random states of a few bytes: below 2 MiB."},
            {"allocator settings",
             "What PYTORCH_CUDA_ALLOC_CONF changes, such as expandable segments: the prediction is of "
             "LibTorch's caching allocator with its default settings."},
            {"outside the allocator",
             "The CUDA context, the code of kernels, and CUPTI's buffers: about 0.5 GiB of the device."}};
}

std::vector<LeftOutTerm> leftOutOf(const RunConfig& config) {
    if (config.onGpu())
        return leftOutOnGpu();
    std::vector<LeftOutTerm> terms = {{"thread buffers",
                                       "Buffers that LibTorch's kernels take for each thread while they run, "
                                       "since they depend on the machine: below a megabyte a thread."},
                                      {"small tensors",
                                       "Scalars, counters and other tensors of a few bytes, and what setting "
                                       "up the tables takes for a moment."},
                                      {"outside the allocator",
                                       "Memory that LibTorch's allocator does not hand out and the recording "
                                       "does not see: its libraries' code, "
                                       "stacks, autograd's graph, and the process's own."}};
    if (isMixed(config.precision))
        terms.push_back({"oneDNN scratch",
                         "What oneDNN takes for a moment to reorder the operands of a bf16 product, since it "
                         "depends on the processor: about the size of one operand."});
    return terms;
}

std::size_t fullestOf(const std::vector<MemoryMoment>& moments) {
    const auto fuller = [](const MemoryMoment& a, const MemoryMoment& b) { return a.total() < b.total(); };
    return static_cast<std::size_t>(std::ranges::max_element(moments, fuller) - moments.begin());
}

RunConfig withSteps(RunConfig config, std::int64_t steps) {
    config.warmup = 0;
    config.steps = steps;
    return config;
}

bool hasOneStep(const RunConfig& config) {
    return (Saturating(config.warmup) + config.steps).value() <= 1;
}

std::string_view keptFromFirstStep(const RunConfig& config) {
    return config.isAttention() ? "the gradients of the first" : "AdamW's moments";
}

/// What a run of a single step would need for a second one, where that is more.
std::string secondStepSentence(const MemoryPrediction& prediction) {
    return prediction.secondStep
               ? " A second step, which has " + std::string(keptFromFirstStep(prediction.config)) +
                     " from its beginning, would need " + formatBytes(*prediction.secondStep) + "."
               : std::string();
}

/// More is beyond any device, and beyond what is worth a replay.
constexpr std::int64_t kMostReplayed = std::int64_t{1} << 44;
/// Every layer adds the same to what is given and taken, but for a segment here and there: half a percent at
/// 256 to 4,096 layers, where replaying them all would take up to half a minute.
constexpr std::int64_t kMostLayers = 128;

// What an allocator makes of what is asked of it, at most. In ten thousand configurations of all kinds the
// largest given was 1.06 times what was asked for and a few MiB, and none ran out of memory within 1.5 times
// and 64 MiB: blocks of more than a MiB are given with up to one more, small ones are rounded to 512 bytes,
// and segments of which a part is in use cannot be given back.
constexpr std::int64_t kSmallBlocks = std::int64_t{64} << 20;
constexpr std::int64_t kPartlyUsed = std::int64_t{128} << 20;

struct Taken {
    Saturating given, reserved;
};

Taken takenBy(RunConfig config, std::int64_t layers) {
    config.shape.layers = layers;
    CachingAllocator allocator;
    walkRun(config, allocator);
    return {allocator.peakGiven().value, allocator.peakReserved().value};
}

Taken takenBy(const RunConfig& config) {
    if (config.shape.layers <= kMostLayers)
        return takenBy(config, config.shape.layers);
    const Taken whole = takenBy(config, kMostLayers), half = takenBy(config, kMostLayers / 2);
    const auto further = [&](Saturating all, Saturating some) {
        const std::int64_t layer = (all - some).value() / (kMostLayers - kMostLayers / 2);
        return all + Saturating(layer) * (config.shape.layers - kMostLayers);
    };
    return {further(whole.given, half.given), further(whole.reserved, half.reserved)};
}

/// The allocator may get by with less than it would take, if it gives back what it keeps; or its pieces may
/// not do. Only a replay of every layer tells.
bool isReplayed(const RunConfig& config) {
    return config.shape.layers <= kMostLayers;
}

/// Precondition: isReplayed().
bool runsWithin(const RunConfig& config, Bytes available) {
    CachingAllocator allocator(available);
    return walkRun(config, allocator);
}

std::string peakWords(const MemoryPrediction& prediction) {
    std::string words = "the predicted peak of " + formatBytes(prediction.given);
    if (prediction.reserved > prediction.given)
        words += ", for which the allocator reserves " + formatBytes(prediction.reserved) + ",";
    return words;
}

std::string asSentenceStart(std::string words) {
    words.front() = 'T';
    return words;
}

/// Scores that are stored may be all that does not fit.
std::string whatToChoose(const MemoryPrediction& prediction, Bytes available) {
    const std::string smaller = ": choose a smaller batch, context or model";
    RunConfig flash = prediction.config;
    flash.attention = AttentionVariant::kFlash;
    if (!flash.onGpu() || !attentionPlan(prediction.config).storesScores || !validate(flash).empty())
        return smaller + ".";
    const MemoryPrediction ofFlash = predictMemory(flash);
    if (fitOf(ofFlash, available) == Fit::kTooLarge)
        return smaller + ".";
    return smaller + ", or --attention flash, whose predicted peak of " + formatBytes(ofFlash.given) +
           " fits.";
}

std::string runFitSentence(const MemoryPrediction& prediction, Bytes available) {
    const std::string needed = asSentenceStart(peakWords(prediction));
    const std::string there = "the " + formatBytes(available) + " that are available";
    switch (fitOf(prediction, available)) {
        case Fit::kFits:
            return needed + " fits " + there + ".";
        case Fit::kTight:
            if (prediction.reserved > available && !isReplayed(prediction.config))
                return needed + " may not fit " + there +
                       ": it does where the allocator can give back enough of what it would keep, which is "
                       "not predicted for more than " +
                       std::to_string(kMostLayers) + " layers.";
            return needed + " only just fits " + there +
                   (prediction.reserved > available
                        ? ": the allocator has to give back what it would keep for later."
                        : ".");
        case Fit::kTooLarge:
            return prediction.given > available
                       ? needed + " is larger than " + there + whatToChoose(prediction, available)
                       : needed + " does not fit " + there +
                             ", since the allocator's free memory is in pieces too small" +
                             whatToChoose(prediction, available);
        case Fit::kUnknown:
            break;
    }
    return needed + " cannot be compared with the memory that is available, which is not known.";
}

}  // namespace

Bytes MemoryMoment::total() const {
    Saturating sum = sumOver<Saturating>(terms, [&](const MemoryTerm& term) { return term.bytes.value; });
    return Bytes(sum.value());
}

Bytes MemoryMoment::of(PlanCategory category) const {
    Saturating sum;
    for (const MemoryTerm& term : terms)
        if (term.category == category)
            sum += term.bytes.value;
    return Bytes(sum.value());
}

const MemoryMoment& MemoryPrediction::peak() const {
    static const MemoryMoment kNothing;
    return peakMoment < moments.size() ? moments[peakMoment] : kNothing;
}

std::array<Bytes, kPlanCategoryCount> MemoryPrediction::atPeak() const {
    std::array<Bytes, kPlanCategoryCount> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = peak().of(static_cast<PlanCategory>(i));
    return bytes;
}

MemoryPrediction predictMemory(const RunConfig& config) {
    MemoryPrediction prediction;
    prediction.config = config;
    prediction.moments = walkStep(config);
    prediction.peakMoment = fullestOf(prediction.moments);
    prediction.given = prediction.reserved = prediction.total();
    prediction.leftOut = leftOutOf(config);
    const bool sized = config.shape.layers > 0 && Saturating(config.warmup) + config.steps > Saturating(0);
    if (config.onGpu() && sized && prediction.total().value < kMostReplayed) {
        const Taken taken = takenBy(config);
        prediction.given = std::max(prediction.given, Bytes(taken.given.value()));
        prediction.reserved = std::max(prediction.given, Bytes(taken.reserved.value()));
    }
    if (hasOneStep(config)) {
        const Bytes second = predictMemory(withSteps(config, 2)).given;
        if (second > prediction.given)
            prediction.secondStep = second;
    }
    return prediction;
}

std::optional<Bytes> MemoryPrediction::beforeBackward() const {
    const auto first = std::ranges::find(moments, "backward", &MemoryMoment::phase);
    if (first == moments.end())
        return std::nullopt;
    const auto made = [&](PlanCategory category) {
        const std::int64_t now = first->of(category).value;
        return first == moments.begin() ? now
                                        : std::max<std::int64_t>(0, now - (first - 1)->of(category).value);
    };
    return Bytes(first->total().value - first->of(PlanCategory::kTemporaries).value -
                 made(PlanCategory::kGradients));
}

StepPeaks predictStepPeaks(const RunConfig& config) {
    return {predictMemory(withSteps(config, 1)).given, predictMemory(withSteps(config, 2)).given,
            keptFromFirstStep(config)};
}

std::string stepPeaksInWords(const StepPeaks& peaks) {
    const std::string first = " step is predicted to need " + formatBytes(peaks.first);
    if (formatBytes(peaks.first) == formatBytes(peaks.later))
        return "a" + first;
    return "the first" + first + ", and every later one, which has " + std::string(peaks.kept) + ", " +
           formatBytes(peaks.later);
}

Bytes predictAsked(const RunConfig& config) {
    const std::vector<MemoryMoment> moments = walkStep(config);
    return moments[fullestOf(moments)].total();
}

Bytes mostGiven(const RunConfig& config, Bytes asked) {
    return config.onGpu() ? Bytes((Saturating(asked.value) + asked.value / 4 + kSmallBlocks).value()) : asked;
}

std::optional<bool> tooLargeByAsked(const RunConfig& config, Bytes asked, Bytes available) {
    if (available.value <= 0)
        return false;
    if (asked > available)
        return true;
    const Bytes most((Saturating(asked.value) + asked.value / 4 * 3 + kPartlyUsed).value());
    return !config.onGpu() || most <= available ? std::optional(false) : std::nullopt;
}

Fit fitOf(const MemoryPrediction& prediction, Bytes available) {
    if (available.value <= 0)
        return Fit::kUnknown;
    if (prediction.given > available)
        return Fit::kTooLarge;
    if (prediction.reserved > available)
        return !isReplayed(prediction.config) || runsWithin(prediction.config, available) ? Fit::kTight
                                                                                          : Fit::kTooLarge;
    // The process needs memory of its own, and what it has run before may cost some percent more.
    return prediction.reserved.value > available.value - available.value / 10 ? Fit::kTight : Fit::kFits;
}

bool needsOvercommit(const MemoryPrediction& prediction, Bytes available) {
    return !prediction.config.onGpu() && fitOf(prediction, available) == Fit::kTooLarge;
}

std::string fitSentence(const MemoryPrediction& prediction, Bytes available, Bytes inUse) {
    std::string sentence = runFitSentence(prediction, available) + secondStepSentence(prediction);
    if (inUse.value > 0)
        sentence += " " + formatBytes(inUse) + " of the device are in use already.";
    return sentence;
}

std::string unknownFitSentence(const MemoryPrediction& prediction, const std::string& device, bool present) {
    const std::string needed = "Whether " + peakWords(prediction) + " fits ";
    return needed + device + " is not known: " +
           (present ? "its driver does not say how much of its memory is free. Compare it with what "
                      "nvidia-smi says."
                    : "this machine has no such device. Compare it with the memory of the one you mean, or "
                      "choose one that `warpglass-cli devices` lists.") +
           secondStepSentence(prediction);
}

}  // namespace warpglass
