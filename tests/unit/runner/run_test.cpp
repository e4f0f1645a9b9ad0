// What a run does and how it ends.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "engine/base/host_load.h"
#include "engine/query/activity/conditions.h"
#include "engine/query/summary/out_of_memory.h"
#include "tests/support/implementations.h"
#include "tests/support/timeline_of.h"
#include "tests/support/valid.h"
#include "tests/unit/runner/runner_test_support.h"

namespace warpglass::test::run_test {

using ::testing::HasSubstr;

RunConfig withAttention(AttentionVariant attention) {
    RunConfig config = smallestConfig();
    config.attention = attention;
    return config;
}

TEST(Run, TheLossFallsOnAFixedBatch) {
    RunConfig config = smallestConfig();
    config.steps = 30;
    const RecordedRun run = record(config);
    ASSERT_EQ(run.outcome.losses.size(), 31u);
    // An untrained model knows nothing of 50 words.
    EXPECT_NEAR(run.outcome.losses.front(), std::log(50.0), 0.5);
    for (std::size_t i = 1; i < run.outcome.losses.size(); ++i)
        EXPECT_LT(run.outcome.losses[i], run.outcome.losses[i - 1]) << "step " << i;
    EXPECT_LT(run.outcome.losses.back(), run.outcome.losses.front() - 0.2);
}

TEST(Run, TheSameSeedGivesTheSameLoss) {
    RunConfig config = smallestConfig();
    const auto first = record(config).outcome.losses;
    EXPECT_EQ(record(config).outcome.losses, first);
    config.seed = 1;
    EXPECT_NE(record(config).outcome.losses, first);
}

TEST(Run, RecordingChangesNothing) {
    const RunConfig config = smallestConfig();
    RunControl control;
    const auto unrecorded = runner().runUnrecorded(valid(config), control);
    ASSERT_TRUE(unrecorded.ok());
    EXPECT_EQ(unrecorded->losses, record(config).outcome.losses);
}

TEST(Run, TheImplementationsOfEachPartAgree) {
    const auto usual = record(smallestConfig()).outcome.losses;
    for (const auto& [name, config] : withEachOther(smallestConfig())) {
        const auto losses = record(config).outcome.losses;
        ASSERT_EQ(losses.size(), usual.size());
        // The later losses are after updates, so the gradients agree too.
        for (std::size_t i = 0; i < usual.size(); ++i)
            EXPECT_NEAR(losses[i], usual[i], 1e-4) << name << ", step " << i;
    }
}

TEST(Run, MixedPrecisionIsCloseToFp32) {
    for (const AttentionVariant variant : attentionsFor(smallestConfig())) {
        RunConfig config = withAttention(variant);
        const auto fp32 = record(config).outcome.losses;
        config.precision = Precision::kBf16;
        const auto bf16 = record(config).outcome.losses;
        ASSERT_EQ(bf16.size(), fp32.size());
        for (std::size_t i = 0; i < fp32.size(); ++i)
            EXPECT_NEAR(bf16[i], fp32[i], 0.02) << attentionName(variant) << ", step " << i;
        EXPECT_NE(bf16, fp32);
        EXPECT_LT(bf16.back(), bf16.front());
    }
}

TEST(Run, ModesRunTheirPhases) {
    const auto phasesOf = [](Mode mode) {
        RunConfig config = smallestConfig();
        config.mode = mode;
        const RecordedRun run = record(config);
        std::vector<std::string> names;
        for (const NamedSpan& phase : spansOf(*run.trace, TrackKind::kPhase)) {
            if (phase.step == 1 || phase.step == kNoStep)
                names.push_back(phase.name);
        }
        return names;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(phasesOf(Mode::kForward), (Names{"setup", "forward", "loss", "teardown"}));
    EXPECT_EQ(phasesOf(Mode::kForwardBackward),
              (Names{"setup", "forward", "loss", "backward", "zero-grad", "teardown"}));
    EXPECT_EQ(phasesOf(Mode::kStep),
              (Names{"setup", "forward", "loss", "backward", "optimizer", "zero-grad", "teardown"}));
}

TEST(Run, WithoutUpdatesTheLossStays) {
    for (Mode mode : {Mode::kForward, Mode::kForwardBackward}) {
        RunConfig config = smallestConfig();
        config.mode = mode;
        const auto losses = record(config).outcome.losses;
        ASSERT_EQ(losses.size(), 3u);
        EXPECT_EQ(losses[1], losses[0]);
        EXPECT_EQ(losses[2], losses[0]);
    }
}

TEST(Run, StatesWhatItWas) {
    RunConfig config = withAttention(AttentionVariant::kSdpaFlash);
    config.seed = 42;
    const RecordedRun run = record(config);
    EXPECT_EQ(run.outcome.state, run_state::kFinished);
    const RunInfo& info = run.trace->info();
    EXPECT_EQ(info.get("state"), run_state::kFinished);
    EXPECT_EQ(info.get("state.message"), "");
    EXPECT_EQ(info.get("torch.version"), runner().torchVersion());
    EXPECT_EQ(info.get("attention.backend"), "sdpa flash (CPU)");
    for (const char* key :
         {"warpglass.version", "device.name", "device.memory_bytes", "threads", "time.started", "host.os"})
        EXPECT_NE(info.get(key), "") << key;
    const auto asRun = configFromPairs(info.pairs());
    ASSERT_TRUE(asRun.ok());
    EXPECT_EQ(*asRun, config);
}

TEST(Run, CountsTheLossOfEveryStep) {
    const RecordedRun run = record(smallestConfig());
    std::vector<double> losses;
    for (std::uint64_t i = 0; i < run.trace->counterSampleCount(); ++i) {
        if (run.trace->name(run.trace->counterSample(i)->counter) == "loss")
            losses.push_back(run.trace->counterSample(i)->value);
    }
    EXPECT_EQ(losses, run.outcome.losses);
}

/// What a run states and samples of the machine is what that says; whether it is busy is its own affair.
TEST(Run, RecordsWhatItRanUnder) {
    RunConfig config = smallestConfig();
    config.steps = 60;  // longer than the time between two samples
    const RecordedRun run = record(config);
    const HostLoadReader host;
    ASSERT_TRUE(host.read().busy) << "this system does not tell";
    EXPECT_EQ(run.trace->info().get(condition_key::kCores), std::to_string(host.cores()));
    EXPECT_EQ(run.trace->info().get("threads"), "1");
    const RunConditions conditions = conditionsOf(*run.trace);
    EXPECT_EQ(conditions.coresNeeded, 1);
    EXPECT_FALSE(conditions.steps.smClock) << "it ran on the CPU";
    const ConditionSeries series(*run.trace);
    const Conditions whole = series.in(run.trace->range());
    ASSERT_TRUE(whole.othersCores);
    // proc/stat counts in steps of 10 ms
    EXPECT_LE(*whole.othersCores, static_cast<double>(host.cores()) + 1);
    ASSERT_EQ(whole.waitedShare.has_value(), host.read().waited.has_value());
    EXPECT_LE(whole.waitedShare.value_or(0), 1.01);
    EXPECT_TRUE(run.trace->losses().empty()) << lossText(*run.trace);
}

TEST(Run, SamplesNothingWhereNothingIsRecorded) {
    RunControl control;
    const RunConfig config = smallestConfig();
    ASSERT_TRUE(runner().runUnrecorded(valid(config), control).ok());
    // The next recording has its own samples alone: they do not go back to before it.
    const RecordedRun run = record(config);
    for (std::uint64_t i = 0; i < run.trace->counterSampleCount(); ++i) {
        EXPECT_GE(run.trace->counterSample(i)->time, 0);
        EXPECT_LE(run.trace->counterSample(i)->time, run.trace->range().end.value);
    }
}

// Stopping
// -------------------------------------------------------------------------------------------------------

std::int64_t bytesAtEnd(const std::shared_ptr<const Snapshot>& trace) {
    const MemoryTimeline timeline = timelineOf(trace);
    return timeline.eventCount() == 0 ? 0 : sumOf(timeline.afterEvent(timeline.eventCount() - 1).bytes);
}

/// Runs on and on, until another thread sees this phase open in this step or a later one, and stops it.
RecordedRun stopInPhase(const RunConfig& endless, Phase phase, std::int32_t firstStep) {
    RunControl control;
    std::shared_ptr<TraceFeed> feed;
    std::thread stopper;
    const auto watch = [&] {
        for (bool seen = false; !seen;) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            const auto s = feed->latest();
            for (const OpenSpan& open : s ? s->openSpans() : std::vector<OpenSpan>())
                seen = seen || (open.step >= firstStep && s->place(open.place).phase == phase);
        }
        control.stop = true;
    };
    const auto outcome = runner().run(valid(endless), control, [&](std::shared_ptr<TraceFeed> given) {
        feed = std::move(given);
        stopper = std::thread(watch);
    });
    stopper.join();
    EXPECT_TRUE(outcome.ok());
    return {*outcome, feed->latest()};
}

TEST(Stop, EndsTheRunAndKeepsWhatItRecorded) {
    RunConfig config = smallestConfig();
    config.steps = 1'000'000;
    for (Phase phase : {Phase::kForward, Phase::kBackward, Phase::kOptimizer}) {
        const RecordedRun run = stopInPhase(config, phase, 1);
        EXPECT_EQ(run.outcome.state, run_state::kStopped);
        EXPECT_EQ(run.outcome.message, "");
        EXPECT_EQ(run.trace->info().get("state"), run_state::kStopped);
        EXPECT_GE(run.outcome.losses.size(), 1u);
        EXPECT_LT(run.outcome.losses.size(), 1'000'000u);
        EXPECT_EQ(lossText(*run.trace), "");
        EXPECT_TRUE(run.trace->openSpans().empty());
        EXPECT_EQ(bytesAtEnd(run.trace), 0) << "stopped in " << phaseName(phase);
        EXPECT_EQ(spansOf(*run.trace, TrackKind::kPhase).back().name, "teardown");
    }
    // And the next run is as if nothing had happened.
    EXPECT_EQ(record(smallestConfig()).outcome.losses, record(smallestConfig()).outcome.losses);
}

TEST(Stop, IsReadInsideAStep) {
    // Long steps: a stop that waited for the end of one would let its zero-grad phase run.
    RunConfig config = smallestConfig();
    config.shape.layers = 400;
    config.warmup = 0;
    config.steps = 1'000'000;
    for (Phase phase : {Phase::kForward, Phase::kBackward}) {
        const RecordedRun run = stopInPhase(config, phase, 0);
        EXPECT_EQ(run.outcome.state, run_state::kStopped);
        const auto phases = spansOf(*run.trace, TrackKind::kPhase);
        EXPECT_NE(phases[phases.size() - 2].name, "zero-grad");
        EXPECT_EQ(bytesAtEnd(run.trace), 0);
    }
}

TEST(Stop, BeforeTheStart) {
    RunControl control{.stop = true};
    const auto outcome = runner().run(valid(smallestConfig()), control, [](auto) {});
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->state, run_state::kStopped);
    EXPECT_TRUE(outcome->losses.empty());
}

