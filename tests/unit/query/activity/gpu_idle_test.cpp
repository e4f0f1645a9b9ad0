#include "engine/query/activity/gpu_idle.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/query/activity/host_while_idle.h"
#include "engine/query/spans/span_scan.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::gpu_idle_test {

struct Call {
    std::int64_t begin, end;
    bool waits;
    std::uint64_t correlation;
};
struct Kernel {
    std::int64_t begin, end;
    std::uint64_t correlation;
    int stream;
    std::int32_t step;
};
struct Step {
    std::int64_t begin, end;
};

/// A run written by hand.
class GpuRunByHand {
public:
    std::vector<Step> steps;
    std::vector<Call> calls;
    std::vector<Kernel> kernels;
    std::int64_t warmup = 0;

    std::shared_ptr<const Snapshot> snapshot() const {
        std::string text = filled("info config.warmup %\n", warmup);
        for (std::size_t i = 0; i < steps.size(); ++i)
            text += filled("step % %-%\n", i, steps[i].begin, steps[i].end);
        for (const Call& call : calls)
            text += filled("call % %-% link %\n", call.waits ? "cuStreamSynchronize" : "cuLaunchKernel",
                           call.begin, call.end, call.correlation);
        for (const Kernel& kernel : kernels)
            text += filled("% kernel %-% stream % step % link %\n", kernel.stream == 2 ? "copy" : "kernel",
                           kernel.begin, kernel.end, kernel.stream, kernel.step, kernel.correlation);
        return traceOf(text);
    }
};

std::int64_t idle(const GpuTimeUse& use, IdleCause cause) {
    return use.idle[static_cast<std::size_t>(cause)].value;
}

constexpr std::int64_t kMs = 1'000'000;

TEST(GpuIdle, SaysWhyTheGpuWaited) {
    GpuRunByHand run{.steps = {{0, 100 * kMs}}};
    run.calls = {{5 * kMs, 6 * kMs, false, 1},     // the host is 5 ms late
                 {7 * kMs, 8 * kMs, false, 2},     // queued while the first runs
                 {30 * kMs, 31 * kMs, false, 3},   // too late: the second ended at 22
                 {35 * kMs, 60 * kMs, true, 4},    // waits for the third
                 {65 * kMs, 66 * kMs, false, 5},   // nothing could be queued meanwhile
                 {70 * kMs, 100 * kMs, true, 6}};  // and the end of the step
    run.kernels = {{6 * kMs, 20 * kMs, 1, 0, 0},
                   {21 * kMs, 22 * kMs, 2, 0, 0},
                   {31 * kMs, 59 * kMs, 3, 0, 0},
                   {66 * kMs, 90 * kMs, 5, 0, 0}};
    const GpuTimeUse use = gpuTimeUse(*run.snapshot());
    EXPECT_EQ(use.steps, 1);
    EXPECT_EQ(use.wall.value, 100 * kMs);
    EXPECT_EQ(use.busy.value, (14 + 1 + 28 + 24) * kMs);
    EXPECT_EQ(idle(use, IdleCause::kGap), 1 * kMs);
    EXPECT_EQ(idle(use, IdleCause::kHostLate), (6 + 9) * kMs);
    EXPECT_EQ(idle(use, IdleCause::kSynchronization), (7 + 10) * kMs);
    EXPECT_EQ(idle(use, IdleCause::kUnknown), 0);
    ASSERT_GE(use.longest.size(), 2u);
    EXPECT_EQ(use.longest[0].range, (TimeRange{Nanoseconds(90 * kMs), Nanoseconds(100 * kMs)}));
    EXPECT_FALSE(use.longest[0].next.valid());
    EXPECT_EQ(use.longest[1].cause, IdleCause::kHostLate);
}

TEST(GpuIdle, OfTheFirstStepHasEveryStretchInOrder) {
    GpuRunByHand run{.steps = {{0, 100}, {100, 200}, {200, 300}},
                     .calls = {{105, 106, false, 1}, {140, 141, false, 2}, {205, 206, false, 3}},
                     .kernels = {{110, 130, 1, 0, 1}, {150, 180, 2, 0, 1}, {250, 300, 3, 0, 2}},
                     .warmup = 1};
    const StepSelection steps = stepsToAverage(*run.snapshot());
    std::vector<IdleStretch> ofFirst;
    EXPECT_TRUE(gpuTimeUse(*run.snapshot(), steps, 0, &ofFirst).longest.empty());
    ASSERT_EQ(ofFirst.size(), 3u);
    EXPECT_EQ(ofFirst[0].range, (TimeRange{Nanoseconds(100), Nanoseconds(110)}));
    EXPECT_EQ(ofFirst[1].range, (TimeRange{Nanoseconds(130), Nanoseconds(150)}));
    EXPECT_EQ(ofFirst[2].range, (TimeRange{Nanoseconds(180), Nanoseconds(200)}));
    for (const IdleStretch& stretch : ofFirst)
        EXPECT_EQ(stretch.step, 1);
    gpuTimeUse(*GpuRunByHand().snapshot(), StepSelection(), 0, &ofFirst);
    EXPECT_TRUE(ofFirst.empty());
}

