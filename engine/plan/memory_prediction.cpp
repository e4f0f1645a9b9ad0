#include "engine/plan/memory_prediction.h"

#include <algorithm>

#include "engine/base/format.h"
#include "engine/plan/paper_step.h"
#include "engine/plan/saturating.h"

namespace warpglass {
namespace {

std::vector<LeftOutTerm> leftOutOnGpu() {
    return {{"rounding",
             "What the caching allocator gives beyond what it was asked for: up to 512 bytes an allocation, "
             "and up to "
             "1 MiB where it does not split a block for the rest; 3 % of the weights at most."},
            {"reserved memory",
             "Memory that the allocator has taken from the device and no tensor uses: blocks kept for later, "
             "and the "
             "gaps between them."},
            {"outside the allocator",
             "The CUDA context, the code of kernels, and CUPTI's buffers: about 0.5 GiB of the device."}};
}

std::vector<LeftOutTerm> leftOutOf(const RunConfig& config) {
    if (config.onGpu())
        return leftOutOnGpu();
    std::vector<LeftOutTerm> terms = {{"thread buffers",
                                       "Buffers that LibTorch's kernels take for each thread while they run, "
                                       "since they depend on the machine: "
                                       "below a megabyte a thread."},
                                      {"small tensors",
                                       "Scalars, counters and other tensors of a few bytes, and what setting "
                                       "up the tables takes for a moment."},
                                      {"outside the allocator",
                                       "Memory that LibTorch's allocator does not hand out and the recording "
                                       "does not see: its libraries' code, "
                                       "stacks, autograd's graph, and the process's own."}};
    if (isMixed(config.precision))
        terms.push_back(
            {"oneDNN scratch",
             "What oneDNN takes for a moment to reorder the operands of a bf16 product, since it depends "
             "on the processor: about the size of one operand."});
    return terms;
}

RunConfig withSteps(RunConfig config, std::int64_t steps) {
    config.warmup = 0;
    config.steps = steps;
    return config;
}

bool hasOneStep(const RunConfig& config) {
    return (Saturating(config.warmup) + config.steps).value() <= 1;
}

/// The largest of walkStep()'s moments.
std::size_t fullestOf(const std::vector<MemoryMoment>& moments) {
    const auto fuller = [](const MemoryMoment& a, const MemoryMoment& b) { return a.total() < b.total(); };
    return static_cast<std::size_t>(std::max_element(moments.begin(), moments.end(), fuller) -
                                    moments.begin());
}

/// What a run of a single step would need for a second one, where that is more.
std::string secondStepSentence(const MemoryPrediction& prediction) {
    return prediction.secondStep
               ? " A second step, which has AdamW's moments from its beginning, would need " +
                     formatBytes(*prediction.secondStep) + "."
               : std::string();
}

std::string runFitSentence(const MemoryPrediction& prediction, Bytes available) {
    const std::string needed = "The predicted peak of " + formatBytes(prediction.total());
    const std::string given = "the " + formatBytes(available) + " that are available";
    switch (fitOf(prediction, available)) {
        case Fit::kFits:
            return needed + " fits " + given + ".";
        case Fit::kTight:
            return needed + " only just fits " + given + ".";
        case Fit::kTooLarge:
            return needed + " is larger than " + given + ": choose a smaller batch, context or model.";
        case Fit::kUnknown:
            break;
    }
    return needed + " cannot be compared with the memory that is available, which is not known.";
}

}  // namespace

Bytes MemoryMoment::total() const {
    Saturating sum;
    for (const MemoryTerm& term : terms)
        sum += term.bytes.value;
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
    prediction.moments = walkStep(config);
    prediction.peakMoment = fullestOf(prediction.moments);
    prediction.leftOut = leftOutOf(config);
    if (hasOneStep(config)) {
        const Bytes second = predictMemory(withSteps(config, 2)).total();
        if (second > prediction.total())
            prediction.secondStep = second;
    }
    return prediction;
}

StepPeaks predictStepPeaks(const RunConfig& config) {
    return {predictMemory(withSteps(config, 1)).total(), predictMemory(withSteps(config, 2)).total()};
}

std::string stepPeaksInWords(const StepPeaks& peaks) {
    const std::string first = " step is predicted to need " + formatBytes(peaks.first);
    if (formatBytes(peaks.first) == formatBytes(peaks.later))
        return "a" + first;
    return "the first" + first + ", and every later one, which has AdamW's moments, " +
           formatBytes(peaks.later);
}

Fit fitOf(const MemoryPrediction& prediction, Bytes available) {
    if (available.value <= 0)
        return Fit::kUnknown;
    const Bytes needed = prediction.total();
    if (needed > available)
        return Fit::kTooLarge;
    // The prediction is good to a few percent, and the process needs memory of its own.
    return needed.value > available.value - available.value / 10 ? Fit::kTight : Fit::kFits;
}

std::string fitSentence(const MemoryPrediction& prediction, Bytes available, Bytes inUse) {
    std::string sentence = runFitSentence(prediction, available) + secondStepSentence(prediction);
    if (inUse.value > 0)
        sentence += " " + formatBytes(inUse) + " of the device are in use already.";
    return sentence;
}

std::string unknownFitSentence(const MemoryPrediction& prediction, const std::string& device, bool present) {
    const std::string needed = "Whether the predicted peak of " + formatBytes(prediction.total()) + " fits ";
    return needed + device + " is not known: " +
           (present
                ? "its driver does not say how much of its memory is free. Compare it with what nvidia-smi "
                  "says."
                : "this machine has no such device. Compare it with the memory of the one you mean, or "
                  "choose one that `warpglass-cli devices` lists.") +
           secondStepSentence(prediction);
}

}  // namespace warpglass