// Refusals and failures
// ------------------------------------------------------------------------------------------

std::string refusal(const RunConfig& config) {
    RunControl control;
    bool fed = false;
    const auto outcome = runner().run(valid(config), control, [&](auto) { fed = true; });
    EXPECT_FALSE(outcome.ok());
    EXPECT_FALSE(fed);
    return outcome.ok() ? "" : outcome.message();
}

TEST(Refusal, NamesADeviceThatIsNotThere) {
    RunConfig config = smallestConfig();
    config.device = "cuda:0";
    EXPECT_THAT(refusal(config), HasSubstr("\"cuda:0\""));
}

TEST(Refusal, OfAConfigurationLargerThanMemory) {
    RunConfig config{.model = "10B", .shape = *presetShape("10B"), .context = 4096, .batch = 1024};
    EXPECT_THAT(refusal(config), HasSubstr("larger than"));
}

TEST(Refusal, IsLiftedForAPersonWhoWantsItAnyway) {
    // A causal mask of 2^48 bytes, which no address space holds: nothing is written to it.
    RunConfig config{
        .model = "custom", .shape = {2, 2, 1, 1, 1}, .context = 1 << 24, .batch = 1, .mode = Mode::kForward};
    EXPECT_THAT(refusal(config), HasSubstr("larger than"));
    RunControl control{.overcommit = true};
    const auto outcome = runner().run(valid(config), control, [](auto) {});
    ASSERT_TRUE(outcome.ok()) << outcome.message();
    EXPECT_EQ(outcome->state, run_state::kFailed);
    EXPECT_THAT(outcome->message, HasSubstr("memory"));
}

