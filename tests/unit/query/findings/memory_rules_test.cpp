// Each rule about memory fires at its threshold and not below it, with the bytes of its header's formula.
#include <gmock/gmock.h>

#include "engine/base/format.h"
#include "engine/plan/memory_prediction.h"
#include "engine/query/findings/findings.h"
#include "engine/query/findings/rules.h"
#include "tests/support/must.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::memory_rules_test {

using testing::HasSubstr;

constexpr std::int64_t kEnd = 250 * kMs;

/// Fills the peak, which lasts from 120 ms to 130 ms, up to `whole` with nothing that any rule looks for.
void fillTo(RunByHand& run, std::int64_t whole) {
    std::int64_t bytes = 0;
    for (const RunByHand::Allocation& allocation : run.allocations)
        bytes += allocation.bytes * allocation.count;
    run.allocations.push_back({kMs, kEnd, whole - bytes, Category::kWeights, "token_embeddings"});
}

RunByHand emptyRun() {
    RunByHand run;
    run.fillStep();
    return run;
}

TEST(ScoreMatrixMemory, IsFoundFromATenthOfThePeakOn) {
    constexpr std::int64_t kMatrix = 4ll * 12 * 512 * 512 * 4;
    const auto with = [](std::int64_t whole, std::int64_t size, const char* module = "blocks.1.attn",
                         Precision precision = Precision::kFp32) {
        RunByHand run = emptyRun();
        run.config.precision = precision;
        run.config.attention = AttentionVariant::kNaive;
        run.allocations = {
            {120 * kMs, 130 * kMs, size, Category::kActivations, module, "softmax", "aten::_softmax", 2}};
        fillTo(run, whole);
        return finding(findScoreMatrixMemory, run);
    };
    EXPECT_FALSE(with(20 * kMatrix + 20, kMatrix));
    const auto found = must(with(20 * kMatrix, kMatrix));
    EXPECT_EQ(found.bytes, Bytes(2 * kMatrix));
    EXPECT_EQ(found.evidence.moment, Nanoseconds(120 * kMs));
    EXPECT_EQ(found.evidence.allocations.size(), 2u);
    EXPECT_FALSE(found.evidence.range);
    EXPECT_EQ(found.evidence.visible, (TimeRange{Nanoseconds(100 * kMs), Nanoseconds(200 * kMs)}));
    EXPECT_FALSE(with(20 * kMatrix, kMatrix + 4)) << "another size";
    EXPECT_FALSE(with(20 * kMatrix, kMatrix, "blocks.1.ffn"));
    EXPECT_FALSE(with(10 * kMatrix, kMatrix / 2)) << "fp32 has no matrices of 2 bytes";
    EXPECT_TRUE(with(10 * kMatrix, kMatrix / 2, "blocks.1.attn", Precision::kBf16));
}

