// What a finding shows is what it counted: its evidence, evaluated over the run as the views evaluate it,
// gives the number in its sentence.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "engine/base/format.h"
#include "engine/io/run_file.h"
#include "engine/query/findings/findings.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/memory/allocation_filter.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/query/model/attention_parts.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/findings/sample_timeline.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::evidence_test {

using testing::HasSubstr;
using testing::Not;

/// What the tables count, as the window sets their filter: the measured steps, where there are any.
SpanFilter filterOf(const Snapshot& run, const Evidence& evidence) {
    SpanFilter filter{.phase = evidence.phase, .name = evidence.names};
    if (evidence.range)
        filter.ranges = {*evidence.range};
    filter.measuredOnly = !evidence.range && hasMeasuredSteps(run);
    return filter;
}

std::vector<StatisticsRow> tableOf(const Snapshot& run, EvidenceView view, const SpanFilter& filter) {
    return view == EvidenceView::kKernels  ? kernelStatistics(run, filter)
           : view == EvidenceView::kCopies ? copyStatistics(run, filter)
                                           : opStatistics(run, filter);
}

/// ns a step, as the table of kernels, copies or ops states it.
double tableTime(const Snapshot& run, const Evidence& evidence) {
    const SpanFilter filter = filterOf(run, evidence);
    std::int64_t sum = 0;
    for (const StatisticsRow& row : tableOf(run, evidence.view, filter))
        sum += row.self.value;
    const std::int64_t steps = wholeStepsOf(run, filter);
    EXPECT_GT(steps, 0);
    return static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(1, steps));
}

double attentionTime(const Snapshot& run, const Evidence& evidence) {
    double sum = 0;
    for (const AttentionPartRow& row : attentionParts(run, WorkScope(filterOf(run, evidence))).rows) {
        if (row.part == AttentionPart::kScores || row.part == AttentionPart::kSoftmax ||
            row.part == AttentionPart::kValues)
            sum += row.time;
    }
    return sum;
}

/// The sentence has this time, to the digits that it gives.
void expectTime(const std::string& sentence, double nanoseconds) {
    constexpr double kRounding = 5e-4;
    const auto has = [&](double time) {
        return sentence.find(" " + inWords(time)) != std::string::npos ||
               sentence.find("(" + inWords(time)) != std::string::npos;
    };
    EXPECT_TRUE(has(nanoseconds) || has(nanoseconds * (1 - kRounding)) || has(nanoseconds * (1 + kRounding)))
        << inWords(nanoseconds) << " is not in: " << sentence;
}

/// The step that is selected is one of those counted; what is in view of it is full of such waits.
void expectWaits(const MemoryTimeline& memory, const Finding& finding, IdleCause cause) {
    const Snapshot& run = *memory.snapshot();
    const RunFacts facts(memory);
    const Evidence& evidence = finding.evidence;
    EXPECT_EQ(evidence.range, facts.sampleStep());
    ASSERT_TRUE(evidence.visible);
    EXPECT_LE(evidence.range->begin, evidence.visible->begin);
    EXPECT_GE(evidence.range->end, evidence.visible->end);
    double kernels = 0;
    for (const StatisticsRow& row : kernelStatistics(run, filterOf(run, evidence)))
        kernels += static_cast<double>(row.instances);
    EXPECT_NEAR(kernels, facts.kernelsPerStep(), 0.001 * kernels);
    double waited = 0, inAll = 0;
    std::int64_t waits = 0;
    for (const IdleStretch& stretch : gpuTimeUse(run, facts.steps(), SIZE_MAX).longest) {
        inAll += stretch.cause == cause ? static_cast<double>(stretch.range.duration().value) : 0;
        if (stretch.cause == cause && stretch.range.begin >= evidence.visible->begin &&
            stretch.range.end <= evidence.visible->end) {
            waited += static_cast<double>(stretch.range.duration().value);
            ++waits;
        }
    }
    EXPECT_GE(waits, 5);
    expectTime(finding.sentence, inAll / static_cast<double>(facts.steps().count));
    EXPECT_GE(waited / static_cast<double>(evidence.visible->duration().value), finding.stepShare);
}

/// The highest sum after any event, as if this allocation had not been made.
Bytes peakWithout(const MemoryTimeline& memory, AllocationId id) {
    const Bytes own(memory.snapshot()->allocation(id)->bytes);
    const std::uint64_t made = memory.allocateEvent(id).value();
    const std::uint64_t freed = memory.freeEvent(id).value_or(memory.eventCount());
    Bytes highest;
    for (std::uint64_t i = 0; i < memory.eventCount(); ++i) {
        const Bytes all(sumOf(memory.afterEvent(i).bytes));
        highest = std::max(highest, made <= i && i < freed ? all - own : all);
    }
    return highest;
}