TEST(GpuIdle, WithoutTheCallsAllOfItIsOfNoKnownCause) {
    GpuRunByHand run{.steps = {{0, 100}}, .calls = {{5, 6, false, 1}}, .kernels = {{40, 90, 1, 0, 0}}};
    GpuTimeUse use = gpuTimeUse(*run.snapshot());
    ASSERT_EQ(idle(use, IdleCause::kHostLate), 50);
    forgetCauses(use);
    EXPECT_EQ(idle(use, IdleCause::kUnknown), 50);
    for (const IdleCause cause : {IdleCause::kGap, IdleCause::kSynchronization, IdleCause::kHostLate})
        EXPECT_EQ(idle(use, cause), 0);
    EXPECT_EQ(use.busy.value, 50);
    ASSERT_FALSE(use.longest.empty());
    for (const IdleStretch& stretch : use.longest)
        EXPECT_EQ(stretch.cause, IdleCause::kUnknown);
    GpuTimeUse none;
    forgetCauses(none);
    EXPECT_EQ(idle(none, IdleCause::kUnknown), 0);
}

TEST(GpuIdle, ALaunchThatWasNotRecordedIsNotBlamedOnAnyone) {
    GpuRunByHand run{.steps = {{0, 100}}, .kernels = {{40, 100, 9, 0, 0}}};
    const GpuTimeUse use = gpuTimeUse(*run.snapshot());
    EXPECT_EQ(idle(use, IdleCause::kUnknown), 40);
    EXPECT_EQ(use.busy.value, 60);
}

TEST(GpuIdle, WithoutAGpuThereIsNothing) {
    GpuRunByHand run{.steps = {{0, 100}}};
    const GpuTimeUse use = gpuTimeUse(*run.snapshot());
    EXPECT_EQ(use.steps, 0);
    EXPECT_EQ(use.wall.value, 0);
}