TEST(Refusal, OfASecondRunAtATime) {
    RunControl control, second;
    RunConfig config = smallestConfig();
    const auto outcome = runner().run(valid(config), control, [&](auto) {
        const auto refused = runner().runUnrecorded(valid(config), second);
        ASSERT_FALSE(refused.ok());
        EXPECT_THAT(refused.message(), HasSubstr("already going on"));
    });
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->state, run_state::kFinished);
}

/// Leaves the process this much more address space than it has taken, for as long as it lives.
class AddressSpaceLimit {
public:
    explicit AddressSpaceLimit(std::uint64_t bytes) {
        getrlimit(RLIMIT_AS, &m_before);
        std::uint64_t pages = 0;
        if (FILE* f = std::fopen("/proc/self/statm", "r")) {
            if (std::fscanf(f, "%lu", &pages) != 1)
                pages = 0;
            std::fclose(f);
        }
        rlimit limit = m_before;
        limit.rlim_cur = pages * 4096 + bytes;
        setrlimit(RLIMIT_AS, &limit);
    }
    ~AddressSpaceLimit() { setrlimit(RLIMIT_AS, &m_before); }

private:
    rlimit m_before{};
};

TEST(Failure, OutOfMemoryIsASentence) {
    record(smallestConfig());  // LibTorch's own threads and tables exist from here on
    RunConfig config = smallestConfig();
    config.shape.vocabulary = 10'000'000;  // 1.3 GB of embeddings
    RunControl control;
    std::shared_ptr<TraceFeed> feed;
    const auto outcome = [&] {
        const AddressSpaceLimit limit(std::uint64_t{1} << 30);
        return runner().run(valid(config), control, [&](auto given) { feed = std::move(given); });
    }();
    ASSERT_TRUE(outcome.ok()) << outcome.message();
    EXPECT_EQ(outcome->state, run_state::kFailed);
    EXPECT_EQ(outcome->message,
              "The run needs more memory than this machine gave it: 1.19\u202fGiB more were asked for.");
    EXPECT_EQ(outcome->message.find('\n'), std::string::npos);
    EXPECT_EQ(feed->latest()->info().get("state.message"), outcome->message);
    EXPECT_EQ(bytesAtEnd(feed->latest()), 0);
    const auto failure = outOfMemory(timelineOf(feed->latest()));
    ASSERT_TRUE(failure && failure->request && failure->allocated);
    EXPECT_EQ(*failure->request, Bytes(std::int64_t{10'000'000} * 32 * 4)) << "one of the embeddings";
    EXPECT_EQ(failure->alive, *failure->allocated);
    EXPECT_FALSE(failure->reserved);
    EXPECT_EQ(failure->phase, "setup");
    const RecordedRun next = record(smallestConfig());
    EXPECT_EQ(next.outcome.state, run_state::kFinished);
    EXPECT_FALSE(next.trace->info().has("allocator.request_bytes"));
}

TEST(Library, RefusesAnotherAbi) {
    EXPECT_EQ(warpglassRunner(kRunnerAbi + 1), nullptr);
    EXPECT_NE(warpglassRunner(kRunnerAbi), nullptr);
}

TEST(Library, ListsTheCpu) {
    const auto devices = runner().devices();
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_EQ(devices[0].id, "cpu");
    EXPECT_GT(devices[0].memory.value, 0);
    EXPECT_GT(devices[0].threads, 0);
}

}  // namespace warpglass::test::run_test
