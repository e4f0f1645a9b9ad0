// The peak's sentence, on runs made by hand and on a synthetic one.
#include "engine/query/memory/peak_explanation.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include "engine/query/spans/step_spans.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/findings/sample_timeline.h"

namespace warpglass::test::peak_explanation_test {

using testing::HasSubstr;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

struct PeakByHand : testing::Test {
    AllocationId allocate(std::int64_t bytes, Category category, std::string_view op, std::string_view module,
                          Phase phase, std::int32_t step, std::string_view part = {}) {
        m_trace.add(filled("alloc % %ms % op \"%\" module \"%\" part \"%\" phase % step %", bytes, ++m_ms,
                           categoryName(category), op, module, part, phaseName(phase), step));
        return AllocationId(m_allocations++);
    }
    void free(AllocationId id) { m_trace.writer.appendFree(Nanoseconds(++m_ms * 1'000'000), id); }
    /// From now to the run's end.
    void beginStep(const char* step) { m_step = filled("% %", step, m_ms * 1'000'000 + 1); }
    std::optional<PeakExplanation> explain() {
        const std::int64_t end = m_ms * 1'000'000 + 1;
        return explainPeak(
            timelineOf(m_trace.add(m_step.empty() ? filled("end %", end) : filled("%-%", m_step, end))));
    }