TEST(ScoreMatrixMemory, TriesTheFusedVariantThatRunsAndExpectsThePredictedDifference) {
    RunByHand run = emptyRun();
    run.config.attention = AttentionVariant::kNaive;
    RunConfig flash = run.config;
    flash.attention = AttentionVariant::kSdpaFlash;
    const std::int64_t gain = (predictMemory(run.config).given - predictMemory(flash).given).value;
    run.allocations = {{120 * kMs, 130 * kMs, 4ll * 12 * 512 * 512 * 4, Category::kActivations,
                        "blocks.1.attn", "softmax", "aten::_softmax", 12}};
    fillTo(run, 4'000'000'000);
    const Trial trial = must(must(finding(findScoreMatrixMemory, run)).trial);
    EXPECT_EQ(trial.config, flash);
    EXPECT_EQ(trial.expected, 4e9 - static_cast<double>(gain));
    run.config.precision = Precision::kFp32;
    EXPECT_EQ(must(must(finding(findScoreMatrixMemory, run)).trial).value, "sdpa-efficient")
        << "flash attention computes in 16 bits only";
    run.state = "stopped";
    EXPECT_FALSE(must(finding(findScoreMatrixMemory, run)).trial) << "it may not have come to its peak";
}

TEST(LogitsAtPeak, AreFoundFromATwentiethOfThePeakOn) {
    constexpr std::int64_t kLogits = 4ll * 512 * 10000 * 4;
    const auto with = [](std::int64_t whole, Category category) {
        RunByHand run = emptyRun();
        run.allocations = {{120 * kMs, 130 * kMs, kLogits, category, "", "", "aten::_log_softmax", 3}};
        fillTo(run, whole);
        return finding(findLogitsAtPeak, run);
    };
    EXPECT_FALSE(with(60 * kLogits + 20, Category::kTemporaries));
    EXPECT_EQ(must(with(60 * kLogits, Category::kTemporaries)).bytes, Bytes(3 * kLogits));
    EXPECT_FALSE(with(60 * kLogits, Category::kWeights));
}

TEST(WeightCopies, AreWhatTheTimelineCallsThat) {
    constexpr std::int64_t kCopy = 768ll * 3072 * 2;
    const auto with = [](std::int64_t whole, Precision precision = Precision::kBf16) {
        RunByHand run = emptyRun();
        run.config.precision = precision;
        run.config.attention = AttentionVariant::kNaive;
        const auto copy = [&](Category category, const char* module, const char* op) {
            run.allocations.push_back({120 * kMs, 130 * kMs, kCopy, category, module, "", op});
        };
        copy(Category::kActivations, "blocks.0.ffn.w1", "aten::_to_copy");
        copy(Category::kActivations, "blocks.1.ffn.w1", "aten::mm");
        copy(Category::kTemporaries, "blocks.1.ffn.w2", "aten::_to_copy");
        fillTo(run, whole);
        return finding(findWeightCopies, run);
    };
    EXPECT_FALSE(with(40 * kCopy + 40));
    const auto found = must(with(40 * kCopy));
    EXPECT_EQ(found.bytes, Bytes(2 * kCopy));
    EXPECT_EQ(found.evidence.allocations.size(), 2u);
    EXPECT_THAT(found.remedy, HasSubstr("at most " + formatBytes(Bytes(2 * kCopy)) + " at the peak."));
    EXPECT_FALSE(with(40 * kCopy, Precision::kFp32));
}

TEST(RestOfPeak, AddsUpToThePeakWithWhatTheOthersTell) {
    RunByHand run = emptyRun();
    run.allocations = {
        {kMs, kEnd, 400'000, Category::kOptimizerState, "lm_head"},
        {kMs, kEnd, 300'000, Category::kWeights, "lm_head"},
        {120 * kMs, 130 * kMs, 60'000, Category::kActivations, "blocks.0", "", "aten::add", 5}};
    const MemoryTimeline timeline = run.timeline();
    const RunFacts facts(timeline);
    EXPECT_FALSE(findRestOfPeak(facts, {})) << "nothing is told";
    const std::vector<Finding> all = findIn(facts);
    ASSERT_GE(all.size(), 2u);
    const auto rest = std::ranges::find(all, "rest-of-peak", &Finding::rule);
    ASSERT_NE(rest, all.end());
    EXPECT_EQ(rest->sentence, "The rest of the peak, " + formatBytes(Bytes(600'000)) + " of " +
                                  formatBytes(Bytes(1'000'000)) + ": weights " + formatBytes(Bytes(300'000)) +
                                  ", activations " + formatBytes(Bytes(300'000)) + ".");
    EXPECT_DOUBLE_EQ(rest->peakShare, 0.6);
    EXPECT_EQ(rest->evidence.allocations.size(), 6u);
    std::int64_t told = rest->bytes.value;
    for (const Finding& finding : all)
        told += finding.rule == "optimizer-memory" ? finding.bytes.value : 0;
    EXPECT_EQ(Bytes(told), facts.peakBytes());
}

TEST(OptimizerShare, OfThePeakIsFoundFromATenthOn) {
    const auto with = [](std::int64_t moments) {
        RunByHand run = emptyRun();
        run.allocations = {{kMs, kEnd, moments, Category::kOptimizerState, "lm_head"}};
        fillTo(run, 1'000'000);
        return finding(findOptimizerMemory, run);
    };
    EXPECT_FALSE(with(99'999));
    const auto found = must(with(100'000));
    EXPECT_EQ(found.bytes, Bytes(100'000));
    EXPECT_EQ(found.nsPerStep, 0);
    EXPECT_EQ(found.evidence.allocations.size(), 1u);
}

TEST(OneAllocation, SetsThePeakWhereTheRunWouldBeATenthLowerWithoutIt) {
    const auto with = [](std::int64_t elsewhere) {
        RunByHand run = emptyRun();
        run.allocations = {
            {kMs, kEnd, 500'000, Category::kWeights, "lm_head"},
            {120 * kMs, 130 * kMs, 500'000, Category::kTemporaries, "blocks.0.attn", "", "aten::bmm"},
            {180 * kMs, 190 * kMs, elsewhere, Category::kActivations, "blocks.0"}};
        return finding(findOneAllocation, run);
    };
    EXPECT_FALSE(with(400'001)) << "the run would be at 90% all the same";
    const auto found = must(with(400'000));
    EXPECT_EQ(found.bytes, Bytes(100'000));
    EXPECT_EQ(found.evidence.visible, (TimeRange{Nanoseconds(120 * kMs), Nanoseconds(130 * kMs)}));
    EXPECT_EQ(found.evidence.allocations, std::vector{AllocationId(1)});
    EXPECT_EQ(with(1)->bytes, Bytes(499'999));
}

TEST(Fragmentation, IsWhatHolesOtherThanTheLargestHoldFromATwentiethOn) {
    const auto reserving = [](std::int64_t bytes, bool lost = false) {
        RunByHand run = emptyRun();
        if (lost)
            run.info = {{"missing.any", "yes"}, {"missing.segments", "1 of 2"}};
        // It lies at 4096: 4,000 bytes of the segment are free below it, the most of it above.
        run.allocations = {{kMs, kEnd, 4096, Category::kWeights, "lm_head"}};
        SegmentEvent segment{.time = kMs, .address = 96, .bytes = bytes};
        run.segments = {segment};
        return finding(findFragmentation, run);
    };
    EXPECT_FALSE(reserving(80'001));
    const auto found = must(reserving(80'000));
    EXPECT_EQ(found.bytes, Bytes(4000));
    EXPECT_EQ(found.evidence.view, EvidenceView::kSegments);
    EXPECT_DOUBLE_EQ(found.peakShare, 0.05);
    EXPECT_EQ(found.sentence, formatBytes(Bytes(80'000 - 4096)) + " of the " + formatBytes(Bytes(80'000)) +
                                  " reserved was free at the peak, in 2 holes of at most " +
                                  formatBytes(Bytes(80'000 - 4096 - 4000)) +
                                  ". The holes other than the largest hold " + formatBytes(Bytes(4000)) +
                                  ".");
    EXPECT_FALSE(reserving(80'000, true)) << "one of its segments is lost";
}

TEST(Fragmentation, IsNotOfSegmentsThatCouldBeGivenBack) {
    RunByHand run = emptyRun();
    run.allocations = {{kMs, kEnd, 4096, Category::kWeights, "lm_head"}};
    run.segments = {SegmentEvent{.time = kMs, .address = 4096, .bytes = 4096},
                    SegmentEvent{.time = kMs, .address = 100'000, .bytes = 10'000},
                    SegmentEvent{.time = kMs, .address = 300'000, .bytes = 10'000}};
    EXPECT_FALSE(finding(findFragmentation, run)) << "no hole";
    run.segments.front() = {.time = kMs, .address = 96, .bytes = 50'000};
    EXPECT_EQ(must(finding(findFragmentation, run)).bytes, Bytes(4000)) << "two holes";
}

/// It failed in its first step for want of 1,000 bytes.
RunByHand outOfMemoryRun() {
    RunByHand run;
    run.stepLengths.clear();
    run.state = "failed";
    run.config.memoryLimit = Bytes(1'000'000'000);
    run.info.emplace_back("allocator.request_bytes", "1000");
    run.allocations = {{kMs, kEnd, 1'000'000, Category::kWeights, "lm_head"}};
    return run;
}

TEST(RanOutOfMemory, TriesTheFirstChangeThatIsPredictedToFit) {
    RunByHand run = outOfMemoryRun();
    run.config.attention = AttentionVariant::kNaive;
    const auto request = run.info.back();
    run.info.pop_back();
    EXPECT_FALSE(finding(findRanOutOfMemory, run)) << "failed for another reason";
    run.info.push_back(request);
    const auto limitedTo = [&](std::int64_t limit) {
        run.config.memoryLimit = Bytes(limit);
        return must(finding(findRanOutOfMemory, run));
    };
    Finding found = limitedTo(predictMemory(run.config).given.value - 1);
    EXPECT_EQ(found.bytes, Bytes(1));
    EXPECT_EQ(must(found.trial).setting, "attention");
    RunConfig half = run.config;
    half.batch = 2;
    half.memoryLimit = Bytes();
    const MemoryPrediction halfNeeds = predictMemory(half);
    const Trial trial = must(limitedTo(halfNeeds.reserved.value * 10 / 9 + 2).trial);
    EXPECT_EQ(trial.setting, "batch");
    EXPECT_EQ(trial.value, "2");
    EXPECT_EQ(trial.expected, static_cast<double>(halfNeeds.given.value));
    found = limitedTo(1'000'000'000);
    EXPECT_FALSE(found.trial);
    EXPECT_THAT(found.remedy, HasSubstr("whatever the batch"));
}

TEST(RanOutOfMemory, SaysWhatTheFirstStepNeedsAndWhatLaterOnesDo) {
    RunByHand run = outOfMemoryRun();
    const StepPeaks steps = predictStepPeaks(run.config);
    const std::string words = "; the first step is predicted to need " + formatBytes(steps.first) +
                              ", and every later one, which has AdamW's moments, " +
                              formatBytes(steps.later) + ".";
    // However many steps there were to be.
    for (const auto& [warmup, measured] : {std::pair{0, 1}, {0, 3}, {1, 2}}) {
        run.config.warmup = warmup;
        run.config.steps = measured;
        const auto found = must(finding(findRanOutOfMemory, run));
        EXPECT_THAT(found.sentence, HasSubstr(words));
    }
    run.config.mode = Mode::kForward;
    const auto found = must(finding(findRanOutOfMemory, run));
    EXPECT_THAT(found.sentence, HasSubstr("; a step is predicted to need "));
}

TEST(RanOutOfMemory, OfASingleStepProposesWhatASecondOneFitsIn) {
    RunByHand run = outOfMemoryRun();
    run.config.attention = AttentionVariant::kNaive;
    run.config.warmup = 0;
    run.config.steps = 1;
    RunConfig fused = run.config;
    fused.attention = AttentionVariant::kSdpaFlash;
    const StepPeaks needed = predictStepPeaks(fused);
    ASSERT_GT(needed.later, needed.first);
    run.config.memoryLimit = Bytes(needed.first.value * 10 / 9 + 2);  // of the first step alone
    const auto found = must(finding(findRanOutOfMemory, run));
    if (found.trial) {
        RunConfig tried = found.trial->config;
        EXPECT_LE(predictStepPeaks(tried).later, run.config.memoryLimit);
    }
    EXPECT_TRUE(!found.trial || found.trial->setting != "attention");
}

TEST(RanOutOfMemory, WithoutMemoryRecordedDoesNotSayWhatWasAlive) {
    RunByHand run = outOfMemoryRun();
    auto found = must(finding(findRanOutOfMemory, run));
    EXPECT_THAT(found.sentence, HasSubstr(" live of the "));
    EXPECT_EQ(found.evidence.view, EvidenceView::kMemory);
    run.allocations.clear();
    found = must(finding(findRanOutOfMemory, run));
    EXPECT_THAT(found.sentence, testing::Not(HasSubstr("alive")));
    EXPECT_EQ(found.evidence.view, EvidenceView::kTimeline);
}

}  // namespace warpglass::test::memory_rules_test
