// Findings on time, with answers worked out by hand.
#include "engine/query/statistics/time_sentences.h"

#include <gmock/gmock.h>

#include <tuple>

#include "engine/query/findings/run_facts.h"
#include "engine/query/statistics/gpu_use_sentence.h"
#include "engine/query/statistics/span_sentences.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::time_sentences_test {

constexpr std::int64_t kMs = 1'000'000;

GroupedRow rowOf(const char* name, OpFamily family, std::int64_t ms) {
    return {.figures = {.self = Nanoseconds(ms * kMs), .name = name, .family = family}};
}

PhaseSamples samplesOf(const char* name, double ms, std::int64_t counted = 1) {
    const double ns = ms * static_cast<double>(kMs);
    return {.name = name, .counted = counted, .mean = ns, .median = ns};
}

TEST(TimeSentences, NameTheFamiliesAndTheCostliestName) {
    // One name in two groups is one kernel.
    const std::vector<GroupedRow> rows = {
        rowOf("adam", OpFamily::kOptimizer, 20), rowOf("gemm", OpFamily::kMatmul, 29),
        rowOf("gemm", OpFamily::kMatmul, 12), rowOf("other gemm", OpFamily::kMatmul, 39)};
    EXPECT_EQ(spansWordings(rows, TrackKind::kGpuStream).front(),
              "GPU time goes to GEMMs (80%) and the optimizer (20%); the top kernel is gemm (41%).");
    EXPECT_EQ(spansWordings(rows, TrackKind::kCpuThread).front(),
              "CPU time goes to GEMMs (80%) and the optimizer (20%); the top op is gemm (41%).");
    EXPECT_EQ(spansWordings({{rowOf("Memcpy HtoD", OpFamily::kOther, 3)}}, TrackKind::kGpuCopies).front(),
              "Copies and fills take 3.00\u202fms of GPU time, most of it Memcpy HtoD (100%).");
    EXPECT_TRUE(spansWordings({}, TrackKind::kGpuStream).empty());
}

TEST(TimeSentences, HaveShorterWordingsForLessRoom) {
    std::vector<GroupedRow> rows = {rowOf("copy", OpFamily::kCopy, 45), rowOf("gemm", OpFamily::kMatmul, 35),
                                    rowOf("norm", OpFamily::kNormalization, 20)};
    EXPECT_THAT(
        spansWordings(rows, TrackKind::kGpuStream),
        testing::ElementsAre("GPU time goes to casts and copies (45%), GEMMs (35%) and normalization "
                             "(20%); the top kernel is copy (45%).",
                             "GPU time goes to casts and copies (45%), GEMMs (35%) and normalization (20%).",
                             "GPU time goes to casts and copies (45%) and GEMMs (35%).",
                             "Casts and copies take 45% of GPU time.", "Casts and copies take 45%."));
    rows = {rowOf("adam", OpFamily::kOptimizer, 1)};
    EXPECT_EQ(spansWordings(rows, TrackKind::kCpuThread).back(), "The optimizer takes 100%.");
}

TEST(TimeSentences, AKernelIsAllOfItsNameAndItsTitle) {
    std::vector<GroupedRow> rows = {rowOf("nvjet_a", OpFamily::kMatmul, 30),
                                    rowOf("nvjet_b", OpFamily::kMatmul, 24),
                                    rowOf("elementwise_kernel", OpFamily::kCopy, 25),
                                    rowOf("elementwise_kernel", OpFamily::kElementwise, 21)};
    for (std::size_t row = 0; row < rows.size(); ++row)
        rows[row].title = row < 2 ? "gemm 128×256 TNN" : row == 2 ? "copy bf16" : "elementwise · add fp32";
    EXPECT_THAT(spansWordings(rows, TrackKind::kGpuStream).front(),
                testing::EndsWith("; the top kernel is gemm 128×256 TNN (30%)."));
}