    TraceText m_trace;
    std::int64_t m_ms = 0;
    std::uint64_t m_allocations = 0;
    std::string m_step;
};

TEST_F(PeakByHand, ScoresOfManyBlocksMakeIt) {
    allocate(300 * kMiB, Category::kWeights, "aten::empty", "", Phase::kSetup, kNoStep);
    beginStep("step 1");
    for (int block = 0; block < 12; ++block)
        allocate(96 * kMiB, Category::kActivations, "aten::bmm", "blocks." + std::to_string(block) + ".attn",
                 Phase::kForward, 1, "scores");
    allocate(20 * kMiB, Category::kActivations, "aten::mm", "blocks.3.ffn", Phase::kForward, 1);
    const AllocationId last =
        allocate(512 * kMiB, Category::kTemporaries, "aten::_softmax", "blocks.11.ffn", Phase::kBackward, 1);
    free(last);
    allocate(8 * kMiB, Category::kTemporaries, "aten::add", "", Phase::kOptimizer, 1);
    const auto why = must(explain());
    EXPECT_EQ(why.bytes.value, (300 + 12 * 96 + 20 + 512) * kMiB);
    EXPECT_EQ(why.time.value, 15'000'000);
    EXPECT_TRUE(why.inStep);
    EXPECT_EQ(why.held.bytes.value, 300 * kMiB);
    EXPECT_EQ(why.risen.bytes.value, (12 * 96 + 20 + 512) * kMiB);
    EXPECT_EQ(why.category, Category::kActivations);
    EXPECT_EQ(why.categoryBytes.value, (12 * 96 + 20) * kMiB);
    EXPECT_EQ(why.groupAllocations, 12);
    EXPECT_EQ(why.groupEach, Bytes(96 * kMiB));
    EXPECT_EQ(
        why.sentence(),
        "Peak: 1.94\u202FGiB at 15.000\u202Fms, in the backward pass of step 1, at blocks.11.ffn. "
        "300\u202FMiB was already held when the step began (weights 300\u202FMiB); it added 1.64\u202FGiB "
        "(activations 1.14\u202FGiB, temporaries 512\u202FMiB), mostly in blocks.*.attn (12 × "
        "96.0\u202FMiB, all of it scores). The last 512\u202FMiB came from aten::_softmax.");
    EXPECT_EQ(why.shortSentence(),
              "The peak is 1.94\u202FGiB, in the backward pass of step 1: 300\u202FMiB was held when the "
              "step began; it added 1.64\u202FGiB, 1.13\u202FGiB of it in blocks.*.attn.");
}

TEST_F(PeakByHand, OfAGraphIsInItsCapture) {
    allocate(300 * kMiB, Category::kWeights, "aten::empty", "", Phase::kSetup, kNoStep);
    beginStep("capture");
    for (int block = 0; block < 4; ++block) {
        for (const char* weight : {".ffn.w1", ".ffn.w2"})
            allocate(10 * kMiB, Category::kActivations, "aten::mm",
                     "blocks." + std::to_string(block) + weight, Phase::kForward, kNoStep);
    }
    allocate(5 * kMiB, Category::kTemporaries, "aten::mul", "", Phase::kBackward, kNoStep);
    const auto why = must(explain());
    EXPECT_TRUE(why.capture);
    EXPECT_EQ(why.group, "in blocks.*.ffn");
    EXPECT_EQ(
        why.sentence(),
        "Peak: 385\u202FMiB at 10.000\u202Fms, in the backward pass of the graph's capture. 300\u202FMiB was "
        "already held when the capture began (weights 300\u202FMiB); it added 85.0\u202FMiB "
        "(activations 80.0\u202FMiB), mostly in blocks.*.ffn (8 × 10.0\u202FMiB). The last "
        "5.00\u202FMiB came from aten::mul.");
    EXPECT_EQ(why.shortSentence(),
              "The peak is 385\u202FMiB, in the backward pass of the graph's capture: 300\u202FMiB was held "
              "when the capture began; it added 85.0\u202FMiB, 80.0\u202FMiB of it in blocks.*.ffn.");
}

TEST_F(PeakByHand, SizesThatDifferAndNoMajority) {
    allocate(10 * kMiB, Category::kOptimizerState, "aten::zeros", "blocks.0.ffn", Phase::kOptimizer, 0);
    allocate(12 * kMiB, Category::kOptimizerState, "aten::zeros", "blocks.1.ffn", Phase::kOptimizer, 0);
    allocate(13 * kMiB, Category::kOptimizerState, "aten::zeros", "head", Phase::kOptimizer, 0);
    allocate(11 * kMiB, Category::kOptimizerState, "", "", Phase::kOptimizer, 0);
    const auto why = must(explain());
    EXPECT_FALSE(why.groupEach);
    EXPECT_EQ(why.sentence(),
              "Peak: 46.0\u202FMiB at 4.000\u202Fms, in the optimizer phase of step 0. 46.0\u202FMiB was "
              "allocated since "
              "the run began (optimizer state 46.0\u202FMiB), the largest part in blocks.*.ffn (2 "
              "allocations, 22.0\u202FMiB). The last 11.0\u202FMiB came from outside any op.");
    EXPECT_EQ(why.shortSentence(),
              "The peak is 46.0\u202FMiB, in the optimizer phase of step 0: 46.0\u202FMiB was allocated "
              "since the run began (optimizer state 46.0\u202FMiB), 22.0\u202FMiB of it in blocks.*.ffn.");
    EXPECT_EQ(why.shortSentence(Bytes(48 * kMiB)),
              why.shortSentence() + " The allocator reserved up to 48.0\u202FMiB.");
    EXPECT_EQ(why.shortSentence(why.bytes + Bytes(1)), why.shortSentence()) << "it reads as the same size";
}

TEST_F(PeakByHand, NothingToExplain) {
    EXPECT_FALSE(explain());
    free(allocate(0, Category::kUnknown, "", "", Phase::kNone, kNoStep));
    EXPECT_FALSE(explain());
    EXPECT_FALSE(explainPeak(MemoryTimeline()));
}

TEST(PeakExplanation, AgreesWithThePeakOfASyntheticRunAndBearsNonsense) {
    const auto snapshot = makeSyntheticRun();
    const MemoryTimeline memory = timelineOf(snapshot);
    const auto why = must(explainPeak(memory));
    const MemoryPoint peak = *memory.peak();
    EXPECT_EQ(why.time, peak.time);
    EXPECT_EQ(why.bytes.value, sumOf(peak.bytes));
    EXPECT_TRUE(why.inStep);
    EXPECT_EQ(why.held.bytes + why.risen.bytes, why.bytes);
    // The slow way: when each that is alive was made.
    const TimeRange step = stepHolding(*snapshot, peak.time)->range;
    Bytes before;
    for (const AllocationId id : memory.aliveAt(peak.time)) {
        if (memory.allocatedAt(id) < step.begin)
            before += Bytes(snapshot->allocation(id)->bytes);
    }
    EXPECT_EQ(why.held.bytes, before);
    EXPECT_LE(why.groupBytes, why.risen.bytes);
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        EXPECT_EQ(why.held.byCategory[i].value + why.risen.byCategory[i].value, peak.bytes[i]) << i;
    for (std::uint64_t seed = 1; seed < 12; ++seed) {
        const MemoryTimeline scrambled = timelineOf(mountScrambled(snapshot, seed));
        const auto nonsense = explainPeak(scrambled);
        EXPECT_TRUE(!nonsense || !nonsense->sentence().empty());
    }
}

/// What came since the step that holds the peak began, by part of the model, counted from the first event by
/// one who reads the paths.
std::map<std::string, std::int64_t> partsOfPeak(const Snapshot& run, Nanoseconds peak) {
    const auto step = stepHolding(run, peak);
    std::map<std::uint64_t, std::int64_t> alive;  // allocation, and when it was made
    for (std::uint64_t i = 0; i < run.memoryEventCount(); ++i) {
        const MemoryEvent event = *run.memoryEvent(i);
        if (event.time > peak.value)
            break;
        if (event.action == MemoryAction::kAllocate)
            alive[event.allocation.index()] = event.time;
        else
            alive.erase(event.allocation.index());
    }
    std::map<std::string, std::int64_t> parts;
    for (const auto& [index, made] : alive) {
        if (step && made < step->range.begin.value)
            continue;
        const AllocationRow row = *run.allocation(AllocationId(static_cast<std::uint32_t>(index)));
        const Place place = run.place(row.place);
        std::istringstream path{std::string(run.name(place.module))};
        std::string first, block, sublayer;
        std::getline(path, first, '.');
        std::getline(path, block, '.');
        std::getline(path, sublayer, '.');
        std::string part = first == "blocks" ? "blocks.*" + (sublayer.empty() ? "" : "." + sublayer) : first;
        if (part.empty() && (place.phase == Phase::kLoss || place.phase == Phase::kBackward))
            part = "lm_head";
        parts[part] += row.bytes;
    }
    return parts;
}

/// The sentence names a part that no other has more bytes than, and as much as it has.
void expectLargestPart(const MemoryTimeline& memory) {
    const auto why = must(explainPeak(memory));
    SCOPED_TRACE(why.sentence());
    const auto parts = partsOfPeak(*memory.snapshot(), why.time);
    std::int64_t all = 0, most = 0;
    for (const auto& [part, bytes] : parts) {
        all += bytes;
        most = std::max(most, bytes);
    }
    EXPECT_EQ(why.risen.bytes.value, all);
    EXPECT_EQ(why.groupBytes.value, most);
    EXPECT_LE(why.attentionPartBytes, why.groupBytes);
    const auto named = [&](const std::string& part) {
        if (part.empty())
            return why.group == "outside the model";
        if (part == "lm_head")
            return why.group == "in lm_head" || why.group == "in the loss" ||
                   why.group == "in lm_head and the loss";
        return why.group == "in " + part || why.group == "in " + part + " outside its sublayers";
    };
    const auto found = std::ranges::find_if(parts, [&](const auto& p) { return named(p.first); });
    ASSERT_NE(found, parts.end()) << why.group;
    EXPECT_EQ(found->second, most);
}

TEST(PeaksLargestPart, IsThatOfARecountInEverySample) {
    for (const char* name : kSampleRuns) {
        SCOPED_TRACE(name);
        expectLargestPart(openSample(name));
    }
    // Attention's parts together are more than the feed-forward layers, and none of them is.
    const auto why = must(explainPeak(openSample("small-bf16-naive")));
    EXPECT_THAT(why.sentence(),
                HasSubstr(", the largest part in blocks.*.attn (156 allocations, 1.16\u202FGiB). The last"));
    const auto full = must(explainPeak(openSample("large-fp32-out-of-memory")));
    EXPECT_EQ(full.attentionPart, "softmax");
    EXPECT_THAT(full.sentence(), HasSubstr("4.69\u202FGiB of it softmax"));
}

TEST_F(PeakByHand, LogitsAndLossAreOnePart) {
    allocate(30 * kMiB, Category::kWeights, "aten::empty", "lm_head", Phase::kSetup, kNoStep);
    beginStep("step 1");
    for (int block = 0; block < 3; ++block)
        allocate(8 * kMiB, Category::kActivations, "aten::mul", "blocks." + std::to_string(block) + ".ffn",
                 Phase::kForward, 1);
    allocate(10 * kMiB, Category::kActivations, "aten::mm", "lm_head", Phase::kForward, 1);
    allocate(20 * kMiB, Category::kActivations, "aten::_log_softmax", "", Phase::kLoss, 1);
    allocate(5 * kMiB, Category::kTemporaries, "aten::nll_loss_backward", "", Phase::kBackward, 1);
    const auto why = must(explain());
    EXPECT_EQ(why.group, "in lm_head and the loss");
    EXPECT_EQ(why.groupBytes, Bytes(35 * kMiB));
}

class PeakByChance : public PeakByHand, public testing::WithParamInterface<unsigned> {};

TEST_P(PeakByChance, NamesTheLargestPart) {
    std::mt19937 random(GetParam());
    const auto below = [&](unsigned n) { return static_cast<std::size_t>(random() % n); };
    constexpr const char* kModules[] = {
        "",     "token_embeddings", "blocks.0",         "blocks.1",
        "norm", "lm_head",          "blocks.0.attn",    "blocks.1.attn",
        "",     "blocks.0.ffn",     "blocks.12.ffn.w1", "blocks.1.attn.q_proj"};
    constexpr const char* kParts[] = {"scores", "softmax", "values", ""};
    constexpr Phase kPhases[] = {Phase::kForward, Phase::kLoss, Phase::kBackward, Phase::kOptimizer};
    for (int i = 0; i < 60; ++i) {
        if (i == 10)
            beginStep("step 0");
        const std::string module = kModules[below(12)];
        const std::string_view part = module.ends_with("attn") ? kParts[below(4)] : "";
        allocate(static_cast<std::int64_t>(1 + below(64)) * kMiB, Category::kActivations, "aten::mm", module,
                 kPhases[below(4)], 0, part);
    }
    explain();
    const MemoryTimeline memory = timelineOf(m_trace.snapshot());
    expectLargestPart(memory);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PeakByChance, testing::Range(1u, 40u));

TEST(PeaksLargestPart, IsThatOfARecountInSyntheticRuns) {
    for (const AttentionVariant attention : {AttentionVariant::kNaive, AttentionVariant::kSdpaFlash}) {
        for (const std::int64_t context : {16, 64, 200}) {
            SyntheticOptions options;
            options.config.attention = attention;
            options.config.context = context;
            const MemoryTimeline memory = timelineOf(makeSyntheticRun(options));
            expectLargestPart(memory);
        }
    }
}

}  // namespace warpglass::test::peak_explanation_test