void expectAllocations(const MemoryTimeline& memory, const Finding& finding) {
    const Evidence& evidence = finding.evidence;
    ASSERT_TRUE(evidence.moment);
    ASSERT_FALSE(evidence.range) << "what was made in it would be another set";
    ASSERT_TRUE(evidence.visible);
    EXPECT_LE(evidence.visible->begin, *evidence.moment);
    EXPECT_GE(evidence.visible->end, *evidence.moment);
    AllocationConditions conditions;
    if (!evidence.allocations.empty())
        conditions.among = std::make_shared<const std::vector<AllocationId>>(evidence.allocations);
    const auto shown = filterAllocations(memory, memory.aliveAt(*evidence.moment), conditions);
    EXPECT_TRUE(evidence.allocations.empty() || shown.size() == evidence.allocations.size());
    Bytes bytes;
    for (const AllocationId id : shown)
        bytes += Bytes(memory.snapshot()->allocation(id)->bytes);
    EXPECT_THAT(finding.sentence, HasSubstr(formatBytes(bytes)));
    const bool counted = finding.rule == "score-matrix-memory" || finding.rule == "weight-copies" ||
                         finding.rule == "logits-at-peak";
    if (counted) {
        EXPECT_THAT(finding.sentence,
                    HasSubstr(" " + formatGrouped(static_cast<std::int64_t>(shown.size())) + " "));
    }
    if (finding.rule == "one-allocation") {
        ASSERT_EQ(shown.size(), 1u);
        const Bytes without = peakWithout(memory, shown.front());
        EXPECT_EQ(finding.bytes, Bytes(sumOf(memory.peak()->bytes)) - without);
        EXPECT_THAT(finding.sentence, HasSubstr("would reach " + formatBytes(without)));
    } else if (finding.rule != "out-of-memory") {
        EXPECT_EQ(finding.bytes, bytes);
    }
}

void expectEvidence(const MemoryTimeline& memory, const Finding& finding) {
    const Snapshot& run = *memory.snapshot();
    const Evidence& evidence = finding.evidence;
    switch (evidence.view) {
        case EvidenceView::kKernels:
        case EvidenceView::kCopies:
        case EvidenceView::kOps:
            return expectTime(finding.sentence, tableTime(run, evidence));
        case EvidenceView::kAttention:
            EXPECT_NEAR(attentionTime(run, evidence), finding.nsPerStep, 0.002 * finding.nsPerStep);
            return expectTime(finding.sentence, attentionTime(run, evidence));
        case EvidenceView::kMemory:
            return expectAllocations(memory, finding);
        case EvidenceView::kSegments: {
            MemorySegments segments;
            segments.update(memory.snapshot());
            std::vector<std::int64_t> holes;
            for (const MemorySegment& segment : segments.at(memory, evidence.moment.value()).segments) {
                for (const MemoryBlock& block : segment.blocks) {
                    if (block.state == BlockState::kFree && segment.blocks.size() > 1)
                        holes.push_back(block.bytes);
                }
            }
            EXPECT_EQ(finding.bytes.value, std::accumulate(holes.begin(), holes.end(), std::int64_t{0}) -
                                               *std::ranges::max_element(holes));
            ASSERT_TRUE(evidence.visible);
            EXPECT_LE(evidence.visible->begin, *evidence.moment);
            EXPECT_GE(evidence.visible->end, *evidence.moment);
            return;
        }
        case EvidenceView::kTimeline:
            if (finding.rule == "launch-bound")
                expectWaits(memory, finding, IdleCause::kHostLate);
            else if (finding.rule == "kernel-gaps")
                expectWaits(memory, finding, IdleCause::kGap);
            else if (finding.rule == "synchronizations")
                expectWaits(memory, finding, IdleCause::kSynchronization);
            else
                EXPECT_TRUE(evidence.range);
            return;
    }
}

TEST(Evidence, OfTheSamplesGivesTheNumbersOfTheirSentences) {
    for (const char* name : kSampleRuns) {
        const MemoryTimeline memory = openSample(name);
        for (const Finding& finding : findIn(memory)) {
            SCOPED_TRACE(std::string(name) + ": " + finding.sentence);
            expectEvidence(memory, finding);
        }
    }
}

