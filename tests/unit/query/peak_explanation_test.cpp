// The peak's sentence, on runs made by hand and on a synthetic one.
#include "engine/query/peak_explanation.h"

#include <gtest/gtest.h>

#include "engine/query/step_spans.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/synthetic_trace.h"
#include "tests/unit/query/damaged_snapshot.h"

namespace warpglass::test {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

class PeakByHand : public testing::Test {
protected:
    AllocationId allocate(std::int64_t bytes, Category category, std::string_view op, std::string_view module,
                          Phase phase, std::int32_t step, std::string_view part = {}) {
        AllocationRow row;
        row.bytes = row.requested = bytes;
        row.category = category;
        if (!op.empty())
            row.op = m_writer.internName(op);
        Place place{.phase = phase};
        if (!module.empty())
            place.module = m_writer.internName(module);
        if (!part.empty())
            place.part = m_writer.internName(part);
        row.place = m_writer.internPlace(place);
        row.step = step;
        return m_writer.appendAllocation(Nanoseconds(m_time += 1'000'000), row);
    }
    void free(AllocationId id) { m_writer.appendFree(Nanoseconds(m_time += 1'000'000), id); }
    /// From now to the run's end.
    void beginStep(std::int32_t step, std::string_view name) {
        m_stepRow.start = m_time + 1;
        m_stepRow.step = step;
        m_stepRow.name = m_writer.internName(name);
    }
    std::optional<PeakExplanation> explain() {
        if (m_stepRow.name.valid()) {
            m_stepRow.duration = m_stepRow.self = m_time + 1 - m_stepRow.start;
            EXPECT_TRUE(m_writer.appendSpan(m_writer.addTrack(TrackKind::kStep, "steps"), 0, m_stepRow));
        }
        m_writer.settle();
        m_writer.commit(Nanoseconds(m_time + 1));
        MemoryTimeline memory;
        memory.update(m_writer.feed()->latest());
        return explainPeak(memory);
    }