/// Nanosecond by nanosecond (all waits far from where the clocks' tolerance matters: in units of it).
TEST(GpuIdle, IsTheSumOfItsMoments) {
    constexpr std::int64_t kUnit = 100'000;
    std::mt19937_64 random(3);
    const auto upTo = [&random](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    for (int round = 0; round < 200; ++round) {
        GpuRunByHand run{.warmup = upTo(2)};
        std::int64_t hostTime = 0, correlation = 0;
        std::map<int, std::int64_t> streamEnd;
        for (std::int32_t step = 0; step < 3; ++step) {
            const std::int64_t begin = hostTime;
            for (auto n = 1 + upTo(6); n > 0; --n) {
                hostTime += upTo(4);
                const bool waits = upTo(4) == 0;
                const std::int64_t callBegin = hostTime;
                hostTime += 1 + upTo(2);
                const int stream = static_cast<int>(upTo(3));
                if (waits) {
                    for (const auto& [s, end] : streamEnd)
                        hostTime = std::max(hostTime, end + 1);
                } else {
                    const std::int64_t start = std::max(streamEnd[stream] + upTo(2), callBegin + upTo(3));
                    streamEnd[stream] = start + 1 + upTo(5);
                    run.kernels.push_back({start * kUnit, streamEnd[stream] * kUnit,
                                           static_cast<std::uint64_t>(correlation), stream, step});
                }
                run.calls.push_back(
                    {callBegin * kUnit, hostTime * kUnit, waits, static_cast<std::uint64_t>(correlation++)});
            }
            for (const auto& [s, end] : streamEnd)
                hostTime = std::max(hostTime, end);
            hostTime += upTo(3);
            run.steps.push_back({begin * kUnit, hostTime * kUnit});
        }
        const GpuTimeUse use = gpuTimeUse(*run.snapshot());

        std::array<std::int64_t, 4> idleUnits{};
        std::int64_t busyUnits = 0, wall = 0;
        bool anyWork = false;
        for (const Kernel& kernel : run.kernels)
            anyWork = anyWork || kernel.step >= run.warmup;
        for (std::size_t s = static_cast<std::size_t>(run.warmup); anyWork && s < run.steps.size(); ++s) {
            const std::int64_t begin = run.steps[s].begin / kUnit, end = run.steps[s].end / kUnit;
            wall += end - begin;
            for (std::int64_t t = begin; t < end; ++t) {
                const auto busyAt = [&](std::int64_t when) {
                    for (const Kernel& k : run.kernels)
                        if (k.step == static_cast<std::int32_t>(s) && k.begin <= when * kUnit &&
                            when * kUnit < k.end)
                            return true;
                    return false;
                };
                if (busyAt(t)) {
                    ++busyUnits;
                    continue;
                }
                std::int64_t since = t;
                while (since > begin && !busyAt(since - 1))
                    --since;
                const Kernel* next = nullptr;
                for (const Kernel& k : run.kernels)
                    if (k.step == static_cast<std::int32_t>(s) && k.begin > t * kUnit &&
                        (!next || k.begin < next->begin))
                        next = &k;
                IdleCause cause = IdleCause::kHostLate;
                for (const Call& call : run.calls)
                    // What ended as the step began was the wait of the step before.
                    if (call.waits && call.begin <= since * kUnit &&
                        since * kUnit < call.end + (since > begin ? 1 : 0))
                        cause = IdleCause::kSynchronization;
                // Any of several that begin together may come first; they differ in their launches.
                bool ambiguous = false;
                if (next) {
                    std::optional<bool> queued;
                    for (const Kernel& k : run.kernels) {
                        if (k.step != static_cast<std::int32_t>(s) || k.begin != next->begin)
                            continue;
                        for (const Call& call : run.calls) {
                            if (call.correlation != k.correlation)
                                continue;
                            const bool q = call.begin <= since * kUnit;
                            ambiguous = ambiguous || (queued && *queued != q);
                            queued = q;
                        }
                    }
                    if (queued && *queued)
                        cause = IdleCause::kGap;
                }
                if (ambiguous) {
                    wall = -1;
                    break;
                }
                ++idleUnits[static_cast<std::size_t>(cause)];
            }
            if (wall < 0)
                break;
        }
        if (wall < 0)
            continue;
        ASSERT_EQ(use.wall.value, wall * kUnit) << "round " << round;
        EXPECT_EQ(use.busy.value, busyUnits * kUnit) << "round " << round;
        for (std::size_t cause = 0; cause < idleUnits.size(); ++cause)
            EXPECT_EQ(use.idle[cause].value, idleUnits[cause] * kUnit)
                << "round " << round << ", " << kIdleCauseNames[cause];
    }
}

// What the host did while the GPU waited for it, with answers worked out by hand.

// The GPU waits from 1000 to 1500 for main, and from 2000 to 2400 for the thread of the backward pass, while
// main is in an op too.
constexpr std::string_view kRun = R"(
    info config.warmup 0
    step 0 1000-3000
      op aten::mm 1000-1600
        op aten::to 1050-1250
          op aten::copy_ 1100-1200
        launch 1390-1410 | kernel gemm 1500-2000
      op aten::mul 2000-2900
      op aten::add 2100-2350 thread "autograd 1"
        launch 2300-2320 | kernel add 2400-3000
)";

std::int64_t timeOf(const HostWhileIdle& host, OpFamily family) {
    return host.ops[static_cast<std::size_t>(family)].value;
}

TEST(HostWhileIdle, IsWhatTheLaunchingThreadWasIn) {
    const HostWhileIdle host = hostWhileIdle(*traceOf(kRun));
    EXPECT_EQ(host.idle.value, 900);
    EXPECT_EQ(timeOf(host, OpFamily::kMatmul), 300);
    EXPECT_EQ(timeOf(host, OpFamily::kCopy), 200);
    EXPECT_EQ(timeOf(host, OpFamily::kElementwise), 250);
    EXPECT_EQ(host.outside.value, 150);
}

TEST(HostWhileIdle, IsOfTheStepsThatCount) {
    std::string text(kRun);
    text.replace(text.find("warmup 0"), 8, "warmup 1");
    text += R"(
    step 1 4000-5000
      op aten::mm 4000-4200 | launch 4100-4120 | kernel gemm 4150-5000
)";
    const HostWhileIdle host = hostWhileIdle(*traceOf(text));
    EXPECT_EQ(host.idle.value, 150);
    EXPECT_EQ(timeOf(host, OpFamily::kMatmul), 150);
    EXPECT_EQ(timeOf(host, OpFamily::kElementwise), 0);
}

TEST(HostWhileIdle, IsNothingWhereOpsOrCallsWereNotRecorded) {
    const HostWhileIdle noOps = hostWhileIdle(*traceOf(R"(
        step 0 1000-3000
          launch 1390-1410 | kernel gemm 1500-2000
    )"));
    EXPECT_EQ(noOps.idle.value, 0);
    EXPECT_EQ(noOps.outside.value, 0);
    const HostWhileIdle lost =
        hostWhileIdle(*traceOf(kRun, {{"missing.any", "yes"}, {"missing.ops", "1 of 6"}}));
    EXPECT_EQ(lost.idle.value, 0);
}

}  // namespace warpglass::test::gpu_idle_test
