// A comparison's times of the GPU: sums over kernels, by what launched them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "engine/query/compare/comparison.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::comparison_gpu_test {

/// Random kernels of some steps, launched by some ops in some places, against plain sums of measured steps.
TEST(ComparisonOfGpuTimes, isThatOfPlainSums) {
    struct Expected {
        std::map<std::string, double> kernels, ops, phases, modules;
    };
    constexpr int kSteps = 5, kWarmup = 2;
    const auto make = [&](std::uint64_t seed, Expected& expected) {
        std::mt19937_64 random(seed);
        std::string text =
            filled("info state finished config.warmup % steps.completed %\n", kWarmup, kSteps) +
            filled("repeat % every 100000 | step 0 0-100000\n", kSteps);
        std::int64_t time = 0;
        for (int i = 0; i < 2000; ++i) {
            const auto step = static_cast<std::int32_t>(random() % kSteps);
            const auto duration = static_cast<std::int64_t>(random() % 100);
            const std::string kernel = "k" + std::to_string(random() % 9);
            const std::string op = random() % 10 == 0 ? "" : "aten::o" + std::to_string(random() % 4);
            const auto phase = static_cast<Phase>(2 + random() % 4);
            const std::string block = "blocks." + std::to_string(random() % 3);
            text += filled("% % %-% step % phase % module %.attn grid %", i % 10 == 0 ? "copy" : "kernel",
                           kernel, time, time + duration, step, phaseName(phase), block, random() % 5) +
                    (op.empty() ? "\n" : " op " + op + "\n");
            time += duration + 1;
            if (step < kWarmup)
                continue;
            const double share = static_cast<double>(duration) / (kSteps - kWarmup);
            expected.kernels[kernel] += share;
            expected.ops[op.empty() ? "(outside any op)" : op] += share;
            expected.phases[std::string(phaseName(phase))] += share;
            if (phase != Phase::kNone)
                expected.phases["all phases"] += share;
            for (const std::string& module : {std::string("blocks"), block, block + ".attn"})
                expected.modules[module] += share;
        }
        return traceOf(text);
    };
    Expected a, b;
    const auto runA = make(1, a), runB = make(2, b);
    const RunComparison comparison = compareRuns(runA, runB);
    const auto expectRows = [](const std::vector<ComparisonRow>& rows,
                               const std::map<std::string, double>& inA,
                               const std::map<std::string, double>& inB) {
        ASSERT_EQ(rows.size(), inA.size());
        for (const ComparisonRow& row : rows) {
            EXPECT_NEAR(row.a, inA.at(row.name), 1e-6) << row.name;
            EXPECT_NEAR(row.b, inB.at(row.name), 1e-6) << row.name;
        }
    };
    expectRows(comparison.kernels, a.kernels, b.kernels);
    expectRows(comparison.gpuOps, a.ops, b.ops);
    expectRows(comparison.gpuPhases, a.phases, b.phases);
    expectRows(comparison.gpuModules, a.modules, b.modules);
    EXPECT_TRUE(comparison.ops.empty());
}

/// One step whose optimizer launches nothing in A, and whose gradients are cleared by no kernel in either.
std::shared_ptr<const Snapshot> stepOfPhases(std::int64_t forward, std::int64_t optimizer, bool kernels) {
    const auto kernel = [&](std::int64_t begin, std::int64_t duration) {
        return kernels && duration > 0 ? filled("| kernel kernel %-%", begin, begin + duration) : "";
    };
    return traceOf(filled(R"(
        info state finished config.warmup 0 steps.completed 1
        step 0 0-1000
          forward 0-50 %
          optimizer 60-110 %
          zero-grad 120-170
    )",
                          kernel(0, forward), kernel(forward, optimizer)));
}

TEST(ComparisonOfGpuTimes, aPhaseThatLaunchedNothingTookNoneAndAllTogetherTheirSum) {
    const auto a = stepOfPhases(300, 0, true), b = stepOfPhases(100, 40, true);
    const RunComparison comparison = compareRuns(a, b);
    struct Expected {
        const char* name;
        double a, b;
    };
    const Expected expected[] = {
        {"forward", 300, 100}, {"optimizer", 0, 40}, {"zero-grad", 0, 0}, {"all phases", 300, 140}};
    ASSERT_EQ(comparison.gpuPhases.size(), std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); ++i) {
        const ComparisonRow& row = comparison.gpuPhases[i];
        EXPECT_EQ(row.name, expected[i].name);
        EXPECT_TRUE(row.inA && row.inB) << row.name;
        EXPECT_EQ(row.a, expected[i].a) << row.name;
        EXPECT_EQ(row.b, expected[i].b) << row.name;
    }
    // Without a GPU there is no time of one, and beside one the host's stands for it.
    const auto host = stepOfPhases(300, 40, false);
    EXPECT_TRUE(compareRuns(host, host).gpuPhases.empty());
    const RunComparison mixed = compareRuns(a, host);
    ASSERT_EQ(mixed.mixedPhases.size(), std::size(expected));
    EXPECT_EQ(mixed.mixedPhases.back().name, "step");
    EXPECT_EQ(mixed.mixedPhases.back().a, 1000) << "how long it lasted, not what its kernels took";
    EXPECT_EQ(mixed.mixedPhases.back().b, 1000);
}

TEST(ComparisonOfGpuTimes, aReplayIsNoPhaseOfTheGpu) {
    const RunComparison comparison =
        compareRuns(openSampleRun("small-bf16-graph"), openSampleRun("small-bf16-naive"));
    const auto isReplay = [](const ComparisonRow& row) { return row.name == "replay"; };
    EXPECT_TRUE(std::ranges::any_of(comparison.phases, isReplay));
    EXPECT_FALSE(std::ranges::any_of(comparison.gpuPhases, isReplay));
}

TEST(ComparisonOfGpuTimes, phasesOfARecordedRunAddUpToItsSteps) {
    const RunComparison comparison =
        compareRuns(openSampleRun("small-fp32-naive"), openSampleRun("small-bf16-naive"));
    double a = 0, b = 0;
    for (const ComparisonRow& row : comparison.gpuPhases) {
        if (row.name == "all phases")
            continue;
        EXPECT_TRUE((row.inA && row.inB) || row.name == "none") << row.name;
        if (row.name == "none")
            continue;
        a += row.a;
        b += row.b;
    }
    ASSERT_EQ(comparison.gpuPhases.back().name, "all phases");
    EXPECT_NEAR(comparison.gpuPhases.back().a, a, 1);
    EXPECT_NEAR(comparison.gpuPhases.back().b, b, 1);
    EXPECT_GT(a, b) << "fp32 against bf16";
    // What has memory in a phase has its time there too.
    for (const ComparisonRow& memory : comparison.phaseMemory) {
        EXPECT_TRUE(memory.name == "step" ||
                    std::ranges::any_of(comparison.gpuPhases,
                                        [&](const ComparisonRow& row) { return row.name == memory.name; }))
            << memory.name;
    }
}

}  // namespace warpglass::test::comparison_gpu_test