    TraceWriter m_writer;
    std::int64_t m_time = 0;
    SpanRow m_stepRow;
};

TEST_F(PeakByHand, ScoresOfManyBlocksMakeIt) {
    allocate(300 * kMiB, Category::kWeights, "aten::empty", "", Phase::kSetup, kNoStep);
    beginStep(1, "step 1");
    for (int block = 0; block < 12; ++block)
        allocate(96 * kMiB, Category::kActivations, "aten::bmm", "blocks." + std::to_string(block) + ".attn",
                 Phase::kForward, 1, "scores");
    allocate(20 * kMiB, Category::kActivations, "aten::mm", "blocks.3.ffn", Phase::kForward, 1);
    const AllocationId last =
        allocate(512 * kMiB, Category::kTemporaries, "aten::_softmax", "blocks.11.ffn", Phase::kBackward, 1);
    free(last);
    allocate(8 * kMiB, Category::kTemporaries, "aten::add", "", Phase::kOptimizer, 1);
    const auto why = explain();
    ASSERT_TRUE(why);
    EXPECT_EQ(why->bytes.value, (300 + 12 * 96 + 20 + 512) * kMiB);
    EXPECT_EQ(why->time.value, 15'000'000);
    EXPECT_TRUE(why->inStep);
    EXPECT_EQ(why->held.bytes.value, 300 * kMiB);
    EXPECT_EQ(why->risen.bytes.value, (12 * 96 + 20 + 512) * kMiB);
    EXPECT_EQ(why->category, Category::kActivations);
    EXPECT_EQ(why->categoryBytes.value, (12 * 96 + 20) * kMiB);
    EXPECT_EQ(why->groupAllocations, 12);
    EXPECT_EQ(why->groupEach, Bytes(96 * kMiB));
    EXPECT_EQ(
        why->sentence(),
        "The peak, 1.94\u202FGiB at 15.000\u202Fms, is in step 1's backward pass, at blocks.11.ffn: "
        "300\u202FMiB was there when the step began (weights 300\u202FMiB), and 1.64\u202FGiB came since "
        "(activations 1.14\u202FGiB, temporaries 512\u202FMiB), mostly attention scores (12 × "
        "96.0\u202FMiB); the last 512\u202FMiB came from aten::_softmax.");
}

TEST_F(PeakByHand, OfAGraphIsInItsCapture) {
    allocate(300 * kMiB, Category::kWeights, "aten::empty", "", Phase::kSetup, kNoStep);
    beginStep(kNoStep, "graph capture");
    for (int block = 0; block < 4; ++block) {
        for (const char* weight : {".ffn.w1", ".ffn.w2"})
            allocate(10 * kMiB, Category::kActivations, "aten::mm",
                     "blocks." + std::to_string(block) + weight, Phase::kForward, kNoStep);
    }
    allocate(5 * kMiB, Category::kTemporaries, "aten::mul", "", Phase::kBackward, kNoStep);
    const auto why = explain();
    ASSERT_TRUE(why);
    EXPECT_TRUE(why->capture);
    EXPECT_EQ(why->group, "in blocks.*.ffn");
    EXPECT_EQ(why->sentence(),
              "The peak, 385\u202FMiB at 10.000\u202Fms, is in the graph's capture, in its backward pass: "
              "300\u202FMiB was there when the capture began (weights 300\u202FMiB), and 85.0\u202FMiB came "
              "since (activations 80.0\u202FMiB), mostly in blocks.*.ffn (8 × 10.0\u202FMiB); the last "
              "5.00\u202FMiB came from aten::mul.");
}

TEST_F(PeakByHand, SizesThatDifferAndNoMajority) {
    allocate(10 * kMiB, Category::kOptimizerState, "aten::zeros", "blocks.0.ffn", Phase::kOptimizer, 0);
    allocate(12 * kMiB, Category::kOptimizerState, "aten::zeros", "blocks.1.ffn", Phase::kOptimizer, 0);
    allocate(13 * kMiB, Category::kOptimizerState, "aten::zeros", "head", Phase::kOptimizer, 0);
    allocate(11 * kMiB, Category::kOptimizerState, "", "", Phase::kOptimizer, 0);
    const auto why = explain();
    ASSERT_TRUE(why);
    EXPECT_FALSE(why->groupEach);
    EXPECT_EQ(why->sentence(),
              "The peak, 46.0\u202FMiB at 4.000\u202Fms, is in step 0's optimizer: 46.0\u202FMiB came since "
              "the run "
              "began (the optimizer's state 46.0\u202FMiB), the largest part in blocks.*.ffn (2 allocations, "
              "22.0\u202FMiB); the last 11.0\u202FMiB came from outside any op.");
}

TEST_F(PeakByHand, NothingToExplain) {
    EXPECT_FALSE(explain());
    free(allocate(0, Category::kUnknown, "", "", Phase::kNone, kNoStep));
    EXPECT_FALSE(explain());
    EXPECT_FALSE(explainPeak(MemoryTimeline()));
}

TEST(PeakExplanation, AgreesWithThePeakOfASyntheticRunAndBearsNonsense) {
    const auto snapshot = makeSyntheticRun();
    MemoryTimeline memory;
    memory.update(snapshot);
    const auto why = explainPeak(memory);
    ASSERT_TRUE(why);
    const MemoryPoint peak = *memory.peak();
    EXPECT_EQ(why->time, peak.time);
    EXPECT_EQ(why->bytes.value, sumOf(peak.bytes));
    EXPECT_TRUE(why->inStep);
    EXPECT_EQ(why->held.bytes + why->risen.bytes, why->bytes);
    // The slow way: when each that is alive was made.
    const TimeRange step = stepHolding(*snapshot, peak.time)->range;
    Bytes before;
    for (const AllocationId id : memory.aliveAt(peak.time)) {
        if (memory.allocatedAt(id) < step.begin)
            before += Bytes(snapshot->allocation(id)->bytes);
    }
    EXPECT_EQ(why->held.bytes, before);
    EXPECT_LE(why->groupBytes, why->risen.bytes);
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        EXPECT_EQ(why->held.byCategory[i].value + why->risen.byCategory[i].value, peak.bytes[i]) << i;
    for (std::uint64_t seed = 1; seed < 12; ++seed) {
        MemoryTimeline scrambled;
        scrambled.update(mountScrambled(snapshot, seed));
        const auto nonsense = explainPeak(scrambled);
        EXPECT_TRUE(!nonsense || !nonsense->sentence().empty());
    }
}

}  // namespace
}  // namespace warpglass::test