TEST(Evidence, OfARunByHandGivesTheNumbersOfItsSentences) {
    constexpr std::int64_t kMatrix = 4ll * 12 * 512 * 512 * 4, kLogits = 4ll * 512 * 10000 * 4;
    RunByHand run;
    run.config.attention = AttentionVariant::kNaive;
    run.add(20 * kMs);
    run.add(10 * kMs, {.op = "aten::copy_"});
    run.add(12 * kMs, {.op = "aten::cat"});
    run.add(28 * kMs, {.module = "blocks.3.attn", .part = "softmax", .op = "aten::_softmax"});
    run.add(30 * kMs, {.phase = Phase::kOptimizer, .op = "aten::_fused_adamw_"});
    run.allocations = {
        {kMs, 250 * kMs, 700'000'000, Category::kOptimizerState, "lm_head"},
        {110 * kMs, 130 * kMs, kMatrix, Category::kActivations, "blocks.1.attn", "softmax", "aten::_softmax",
         7},
        {105 * kMs, 106 * kMs, kMatrix, Category::kActivations, "blocks.2.attn", "softmax", "aten::_softmax"},
        {120 * kMs, 121 * kMs, kLogits, Category::kTemporaries, "", "", "aten::_log_softmax", 3}};
    // The very first step, that no mean has, is taken out of what is shown too.
    for (const int warmup : {1, 0}) {
        run.config.warmup = warmup;
        run.config.steps = 3 - warmup;
        const MemoryTimeline memory = run.timeline();
        std::vector<std::string> rules;
        for (const Finding& finding : findIn(memory)) {
            SCOPED_TRACE(finding.sentence);
            rules.push_back(finding.rule);
            expectEvidence(memory, finding);
            EXPECT_TRUE(finding.rule != "copies-and-casts" || finding.nsPerStep == 22.0 * kMs);
            EXPECT_EQ(finding.evidence.range.has_value(),
                      warmup == 0 && finding.evidence.view == EvidenceView::kKernels);
            EXPECT_EQ(finding.sentence.ends_with("; the chart has the first step too."),
                      warmup == 0 && finding.evidence.view == EvidenceView::kAttention);
        }
        EXPECT_THAT(rules,
                    testing::IsSupersetOf({"score-matrix-time", "copies-and-casts", "optimizer",
                                           "optimizer-memory", "score-matrix-memory", "logits-at-peak"}));
    }
}

/// The finding of one rule among all of a run, its evidence held against its sentence.
Finding shownOf(std::string_view rule, const RunByHand& run) {
    const MemoryTimeline memory = run.timeline();
    std::optional<Finding> shown;
    for (const Finding& finding : findIn(memory)) {
        SCOPED_TRACE(finding.sentence);
        expectEvidence(memory, finding);
        if (finding.rule == rule)
            shown = finding;
    }
    EXPECT_TRUE(shown) << rule;
    return must(shown);
}

TEST(Evidence, OfSynchronizationsIsWhereTheHostWaited) {
    RunByHand run;
    for (std::int64_t at = 0; at < 100 * kMs; at += 5 * kMs) {
        run.kernels.push_back({at + kMs, at + 5 * kMs});
        if (at > 0)  // the one before has ended, and nothing more was launched
            run.waits.push_back({Nanoseconds(at - 2 * kMs), Nanoseconds(at + kMs / 2)});
    }
    EXPECT_EQ(shownOf("synchronizations", run).nsPerStep, 19.0 * kMs);
}

