#include "tests/unit/runner/runner_test_support.h"
#include "tests/support/every_span.h"
#include "tests/support/valid.h"

#include <dlfcn.h>

#include <algorithm>

namespace warpglass {

void useThreads(int threads) {
    // LibTorch's OpenMP library, found where LibTorch has loaded it: linking one would be linking another.
    using SetThreads = void (*)(int);
    if (const auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads")))
        set(threads);
}

Runner& runner() {
    static Runner& instance = []() -> Runner& {
        Runner& made = *warpglassRunner(kRunnerAbi);
        made.devices();  // LibTorch sets its own number of threads when first asked for it
        // Threads that share two busy cores with other tests mostly wait for each other.
        useThreads(1);
        return made;
    }();
    return instance;
}

RunConfig smallestConfig() {
    return {.model = "custom",
            .shape = {.vocabulary = 50, .dModel = 32, .dFf = 64, .layers = 2, .heads = 2},
            .context = 12,
            .batch = 2,
            .warmup = 1,
            .steps = 2};
}

RecordedRun record(const RunConfig& config) {
    RunControl control;
    std::shared_ptr<TraceFeed> feed;
    Result<RunOutcome> outcome =
        runner().run(test::valid(config), control, [&](auto given) { feed = std::move(given); });
    EXPECT_TRUE(outcome.ok()) << (outcome.ok() ? "" : outcome.message());
    return outcome.ok() ? RecordedRun{*outcome, feed->latest()} : RecordedRun{};
}

std::vector<NamedSpan> spansOf(const Snapshot& trace, TrackKind kind) {
    std::vector<NamedSpan> spans;
    for (const auto& [ref, row, sameKind, track, depth] : test::spansOfKind(trace, kind)) {
        const Place place = trace.place(row.place);
        spans.push_back({kind, depth, row.start, row.end(), std::string(trace.name(trace.track(track).name)),
                         std::string(trace.name(row.name)), std::string(trace.name(place.module)),
                         std::string(trace.name(place.part)), place.phase, row.step, row.link});
    }
    return spans;
}

std::string attentionNameOf(const testing::TestParamInfo<AttentionVariant>& tested) {
    std::string name(attentionName(tested.param));
    std::ranges::replace(name, '-', '_');
    return name;
}

std::string lossText(const Snapshot& trace) {
    std::string text;
    for (const LossCount& loss : trace.losses())
        text += loss.name + " × " + std::to_string(loss.count) + "; ";
    return text;
}

}  // namespace warpglass
