#include "engine/query/compare/comparison_scope.h"

#include "engine/base/format.h"
#include "engine/query/compare/scoped_steps.h"

namespace warpglass {
namespace {

/// "3 of A"; of steps that are none of the measured ones it says so. `tokens` of a step, 0 to leave out.
std::string countText(const Snapshot& run, const char* name, std::int64_t tokens) {
    const StepSelection steps = stepsToAverage(run);
    std::string text = std::to_string(steps.count) + " of " + name;
    if (steps.count > 0 && !steps.measured)
        text += steps.count == 1 ? ", a warm-up" : ", all warm-ups";
    if (steps.count > 0 && tokens > 0)
        text += " at " + formatGrouped(tokens) + " tokens";
    return text;
}

}  // namespace

std::optional<std::int64_t> tokensPerStep(const Snapshot& run) {
    const auto batch = run.info().getInteger("config.batch"),
               context = run.info().getInteger("config.context");
    // What no model has is a damaged file's; a product of these is whole in a double.
    constexpr std::int64_t kMost = std::int64_t{1} << 26;
    if (run.info().get("config.workload") == "attention")  // it has none
        return std::nullopt;
    if (!batch || !context || *batch < 1 || *context < 1 || *batch > kMost || *context > kMost)
        return std::nullopt;
    return *batch * *context;
}

bool countsTokens(const Snapshot& a, const Snapshot& b, const ComparisonScope& scope) {
    return scope.perToken && tokensPerStep(a) && tokensPerStep(b);
}

ScopedSteps scopedSteps(const Snapshot& run, const ComparisonScope& scope, ComparisonSide side,
                        std::optional<std::int64_t> tokens) {
    ScopedSteps scoped;
    if (scope.steps == ComparisonScope::Steps::kOne) {
        const std::int32_t step = side == ComparisonSide::kA ? scope.stepA : scope.stepB;
        if (step >= 0)
            scoped.steps = {step, step, 1, false};
    } else {
        scoped.steps = stepsToAverage(run);
    }
    // A sum per token is divided by the tokens of all its steps, which makes it the mean per token.
    const bool mean = scope.steps == ComparisonScope::Steps::kMean || tokens;
    if (mean && scoped.steps.count > 0)
        scoped.divisor = static_cast<double>(scoped.steps.count);
    if (tokens)
        scoped.divisor *= static_cast<double>(*tokens);
    return scoped;
}

std::vector<WorkRow> scopedWork(const Snapshot& run, const ScopedSteps& scoped) {
    SpanFilter filter;
    if (scoped.steps.first == scoped.steps.last)
        filter.step = scoped.steps.first;  // which work times otherwise take of the measured steps only
    return scoped.steps.count == 0 ? std::vector<WorkRow>() : workTimes(run, filter).rows;
}

std::string scopeText(const Snapshot& a, const Snapshot& b, const ComparisonScope& scope) {
    const bool tokens = countsTokens(a, b, scope);
    const std::int64_t ofA = tokens ? tokensPerStep(a).value_or(0) : 0;
    const std::int64_t ofB = tokens ? tokensPerStep(b).value_or(0) : 0;
    if (scope.steps == ComparisonScope::Steps::kOne) {
        const auto step = [](std::int32_t number, const char* name, std::int64_t count) {
            std::string text = number < 0 ? std::string("no step") : "step " + std::to_string(number);
            text.append(" of ").append(name);
            return count > 0 ? text + " (" + formatGrouped(count) + " tokens)" : text;
        };
        return step(scope.stepA, "A", ofA) + " against " + step(scope.stepB, "B", ofB) +
               (tokens ? ", per token" : "");
    }
    const StepSelection inA = stepsToAverage(a), inB = stepsToAverage(b);
    const bool alike = !tokens && inA.count == inB.count && inA.measured && inB.measured;
    const std::string counts = alike ? " (n = " + std::to_string(inA.count) + " each)"
                                     : " (" + countText(a, "A", ofA) + ", " + countText(b, "B", ofB) + ")";
    if (tokens)
        return "mean per token of the measured steps" + counts;
    return (scope.steps == ComparisonScope::Steps::kMean ? "mean per measured step"
                                                         : "sum over the measured steps") +
           counts;
}

}  // namespace warpglass