TEST(Evidence, OfOneAllocationIsThatOne) {
    constexpr std::int64_t kNever = 0;  // before it was made: nothing is freed
    for (const std::int64_t freed : {130 * kMs, kNever}) {
        RunByHand run;
        run.fillStep();
        run.allocations = {
            {kMs, 250 * kMs, 500'000, Category::kWeights, "lm_head"},
            {110 * kMs, 115 * kMs, 300'000, Category::kActivations, "blocks.0"},
            {120 * kMs, freed, 700'000, Category::kTemporaries, "blocks.0.attn", "", "aten::bmm"},
            {140 * kMs, 150 * kMs, 200'000, Category::kActivations, "blocks.1"}};
        const auto shown = shownOf("one-allocation", run);
        ASSERT_TRUE(shown.evidence.visible);
        EXPECT_LE(shown.evidence.visible->end, run.snapshot()->range().end);
    }
}

TEST(Evidence, OfOccupancyHasAllCallsOfItsKernelsAndTheSentenceSaysWhatTheyTake) {
    RunByHand few;
    few.add(20 * kMs, {.name = "small_kernel", .blocks = 33});
    few.add(10 * kMs, {.name = "small_kernel"});
    few.add(70 * kMs);
    auto shown = shownOf("occupancy", few);
    EXPECT_NEAR(shown.nsPerStep, 15.0 * kMs, 1) << "a quarter of the multiprocessors had work";
    EXPECT_THAT(shown.sentence, HasSubstr("run for 20.0\u202Fms per step (30.0\u202Fms in all calls"));

    RunByHand low = few;
    low.kernels[0].blocks = 1000;
    low.kernels[0].occupancy = 0.1F;
    low.kernels[0].op = low.kernels[1].op = "aten::_softmax";
    shown = shownOf("occupancy", low);
    EXPECT_EQ(shown.nsPerStep, 20.0 * kMs);
    EXPECT_THAT(shown.sentence, HasSubstr("(30.0\u202Fms in all calls of these kernels)"));
    low.kernels[1].name = "another_kernel";
    EXPECT_THAT(shownOf("occupancy", low).sentence, Not(HasSubstr("in all calls")));
}

TEST(Evidence, OfCopiesIsTheTableThatHasMostOfThem) {
    const auto copying = [](std::int64_t byTheDriver, Phase phase, const char* op) {
        RunByHand run;
        run.add(20 * kMs, {.phase = phase, .op = op});
        run.add(byTheDriver, {.phase = phase, .op = op, .name = "copy, device to device", .isCopy = true});
        run.add(80 * kMs - byTheDriver);
        return run;
    };
    auto shown = shownOf("copies-and-casts", copying(5 * kMs, Phase::kForward, "aten::copy_"));
    EXPECT_EQ(shown.nsPerStep, 25.0 * kMs);
    EXPECT_EQ(shown.evidence.view, EvidenceView::kKernels);
    EXPECT_THAT(shown.sentence,
                HasSubstr("25.0\u202Fms of GPU time per step (20.0\u202Fms in kernels, 5.00\u202Fms in the "
                          "driver's copies and fills)"));
    RunByHand copies = copying(30 * kMs, Phase::kForward, "aten::copy_");
    EXPECT_EQ(shownOf("copies-and-casts", copies).evidence.view, EvidenceView::kCopies);
    copies.kernels[0].op = "aten::mm";
    shown = shownOf("copies-and-casts", copies);
    EXPECT_EQ(shown.nsPerStep, 30.0 * kMs);
    EXPECT_THAT(shown.sentence, Not(HasSubstr("in kernels"))) << "there are none";
    shown = shownOf("optimizer", copying(5 * kMs, Phase::kOptimizer, "aten::_fused_adamw_"));
    EXPECT_EQ(shown.nsPerStep, 25.0 * kMs);
    EXPECT_THAT(shown.sentence, HasSubstr("20.0\u202Fms in kernels"));
    // Too little to be read is not told.
    EXPECT_THAT(shownOf("copies-and-casts", copying(kUs, Phase::kForward, "aten::copy_")).sentence,
                Not(HasSubstr("in kernels")));
}

TEST(Evidence, OfALoneWarmUpStepIsThatStep) {
    RunByHand run;
    run.config.attention = AttentionVariant::kNaive;
    run.config.warmup = 2;
    run.state = "stopped";
    run.stepLengths = {100 * kMs};
    run.add(20 * kMs, {.op = "aten::copy_"});
    run.add(30 * kMs, {.module = "blocks.3.attn", .part = "softmax", .op = "aten::_softmax"});
    run.add(20 * kMs, {.phase = Phase::kOptimizer});
    run.add(30 * kMs);
    for (const char* rule : {"copies-and-casts", "optimizer", "score-matrix-time"})
        shownOf(rule, run);
    EXPECT_EQ(shownOf("copies-and-casts", run).evidence.range,
              (TimeRange{Nanoseconds(0), Nanoseconds(100 * kMs)}));
}

TEST(Evidence, OfARandomRunOfTheCpuIsTheTimeOfTheOpsAndOfThePhase) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        for (const std::int32_t warmup : {0, 2}) {
            const RandomRun random({.seed = seed, .warmup = warmup});
            const MemoryTimeline memory = timelineOf(random.snapshot());
            const RunFacts facts(memory);
            const auto even = [](std::string_view op) { return op.size() % 2 == 0; };
            const Evidence ofOps = facts.evidenceOfOps(even);
            EXPECT_EQ(ofOps.view, EvidenceView::kOps);
            ASSERT_GT(facts.timeOfOps(even), 0);
            EXPECT_NEAR(tableTime(*random.snapshot(), ofOps), facts.timeOfOps(even), 1);
            const auto backward = [](const Place& place) { return place.phase == Phase::kBackward; };
            ASSERT_GT(facts.timeWhere(backward), 0);
            EXPECT_NEAR(tableTime(*random.snapshot(), facts.evidenceOfPhase(Phase::kBackward)),
                        facts.timeWhere(backward), 1);
        }
    }
}

TEST(Evidence, OfWaitsIsWhereThereAreMany) {
    RunByHand run;
    run.kernels.clear();
    // One hole of 10 ms, and later 40 of 100 µs: they are what is to be seen.
    std::int64_t at = 20 * kMs;
    for (int i = 0; i < 40; ++i, at += 200 * kUs)
        run.kernels.push_back({at, at + 100 * kUs, 1});
    run.kernels.push_back({at, 100 * kMs});
    run.kernels.insert(run.kernels.begin(), {0, 10 * kMs});
    const auto found = must(finding(findLaunchBound, run));
    ASSERT_TRUE(found.evidence.visible);
    EXPECT_GE(found.evidence.visible->begin, Nanoseconds(100 * kMs + 20 * kMs));
    EXPECT_LE(found.evidence.visible->end, Nanoseconds(100 * kMs + 30 * kMs));
}

TEST(SpanFilterNames, SeveralAreEachOfThemTogether) {
    for (const std::uint64_t seed : {3u, 4u, 5u}) {
        const RandomRun random({.seed = seed});
        const auto run = random.snapshot();
        const auto rows = opStatistics(*run, {});
        ASSERT_GE(rows.size(), 3u);
        SpanFilter several{.name = rows[0].name + "|" + rows[2].name + "|no such op"};
        std::int64_t instances = 0;
        for (const StatisticsRow& row : opStatistics(*run, several)) {
            EXPECT_TRUE(row.name == rows[0].name || row.name == rows[2].name);
            instances += row.instances;
        }
        EXPECT_EQ(instances, rows[0].instances + rows[2].instances);
    }
}

TEST(SpanFilterNames, OfANameWithTheSignInItIsThatName) {
    RunByHand run;
    run.fillStep();
    run.kernels[0].name = "either|or";
    const auto rows = kernelStatistics(*run.snapshot(), {.name = "either|or"});
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].instances, 3);
}

TEST(AllocationsAmong, AreOnlyThese) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const RandomRun random({.seed = seed});
        const auto run = random.snapshot();
        const std::vector<AllocationId> all = allocationsOf(*run);
        std::vector<AllocationId> every3rd = all;
        std::erase_if(every3rd, [](AllocationId id) { return id.value % 3 != 0; });
        AllocationConditions conditions;
        EXPECT_FALSE(conditions.any());
        conditions.among = std::make_shared<const std::vector<AllocationId>>(every3rd);
        EXPECT_TRUE(conditions.any());
        const MemoryTimeline memory = timelineOf(run);
        EXPECT_EQ(filterAllocations(memory, all, conditions), every3rd);
        conditions.category = Category::kActivations;
        for (const AllocationId id : filterAllocations(memory, all, conditions)) {
            EXPECT_EQ(run->allocation(id)->category, Category::kActivations);
            EXPECT_EQ(id.value % 3, 0u);
        }
    }
}

