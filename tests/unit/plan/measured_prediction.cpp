#include "tests/unit/plan/measured_prediction.h"

#include <algorithm>

#include "engine/plan/memory_prediction.h"
#include "engine/query/memory/memory_before_backward.h"
#include "engine/query/memory/memory_timeline.h"
#include "tests/unit/runner/runner_test_support.h"

namespace warpglass {
namespace {

std::int64_t partOf(const MemoryPoint& point, PlanCategory category) {
    const auto bytes = [&](Category c) { return point.bytes[static_cast<std::size_t>(c)]; };
    switch (category) {
        case PlanCategory::kWeights:
            return bytes(Category::kWeights);
        case PlanCategory::kGradients:
            return bytes(Category::kGradients);
        case PlanCategory::kOptimizerState:
            return bytes(Category::kOptimizerState);
        case PlanCategory::kInput:
            return bytes(Category::kInput);
        case PlanCategory::kActivations:
            return bytes(Category::kActivations);
        case PlanCategory::kWorkspace:
            return bytes(Category::kWorkspace);
        case PlanCategory::kWeightCopies:
            return bytes(Category::kWeightCopies);
        case PlanCategory::kTemporaries:
            break;
    }
    return bytes(Category::kTemporaries) + bytes(Category::kUnknown);
}

}  // namespace

RunConfig measuredConfig(std::string_view model, std::int64_t context, Mode mode, Precision precision,
                         AttentionVariant attention) {
    return {.model = std::string(model),
            .shape = *presetShape(model),
            .context = context,
            .precision = precision,
            .attention = attention,
            .mode = mode,
            .warmup = 0,
            .steps = mode == Mode::kStep ? 2 : 1};
}

void expectPredictionHolds(const RunConfig& config) {
    const RecordedRun run = record(config);
    ASSERT_NE(run.trace, nullptr);
    ASSERT_EQ(run.outcome.state, "finished") << run.outcome.message;
    MemoryTimeline timeline;
    timeline.update(run.trace);
    const auto measured = timeline.peak();
    ASSERT_TRUE(measured);

    const MemoryPrediction predicted = predictMemory(config);
    const std::int64_t peak = sumOf(measured->bytes);
    const auto allowed = static_cast<double>(peak) * 0.05;
    EXPECT_NEAR(static_cast<double>(predicted.total().value), static_cast<double>(peak), allowed)
        << "predicted at " << predicted.peakPhase() << ", " << predicted.peak().name;
    const auto parts = predicted.atPeak();
    for (std::size_t i = 0; i < kPlanCategoryCount; ++i)
        EXPECT_NEAR(static_cast<double>(parts[i].value),
                    static_cast<double>(partOf(*measured, static_cast<PlanCategory>(i))), allowed)
            << kPlanCategoryNames[i] << " at the peak (" << predicted.peakPhase() << ", "
            << predicted.peak().name << ")";
    EXPECT_EQ(parts[0].value, partOf(*measured, PlanCategory::kWeights));
    const auto before = mostBeforeBackward(memoryBeforeBackward(timeline));
    ASSERT_EQ(predicted.beforeBackward().has_value(), before.has_value());
    if (before) {
        const auto allocated = static_cast<double>(before->allocated.value);
        EXPECT_NEAR(static_cast<double>(predicted.beforeBackward()->value), allocated, 0.05 * allocated);
    }
    testing::Test::RecordProperty("measured", std::to_string(peak));
    testing::Test::RecordProperty("predicted", std::to_string(predicted.total().value));
}

std::string variantName(const testing::TestParamInfo<Variant>& info) {
    const auto& [context, mode, precision, attention] = info.param;
    std::string name(modeName(mode));
    name.append("_").append(precisionName(precision)).append("_").append(attentionName(attention));
    std::replace(name.begin(), name.end(), '-', '_');
    return name + "_" + std::to_string(context);
}

}  // namespace warpglass
