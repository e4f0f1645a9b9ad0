// Every byte: what is allocated, what for, and that it all adds up to what LibTorch itself counts.
#include <gtest/gtest.h>

#include "engine/capture/memory_ledger.h"
#include "engine/plan/parameters.h"
#include "engine/query/memory/memory_timeline.h"
#include "tests/support/implementations.h"
#include "tests/unit/runner/runner_test_support.h"

namespace warpglass::test::memory_test {

/// A run, its memory over time, and what LibTorch said of it.
struct Recorded {
    RunConfig config;
    std::vector<std::int64_t> totals;  // LibTorch's, after every event
    RecordedRun run;
    MemoryTimeline timeline;

    explicit Recorded(const RunConfig& configuration) : config(configuration) {
        MemoryLedger::s_totalsForTest = &totals;
        run = record(config);
        MemoryLedger::s_totalsForTest = nullptr;
        timeline.update(run.trace);
    }

    Nanoseconds endOf(Phase phase, std::int32_t step) const {
        for (const NamedSpan& span : spansOf(*run.trace, TrackKind::kPhase)) {
            if (span.phase == phase && span.step == step)
                return Nanoseconds(span.end);
        }
        ADD_FAILURE() << "no " << phaseName(phase) << " in step " << step;
        return {};
    }
    std::int64_t bytes(Category category, Nanoseconds t) const {
        return timeline.at(t)[static_cast<std::size_t>(category)];
    }
};

void theSumOverCategoriesIsLibTorchsTotalAtEveryEvent(const Recorded& r) {
    EXPECT_EQ(lossText(*r.run.trace), "");
    ASSERT_EQ(r.totals.size(), r.run.trace->memoryEventCount());
    ASSERT_GT(r.totals.size(), 100u);
    for (std::size_t i = 0; i < r.totals.size(); ++i)
        ASSERT_EQ(sumOf(r.timeline.afterEvent(i).bytes), r.totals[i]) << "event " << i;
    EXPECT_EQ(r.totals.back(), 0);
}

void nothingIsOfUnknownPurpose(const Recorded& r) {
    const Snapshot& trace = *r.run.trace;
    EXPECT_EQ(trace.settledAllocationCount(), trace.allocationCount());
    for (std::uint64_t i = 0; i < trace.allocationCount(); ++i) {
        const AllocationRow row = *trace.allocation(AllocationId(i));
        EXPECT_NE(trace.categoryOf(AllocationId(i)), Category::kUnknown)
            << trace.name(row.op) << " in " << phaseName(trace.place(row.place).phase);
    }
}

void weightsGradientsAndOptimizerStateHaveTheirSize(const Recorded& r) {
    const std::int64_t weights = 4 * parameterCount(r.config.shape);
    for (std::int32_t step = 0; step < 3; ++step) {
        const Nanoseconds forward = r.endOf(Phase::kForward, step);
        EXPECT_EQ(r.bytes(Category::kWeights, forward), weights);
        EXPECT_EQ(r.bytes(Category::kGradients, forward), 0);
        EXPECT_GT(r.bytes(Category::kActivations, forward), 0);
        if (r.config.mode == Mode::kForward)
            continue;
        const Nanoseconds backward = r.endOf(Phase::kBackward, step);
        EXPECT_EQ(r.bytes(Category::kGradients, backward), weights);
        EXPECT_EQ(r.bytes(Category::kActivations, backward), 0);
        EXPECT_EQ(r.bytes(Category::kTemporaries, backward), 0);
        EXPECT_EQ(r.bytes(Category::kGradients, r.endOf(Phase::kZeroGrad, step)), 0);
        // Two moments of every parameter, and one step count.
        const std::int64_t state = r.config.mode == Mode::kStep ? 2 * weights + 4 : 0;
        EXPECT_EQ(r.bytes(Category::kOptimizerState, r.endOf(Phase::kZeroGrad, step)), state);
    }
}

void inputIsTokensTargetsAndTables(const Recorded& r) {
    const std::int64_t tokens = 2 * r.config.tokensPerStep() * 8;
    const std::int64_t rotations = r.config.context * r.config.shape.headDimension() * 4;
    const std::int64_t scoreBytes = r.config.precision == Precision::kBf16 ? 2 : 4;
    const bool hasMask = attentionPlan(r.config).hasMaskTable;
    const std::int64_t mask = hasMask ? r.config.context * r.config.context * scoreBytes : 0;
    EXPECT_EQ(r.bytes(Category::kInput, r.endOf(Phase::kForward, 1)), tokens + rotations + mask);
}

class Memory : public testing::TestWithParam<AttentionVariant> {};

TEST_P(Memory, EveryByteIsAccountedFor) {
    for (Mode mode : {Mode::kForward, Mode::kForwardBackward, Mode::kStep}) {
        for (Precision precision : {Precision::kFp32, Precision::kBf16}) {
            SCOPED_TRACE(std::string(modeName(mode)) + " " + std::string(precisionName(precision)));
            RunConfig config = smallestConfig();
            config.attention = GetParam();
            config.mode = mode;
            config.precision = precision;
            const Recorded r(config);
            theSumOverCategoriesIsLibTorchsTotalAtEveryEvent(r);
            nothingIsOfUnknownPurpose(r);
            weightsGradientsAndOptimizerStateHaveTheirSize(r);
            inputIsTokensTargetsAndTables(r);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Attention, Memory, testing::ValuesIn(attentionsFor(RunConfig())), attentionNameOf);

TEST(ParameterCount, IsThatOfThePlan) {
    const ModelShape shapes[] = {{.vocabulary = 7, .dModel = 4, .dFf = 6, .layers = 1, .heads = 1},
                                 {.vocabulary = 100, .dModel = 24, .dFf = 40, .layers = 3, .heads = 3},
                                 *presetShape("tiny")};
    for (const ModelShape& shape : shapes) {
        RunConfig config = smallestConfig();
        config.shape = shape;
        config.mode = Mode::kForward;
        const RecordedRun run = record(config);
        std::int64_t weights = 0;
        for (std::uint64_t i = 0; i < run.trace->allocationCount(); ++i) {
            if (run.trace->categoryOf(AllocationId(i)) == Category::kWeights)
                weights += run.trace->allocation(AllocationId(i))->bytes;
        }
        EXPECT_EQ(weights, 4 * parameterCount(shape));
    }
}

}  // namespace warpglass::test::memory_test