TEST(WholeSteps, AreThoseInsideTheRangesFromEndToEnd) {
    const auto run = RunByHand().snapshot();  // one of warm-up, and two of 100 ms
    const auto of = [&](std::int64_t begin, std::int64_t end) {
        return wholeStepsOf(*run, {.ranges = {{Nanoseconds(begin * kMs), Nanoseconds(end * kMs)}}});
    };
    SpanFilter measured;
    EXPECT_EQ(wholeStepsOf(*run, measured), 0) << "set-up and warm-up besides";
    measured.measuredOnly = true;
    EXPECT_EQ(wholeStepsOf(*run, measured), 2);
    EXPECT_EQ(of(100, 300), 2);
    EXPECT_EQ(of(100, 200), 1);
    EXPECT_EQ(of(100, 250), 0) << "half a step";
    EXPECT_EQ(of(0, 300), 0) << "the warm-up besides";
    EXPECT_EQ(of(50, 300), 0) << "half of the warm-up besides";
    measured.ranges = {{Nanoseconds(0), Nanoseconds(300 * kMs)}};
    EXPECT_EQ(wholeStepsOf(*run, measured), 2) << "of which the filter takes nothing";
    EXPECT_EQ(of(0, 50), 0);
}

TEST(WholeSteps, AreNotToldWhileOneOfThoseThatCountRuns) {
    SpanFilter measured{.measuredOnly = true};
    SyntheticOptions options;
    EXPECT_GT(wholeStepsOf(*makeSyntheticRun(options), measured), 0);
    options.state = "recording";
    EXPECT_EQ(wholeStepsOf(*makeSyntheticRun(options), measured), 0) << "the filter takes some of it";
}

}  // namespace warpglass::test::evidence_test
