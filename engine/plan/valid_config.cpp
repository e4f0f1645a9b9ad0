#include "engine/plan/valid_config.h"

#include <algorithm>
#include <array>

#include "engine/plan/flops.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/parts.h"
#include "engine/plan/saturating.h"
#include "engine/plan/settings.h"

namespace warpglass {
namespace {

using Problem = std::optional<std::string>;

/// What settings must keep to together; where one of them does not apply, nothing.
struct Rule {
    /// The setting that is told of, and the others that it reads; all are in order by themselves.
    std::array<std::string_view, 5> reads;
    Problem (*problem)(const RunConfig&);
};

Problem presetHasItsSizes(const RunConfig& config) {
    const Result<ModelShape> shape = presetShape(config.model);
    if (!shape || *shape == config.shape)
        return std::nullopt;
    return "The sizes are not those of the preset \"" + config.model +
           "\": call the model \"custom\" or use the preset's sizes.";
}

Problem headsDivideTheWidth(const RunConfig& config) {
    const ModelShape& s = config.shape;
    if (s.dModel % s.heads != 0)
        return "The model width " + std::to_string(s.dModel) + " cannot be divided into " +
               std::to_string(s.heads) + " heads: choose a number of heads that divides it.";
    if (s.headDimension() % 2 != 0)
        return "The head dimension " + std::to_string(s.headDimension()) + " (d-model " +
               std::to_string(s.dModel) + " over " + std::to_string(s.heads) +
               " heads) is odd, but rotary embeddings turn pairs of numbers.";
    return std::nullopt;
}

Problem attentionRuns(const RunConfig& config) {
    const auto problem = attentionPlan(config).is.problem;
    return problem ? problem(config) : std::nullopt;
}

Problem deterministicIsOfFlash(const RunConfig& config) {
    if (config.deterministic == Deterministic::kNo)
        return std::nullopt;
    const bool isByChoice = attentionPlan(config).isDeterministicByChoice;
    if (isByChoice && config.mode == Mode::kForward)
        return "The mode \"forward\" has no backward pass that could be deterministic: choose another mode, "
               "or deterministic no.";
    if (isByChoice)
        return std::nullopt;
    return "Only flash attention has a deterministic backward pass to choose: choose it, or deterministic "
           "no.";
}

Problem attentionHasNoStep(const RunConfig& config) {
    if (!config.isAttention() || config.mode != Mode::kStep)
        return std::nullopt;
    return "Attention alone has no weights that an optimizer could update: choose forward or "
           "forward-backward, or the workload transformer.";
}

Problem somethingRuns(const RunConfig& config) {
    if (config.warmup == 0 && config.steps == 0)
        return "There is nothing to run: the warm-up steps and the measured steps are both 0.";
    if (config.execution == Execution::kGraph && config.warmup + config.steps < 2)
        return "The execution \"graph\" replays from the second step on: ask for at least 2 steps, "
               "warm-up and measured together.";
    return std::nullopt;
}

Problem shapesAreOfOps(const RunConfig& config) {
    if (config.recorded.has(Feature::kShapes) && !config.recorded.has(Feature::kOps))
        return "The shapes are those of ops, which are not recorded: record ops too.";
    return std::nullopt;
}

/// Head dimensions whose kernels have twins with a clock (engine/kernels/kernel_clock.h).
constexpr std::int64_t kClockedDimensions[] = {64, 128};

Problem kernelClocksAreOfFlash(const RunConfig& config) {
    if (!config.recorded.has(Feature::kKernelClocks))
        return std::nullopt;
    if (!attentionPlan(config).hasClocks)
        return "Only the kernels of flash attention on a GPU have a clock inside: choose the attention flash "
               "and a GPU, or record without kernel-clocks.";
    if (!isMixed(config.precision))
        return "Flash attention's kernels have a clock inside for bf16 and fp16: choose one of these, or "
               "record without kernel-clocks.";
    if (std::ranges::find(kClockedDimensions, config.headDimension()) == std::end(kClockedDimensions))
        return "Flash attention's kernels have a clock inside for the head dimensions 64 and 128, and not "
               "for " +
               std::to_string(config.headDimension()) +
               ": choose one of these, or record without kernel-clocks.";
    return std::nullopt;
}

constexpr Rule kRules[] = {
    {{"model"}, &presetHasItsSizes},
    {{"heads", "d-model"}, &headsDivideTheWidth},
    {{"attention", "precision", "device"}, &attentionRuns},
    {{"deterministic", "attention", "mode"}, &deterministicIsOfFlash},
    {{"kernels", "precision", "device", "attention", "mode"}, &whyOwnPartsDoNotRun},
    {{"mode", "workload"}, &attentionHasNoStep},
    {{"steps", "warmup", "execution"}, &somethingRuns},
    {{"record"}, &shapesAreOfOps},
    {{"record", "attention", "device", "precision"}, &kernelClocksAreOfFlash},
};

/// Each size is plausible alone; together they may still be more than 63 bits can count.
bool canBeCounted(const RunConfig& config) {
    const Saturating flops(countAllFlops(config).value);
    const Saturating bytes(predictAsked(config).value);
    return !flops.saturated() && !bytes.saturated();
}

}  // namespace

std::vector<ConfigProblem> validate(const RunConfig& config) {
    std::vector<ConfigProblem> problems;
    const auto add = [&problems](std::string_view field, Problem problem) {
        if (problem)
            problems.push_back({std::string(field), std::move(*problem)});
    };
    const auto isInOrder = [&problems](std::string_view field) {
        return std::ranges::none_of(problems, [field](const ConfigProblem& p) { return p.field == field; });
    };
    const auto applies = [&config](std::string_view field) {
        const auto all = everySetting();
        return std::ranges::none_of(all,
                                    [&](const Setting& s) { return s.key == field && !s.applies(config); });
    };
    for (const Setting& setting : everySetting()) {
        if (setting.applies(config))
            add(setting.key, setting.problem(config));
    }
    if (isInOrder("device")) {
        for (const Setting& setting : everySetting()) {
            if (setting.applies(config) && isInOrder(setting.key))
                add(setting.key, setting.deviceProblem(config));
        }
    }
    for (const Rule& rule : kRules) {
        const auto holds = [&](std::string_view field) { return applies(field) && isInOrder(field); };
        if (std::ranges::all_of(rule.reads, holds))
            add(rule.reads[0], rule.problem(config));
    }
    if (problems.empty() && !canBeCounted(ofItsWorkload(config)))
        problems.push_back({"context",
                            "One step would take more work or memory than can be counted (over 9.2 × 10^18 "
                            "operations or bytes): choose a smaller context, batch or model."});
    std::ranges::stable_sort(problems, [](const ConfigProblem& a, const ConfigProblem& b) {
        return findSetting(a.field) < findSetting(b.field);
    });
    return problems;
}

std::optional<ValidConfig> ValidConfig::of(RunConfig config, std::vector<ConfigProblem>* problems) {
    std::vector<ConfigProblem> found = validate(config);
    if (!found.empty()) {
        if (problems)
            *problems = std::move(found);
        return std::nullopt;
    }
    return ValidConfig(ofItsWorkload(config));
}

}  // namespace warpglass