TEST(TimeSentences, SayHowAStepIsSharedByItsPhases) {
    std::vector<StatisticsRow> rows(4);
    rows[0].name = "forward";
    rows[0].timeShare = 0.32;
    rows[1].name = "backward";
    rows[1].timeShare = 0.57;
    rows[2].name = "step";
    rows[2].average = 152.0 * kMs;
    rows[2].timeShare = 1;
    rows[3].name = "teardown";
    EXPECT_EQ(phasesSentence(rows), "Backward takes 57% of a step of 152\u202fms and forward 32%.");
    EXPECT_EQ(
        phasesSentence(rows, {{"forward", 24.32 * kMs}, {"backward", 1.0 * kMs}, {"step", 40.0 * kMs}}),
        "Backward takes 57% of a step of 152\u202fms and forward 32%; the GPU waits for the host for 50% of "
        "forward.");
    EXPECT_EQ(phasesSentence(std::span<const StatisticsRow>()), "");

    std::vector<PhaseSamples> samples = {samplesOf("forward", 10), samplesOf("backward", 30),
                                         samplesOf("step", 50, 1)};
    EXPECT_EQ(phasesSentence(samples), "Backward takes 60% of a step of 50.0\u202fms and forward 20%.");
    const auto spread = [&](std::size_t phase, std::int64_t min, std::int64_t max) {
        samples[phase].counted = 3;
        samples[phase].min = Nanoseconds(min * kMs);
        samples[phase].max = Nanoseconds(max * kMs);
    };
    // Forward's range is below a twentieth of a step.
    spread(0, 9, 11);
    spread(1, 27, 34);
    spread(2, 45, 53);
    samples[2].samples = {{.step = 1, .duration = Nanoseconds(53 * kMs), .counted = true}};
    EXPECT_EQ(phasesSentence(samples),
              "The 3 steps take 45.0\u202fms to 53.0\u202fms; of long phases backward varies most "
              "(−10% to +13% of its median).");
    spread(0, 9, 13);
    samples[2].samples = {{.step = 0, .duration = Nanoseconds(212 * kMs), .warmup = true}};
    EXPECT_EQ(phasesSentence(samples),
              "The 3 steps take 45.0\u202fms to 53.0\u202fms; of long phases forward varies most (−10% to "
              "+30% of its median), then backward (−10% to +13%); the first warm-up took 4.2× the median.");
    for (PhaseSamples& phase : samples) {
        phase.counted = 5;
        phase.standardDeviation = 0.2 * phase.median;
    }
    samples[1].standardDeviation = 6.9 * kMs;
    EXPECT_EQ(phasesSentence(samples),
              "The 5 steps take 45.0\u202fms to 53.0\u202fms; of long phases backward varies most "
              "(±23% of its median), then forward (±20%); the first warm-up took 4.2× the median.");
    // One step that is far from the others makes a range worth naming, and hardly a deviation.
    samples[0].standardDeviation = 0.01 * samples[0].median;
    samples[1].standardDeviation = 0.04 * samples[1].median;
    samples[2].samples[0].duration = Nanoseconds(7'400 * kMs);
    EXPECT_EQ(phasesSentence(samples),
              "The 5 steps take 45.0\u202fms to 53.0\u202fms; of long phases backward varies most "
              "(±4.0% of its median), then forward (±1.0%); the first warm-up took 148× the median.");
    EXPECT_EQ(phasesSentence(std::span<const PhaseSamples>()), "");
}

TEST(TimeSentences, SayThatTheWarmupWasTooShort) {
    const auto said = [](const std::vector<std::int64_t>& warmups, const std::vector<std::int64_t>& counted) {
        std::vector<PhaseSamples> samples = {samplesOf("step", 28, std::ssize(counted))};
        samples[0].samples.clear();
        for (const std::int64_t ms : warmups)
            samples[0].samples.push_back({.duration = Nanoseconds(ms * kMs), .warmup = true});
        for (const std::int64_t ms : counted)
            samples[0].samples.push_back({.duration = Nanoseconds(ms * kMs), .counted = true});
        samples[0].max = Nanoseconds(1000 * kMs);  // no warm-up is slow beside it
        return phasesSentence(samples);
    };
    EXPECT_THAT(said({40}, {33, 27, 28}),
                testing::EndsWith("; the first measured step took 18% more than the "
                                  "others, so the warm-up was too short."));
    EXPECT_THAT(said({}, {56, 27, 28, 28}), testing::Not(testing::HasSubstr("first measured")))
        << "without a warm-up it may be any step";
    const std::vector<std::vector<std::int64_t>> fine = {
        {30, 28, 28}, {33, 28, 31}, {28, 28, 33}, {33, 28}, {27, 28, 28}};
    for (const std::vector<std::int64_t>& steps : fine)
        EXPECT_THAT(said({40}, steps), testing::Not(testing::HasSubstr("first measured")));
}

TEST(TimeSentences, SayWhichPhasesHaveNoSayInTheStepsRange) {
    std::vector<PhaseSamples> phases = {samplesOf("forward", 10), samplesOf("loss", 0.2),
                                        samplesOf("optimizer", 2.0), samplesOf("step", 50)};
    EXPECT_EQ(
        quietPhasesSentence(phases),
        "Not drawn: loss (200\u202fµs) and optimizer (2.00\u202fms), which take less than a twentieth of the "
        "step.");
    const auto spread = [&](std::size_t phase, std::int64_t range) {
        phases[phase].counted = 3;
        phases[phase].median = phases[phase].mean;
        phases[phase].max = Nanoseconds(range);
    };
    spread(0, 799'999);
    spread(1, 20'000);
    spread(2, 800'000);
    spread(3, 8 * kMs);
    EXPECT_EQ(quietPhasesSentence(phases),
              "Not drawn: forward (median 10.0\u202fms, range 800\u202fµs) and loss (200\u202fµs, "
              "20.0\u202fµs), which vary by less than a tenth of the steps' range.");
    EXPECT_TRUE(movesSteps(phases[2], phases[3])) << "by a tenth";
    spread(0, 4 * kMs);
    spread(1, 4 * kMs);
    EXPECT_EQ(quietPhasesSentence(phases), "");
    EXPECT_EQ(quietPhasesSentence({}), "");

    // A phase that warm-up steps alone have, or only some of the steps that count, has no range to go by.
    for (const std::int64_t counted : {0, 2}) {
        spread(1, 0);
        phases[1].counted = counted;
        EXPECT_TRUE(movesSteps(phases[1], phases[3])) << counted;
        EXPECT_EQ(quietPhasesSentence(phases), "") << counted;
    }
    // Before the first step has ended, there are no steps to compare with.
    phases.pop_back();
    phases.back().phase = Phase::kOptimizer;
    EXPECT_EQ(quietPhasesSentence(phases), "");
    EXPECT_EQ(phasesSentence(phases), "");
}

/// Breadth first: the root, a phase of two blocks with an ffn each, and another phase.
FlameTree treeOf(FlameTree::Subject subject) {
    FlameTree tree{.subject = subject, .gpu = true};
    const auto add = [&](const char* name, FlameKind kind, std::uint32_t parent, std::int64_t value) {
        FlameNode node{.name = name,
                       .kind = kind,
                       .parent = parent,
                       .depth = tree.nodes.empty() ? 0 : tree.nodes[parent].depth + 1,
                       .value = value};
        tree.nodes.push_back(node);
    };
    add("all", FlameKind::kAll, 0, 1000);
    add("forward", FlameKind::kPhase, 0, 700);
    add("backward", FlameKind::kPhase, 0, 300);
    add("blocks.0", FlameKind::kModule, 1, 300);
    add("blocks.1", FlameKind::kModule, 1, 400);
    add("ffn", FlameKind::kModule, 3, 200);
    add("ffn", FlameKind::kModule, 4, 250);
    add("attn", FlameKind::kModule, 4, 150);
    return tree;
}

TEST(TimeSentences, SayWhichModulesOfAllBlocksTakeMost) {
    FlameTree time = treeOf(FlameTree::Subject::kTime);
    EXPECT_EQ(flameSentence(time),
              "Forward takes 70% of the GPU time and backward 30%; 45% of all is in the blocks' ffn.");
    for (const auto& [family, value] : {std::pair(OpFamily::kMatmul, 200), {OpFamily::kCopy, 150}}) {
        FlameNode op;
        op.name = "op";
        op.kind = FlameKind::kOp;
        op.family = family;
        op.value = op.self = value;
        op.parent = 5;
        op.depth = 4;
        time.nodes.push_back(op);
    }
    EXPECT_EQ(flameSentence(time),
              "Forward takes 70% of the GPU time and backward 30%; 45% of all is in the blocks' "
              "ffn; the largest kinds of work are GEMMs (20%) and casts and copies (15%).");
    EXPECT_EQ(flameSentence(treeOf(FlameTree::Subject::kMemory)),
              "Of 1000\u202fB, 45% is in the blocks' ffn and 15% in the blocks' attn.");
    EXPECT_EQ(flameSentence({}), "");
}

TEST(TimeSentences, SayWhatWasFound) {
    SearchResult found;
    EXPECT_EQ(searchSentence("copy", found), "");
    const auto add = [&](TrackKind kind, std::int64_t count, std::optional<double> share) {
        found.count += count;
        SearchGroup& group = found.groups.emplace_back();
        group.of.kind = kind;
        group.count = count;
        group.share = share;
    };
    found.total = Nanoseconds(32 * kMs);
    add(TrackKind::kCpuThread, 1, 0.2);
    EXPECT_EQ(searchSentence("copy", found), "“copy” is found in 1 op, which takes 32.0\u202fms.");
    add(TrackKind::kGpuStream, 1'000, 0.3);
    add(TrackKind::kGpuStream, 344, 0.13);
    EXPECT_EQ(
        searchSentence("copy", found, 12),
        "“copy” is found in 1,344 kernels (112 per measured step), which take 43% of GPU time, and in 1 op.");
    EXPECT_EQ(searchSentence("copy", found, 1),
              "“copy” is found in 1,344 kernels, which take 43% of GPU time, and in 1 op.");
    found.groups.erase(found.groups.begin());
    EXPECT_EQ(searchSentence("copy", found),
              "“copy” is found in 1,344 kernels, which take 32.0\u202fms, 43% of GPU time.");
}

// The timeline's finding, with answers worked out by hand.

constexpr TimeRange kAll{Nanoseconds(0), Nanoseconds(5000)};

TEST(GpuUseSentence, NamesWhatTheGpuWaitedForMost) {
    GpuBusy::Times times{};
    times[static_cast<std::size_t>(GpuBusy::Part::kBusy)] = 58;
    times[static_cast<std::size_t>(GpuBusy::Part::kGap)] = 4;
    times[static_cast<std::size_t>(GpuBusy::Part::kHostLate)] = 38;
    EXPECT_EQ(gpuUseSentence(times, "The GPU", "step 1"),
              "The GPU was busy for 58% of step 1 and waited for the host for 38%.");
    times[static_cast<std::size_t>(GpuBusy::Part::kHostLate)] = 0;
    EXPECT_EQ(gpuUseSentence(times, "GPU 1", "step 1"),
              "GPU 1 was busy for 94% of step 1; gaps between kernels took 6.5%.");
    EXPECT_EQ(gpuUseSentence(GpuBusy::Times{}, "The GPU", "step 1"), "");
}

TEST(GpuUseSentence, IsOfTheStepsThatCountOrOfWhatIsShown) {
    const auto run = traceOf(R"(
        info config.warmup 1
        step 0 1000-2000
          launch 1010-1020 | kernel k 1000-2000
        step 1 2000-3000
          launch 2010-2020 | kernel k 2100-2800
        step 2 3000-4000
          launch 3010-3020 | kernel k 3300-3400
        end 5000
    )");
    const GpuBusy busy(*run);
    EXPECT_EQ(gpuUseWordings(*run, busy, kAll).front(),
              "Launch-bound: the GPU was busy for 40% of 2 measured steps and waited for the host for 60%.");
    EXPECT_EQ(gpuUseWordings(*run, busy, {Nanoseconds(2100), Nanoseconds(2800)}).front(),
              "The GPU was busy for 100% of the 700\u202fns shown.");
    EXPECT_EQ(gpuUseWordings(*run, busy, kAll).back(), "Launch-bound: busy 40%, waiting for the host 60%.");
    EXPECT_EQ(gpuUseWordings(*run, busy, kAll, "GPU 1").back(),
              "Launch-bound: GPU 1 busy 40%, waiting for the host 60%.");
    EXPECT_EQ(gpuUseWordings(*run, busy, {Nanoseconds(2100), Nanoseconds(2800)}).back(), "GPU busy 100%.");
    EXPECT_TRUE(gpuUseWordings(*run, busy, {}).empty());
}

TEST(GpuUseSentence, NamesThePhaseInWhichMostOfTheIdleTimeLies) {
    constexpr std::string_view kRun = R"(
        step 0 1000-2000
          forward 1000-1400
          launch 1010-1020 | kernel k 1100-1400
          backward 1400-2000
          launch 1790-1800 | kernel k %
        end 5000
    )";
    const auto sentence = [&](const std::string& kernel) {
        std::string text(kRun);
        const auto run = traceOf(text.replace(text.find('%'), 1, kernel));
        return gpuUseWordings(*run, GpuBusy(*run), kAll).front();
    };
    // Idle, 1000 to 1100 in forward and 1400 to 1800 in backward.
    EXPECT_EQ(sentence("1800-2000"),
              "Launch-bound in the one measured step: the GPU was busy for 50% and waited for the host for "
              "50%, mostly in backward.");
}

TEST(GpuUseSentence, SaysWhatTheHostWasInWhileTheGpuWaitedForIt) {
    const auto run = traceOf(R"(
        step 0 1000-2000
          launch 1500-1510 | kernel k 1500-2000
    )");
    HostWhileIdle host{.idle = Nanoseconds(500)};
    host.ops[static_cast<std::size_t>(OpFamily::kCopy)] = Nanoseconds(225);
    host.ops[static_cast<std::size_t>(OpFamily::kMatmul)] = Nanoseconds(125);
    host.ops[static_cast<std::size_t>(OpFamily::kOther)] = Nanoseconds(25);
    host.outside = Nanoseconds(125);
    EXPECT_EQ(gpuUseWordings(*run, GpuBusy(*run), kAll, "GPU 1", host)
                  .front()
                  .rfind("Launch-bound in the one measured step: GPU 1 was ", 0),
              0u);
    EXPECT_EQ(gpuUseWordings(*run, GpuBusy(*run), kAll, "The GPU", host).front(),
              "Launch-bound in the one measured step: the GPU was busy for 50% and waited for the host for "
              "50%, while the host ran copy ops (45% of the wait).");
    EXPECT_EQ(gpuUseWordings(*run, GpuBusy(*run), kAll, "The GPU", host)[1],
              "Launch-bound in the one measured step: the GPU was busy for 50% and waited for the host for "
              "50%.");
    // It is not known for a part of the run.
    EXPECT_EQ(
        gpuUseWordings(*run, GpuBusy(*run), {Nanoseconds(1000), Nanoseconds(1500)}, "The GPU", host).front(),
        "The GPU was busy for 0% of the 500\u202fns shown and waited for the host for 100%.");
}

TEST(GpuUseSentence, CallsStepsLaunchBoundWhereTheFindingsDo) {
    // The very first step waits for most of its time, and is not judged.
    constexpr std::string_view kRun = R"(
        step 0 0-1000
          launch 800-810 | kernel k 800-1000
        step 1 1000-2000
          launch %-% | % k %-2000
        step 2 2000-3000
          launch %-% | % k %-3000
        end 5000
    )";
    const auto runOf = [&](const char* kind, int late) {
        const int second = 1000 + late, third = 2000 + late;
        return traceOf(filled(kRun, second, second + 5, kind, second, third, third + 5, kind, third));
    };
    const auto isSaid = [](const auto& run) {
        return gpuUseWordings(*run, GpuBusy(*run), kAll).front().starts_with("Launch-bound: ");
    };
    const auto isFound = [](const auto& run) {
        const MemoryTimeline timeline = timelineOf(run);
        return RunFacts(timeline).isLaunchBound();
    };
    for (const auto& [kind, late, expected] :
         {std::tuple("kernel", 100, true), {"kernel", 99, false}, {"copy", 500, false}}) {
        const auto run = runOf(kind, late);
        EXPECT_EQ(isSaid(run), expected) << kind << ' ' << late;
        EXPECT_EQ(isFound(run), expected) << kind << ' ' << late;
    }
    const std::string two = filled(kRun, 1500, 1505, "kernel", 1500, 2500, 2505, "kernel", 2500);
    const auto run = traceOf(two.substr(0, two.find("step 2")));
    EXPECT_TRUE(isFound(run));
    EXPECT_EQ(
        gpuUseWordings(*run, GpuBusy(*run), kAll).front().rfind("The GPU was busy for 35% of 2 measured ", 0),
        0u)
        << "one step says nothing of two";
}

// What the inspector says of one span, with answers worked out by hand.

constexpr Nanoseconds us(std::int64_t microseconds) {
    return Nanoseconds(microseconds * 1000);
}

TEST(SubjectSentence, SaysWhatRanAndForHowLong) {
    SpanSubject span{TrackKind::kGpuStream, OpFamily::kMatmul, us(169), us(169)};
    EXPECT_EQ(subjectSentence(span), "A GEMM kernel of 169\u202fµs.");
    span.family = OpFamily::kOther;
    EXPECT_EQ(subjectSentence(span), "A kernel of 169\u202fµs.");
    EXPECT_EQ(subjectSentence({TrackKind::kCpuThread, OpFamily::kElementwise, us(200), us(50)}),
              "An elementwise op of 200\u202fµs on the host, 25% of it its own.");
    EXPECT_EQ(subjectSentence({TrackKind::kPhase, OpFamily::kOther, us(16), us(16)}),
              "The host spent 16.0\u202fµs in this phase.");
}

TEST(KindSentence, RanksOnlyWhatIsNotAsUsual) {
    AmongItsKind span{us(24), us(12), 1447, 2, 1444};
    EXPECT_EQ(kindSentence(span), "It takes 2× the median of 12.0\u202fµs, the third slowest of 1,447.");
    span.longer = 0;
    EXPECT_EQ(kindSentence(span), "It takes 2× the median of 12.0\u202fµs, the slowest of 1,447.");
    span.longer = 10;
    span.shorter = 1085;
    EXPECT_EQ(kindSentence(span), "It takes 2× the median of 12.0\u202fµs, slower than 75% of 1,447.");
    EXPECT_EQ(kindSentence({us(6), us(12), 100, 99, 0}),
              "It takes 0.5× the median of 12.0\u202fµs, the fastest of 100.");
    EXPECT_EQ(kindSentence({us(6), us(12), 101, 50, 30}),
              "It takes 0.5× the median of 12.0\u202fµs, faster than 50% of 101.");
    EXPECT_EQ(kindSentence({Nanoseconds(12'500), us(12), 100, 3, 96}),
              "It takes as long as usual: the median of 100 is 12.0\u202fµs.");
    EXPECT_EQ(kindSentence({us(12), us(6), 4, 0, 3}), "The median of the 4 in the run is 6.00\u202fµs.");
    EXPECT_EQ(kindSentence({us(6), us(6), 1, 0, 0}), "It is the only one in the run.");
}

TEST(StepShareSentence, NeedsAStep) {
    EXPECT_EQ(stepShareSentence(us(12), us(1000), 3), "It took 1.2% of the time of step 3.");
    EXPECT_EQ(stepShareSentence(us(12), us(1000), kNoStep), "");
    EXPECT_EQ(stepShareSentence(us(12), Nanoseconds(0), 3), "");
}

TEST(Verdicts, SayWhetherItIsSlowOverTheSentenceThatShowsIt) {
    const std::string sentence = "It reaches 94% of the peak.";
    EXPECT_EQ(roofVerdict(0.75, sentence), "Not slow: it reaches 94% of the peak.");
    EXPECT_EQ(roofVerdict(0.5, sentence), "Somewhat slow: it reaches 94% of the peak.");
    EXPECT_EQ(roofVerdict(0.28, sentence), "Slow: it reaches 94% of the peak.");
    EXPECT_EQ(kindVerdict({us(23), us(10), 1447, 2, 1444}),
              "Slow for its kind: it takes 2.3× the median of 10.0\u202fµs, the third slowest of 1,447.");
    EXPECT_EQ(kindVerdict({us(10), us(10), 96, 40, 50}),
              "It takes as long as usual: the median of 96 is 10.0\u202fµs.");
    EXPECT_EQ(kindVerdict({us(23), us(10), 4, 0, 3}), "The median of the 4 in the run is 10.0\u202fµs.")
        << "too few to tell";
}

TEST(WorkWaitSentence, SaysWhyTheGpuStoodIdleOrThatItWasBusy) {
    using Part = GpuBusy::Part;
    const auto after = [](Part part) { return WorkWait{us(9), GpuBusy::Stretch{1000, 36'200, {}, part}}; };
    EXPECT_EQ(workWaitSentence(after(Part::kHostLate)),
              "It started 9.00\u202fµs after its launch. The GPU was idle for 35.2\u202fµs before it: "
              "waiting for the host to launch it.");
    EXPECT_EQ(workWaitSentence(after(Part::kGap)),
              "It started 9.00\u202fµs after its launch. The GPU was idle for 35.2\u202fµs before it: a gap "
              "before work that had been launched already.");
    EXPECT_EQ(workWaitSentence(after(Part::kUnknown)),
              "It started 9.00\u202fµs after its launch. The GPU was idle for 35.2\u202fµs before it; why is "
              "not known.");
    EXPECT_EQ(workWaitSentence({std::nullopt, GpuBusy::Stretch{1000, 36'200, {}, Part::kUnknown}}),
              "The GPU was idle for 35.2\u202fµs before it; its launch was not recorded.");
    EXPECT_EQ(workWaitSentence(after(Part::kBusy)),
              "It started 9.00\u202fµs after its launch, as the GPU was busy with earlier work.");
    EXPECT_EQ(workWaitSentence(after(Part::kOutside)), "It started 9.00\u202fµs after its launch.");
    EXPECT_EQ(workWaitSentence({}), "");
    EXPECT_EQ(
        idleSentence({1000, 36'200, {}, Part::kSynchronization}),
        "The GPU was idle for 35.2\u202fµs: the host was waiting for the GPU and could launch nothing.");
}

TEST(HostSentences, AreOfAStretchOfTime) {
    EXPECT_EQ(hostWaitedSentence(us(49), us(50)), "The host waited for the GPU for 98% of it, 49.0\u202fµs.");
    EXPECT_EQ(hostWaitedSentence(Nanoseconds(0), us(50)), "");
    EXPECT_EQ(hostUseSentence(us(49), us(50)), "Ops ran for 98% of these 50.0\u202fµs.");
    EXPECT_EQ(hostUseSentence(us(49), Nanoseconds(0)), "");
}

}  // namespace warpglass::test::time_sentences_test
