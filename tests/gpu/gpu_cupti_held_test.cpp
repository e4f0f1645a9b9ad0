// CUPTI has room for one: where another tool was there first, a run goes on without kernels.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/gpu/gpu_run.h"
#include "tests/support/valid.h"

namespace warpglass::test::gpu_cupti_held_test {

constexpr unsigned kPatience = 120;

/// As another tool would, in the library that the runner has loaded.
bool holdCupti() {
    void* library = dlopen("libcupti.so.13", RTLD_LAZY | RTLD_NOLOAD);
    using Subscribe = int (*)(void**, void (*)(void*, int, unsigned, const void*), void*);
    const auto subscribe = library ? reinterpret_cast<Subscribe>(dlsym(library, "cuptiSubscribe")) : nullptr;
    void* subscriber = nullptr;
    return subscribe && subscribe(
                            &subscriber, [](void*, int, unsigned, const void*) {}, nullptr) == 0;
}

[[noreturn]] void runWithoutCupti(Runner& runner, RunConfig config) {
    alarm(kPatience);
    bool good = true;
    const auto expect = [&good](bool holds, const char* what) {
        if (!holds)
            std::fprintf(stderr, "not so: %s\n", what);
        good = good && holds;
    };
    expect(holdCupti(), "another tool can hold CUPTI");
    for (const Execution execution : {Execution::kEager, Execution::kGraph}) {
        config.execution = execution;
        RunControl control;
        std::shared_ptr<TraceFeed> feed;
        const auto outcome =
            runner.run(valid(config), control, [&](std::shared_ptr<TraceFeed> recorded) { feed = recorded; });
        expect(outcome.ok() && outcome->state == run_state::kFinished, "the run ends well");
        if (!feed)
            std::exit(1);
        const auto trace = feed->latest();
        const std::string problem = trace->info().get("capture.problem");
        std::fprintf(stderr, "%s; %s\n", problem.c_str(), lossText(*trace).c_str());
        expect(problem.find("holds CUPTI") != std::string::npos, "the run says who holds CUPTI");
        expect(trace->tracksOfKind(TrackKind::kGpuStream).empty(), "no kernel is seen");
        expect(spansOf(*trace, TrackKind::kGpuPhase).size() >= 12, "phases are timed by CUDA's events");
        expect(!spansOf(*trace, TrackKind::kCpuThread).empty(), "ops are there");
        expect(trace->memoryEventCount() > 1000, "and memory");
        expect(lossText(*trace).empty(), "and nothing else is missing");
    }
    std::exit(good ? 0 : 1);
}

struct GpuCuptiHeldDeathTest : GpuTest {
    // A fresh process: this one has a CUPTI session already.
    GpuCuptiHeldDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(GpuCuptiHeldDeathTest, PhasesOpsAndMemoryAreRecordedAllTheSame) {
    EXPECT_EXIT(runWithoutCupti(*m_runner, config()), testing::ExitedWithCode(0), "");
}

}  // namespace warpglass::test::gpu_cupti_held_test
