// What recording costs: the same model takes recorded and unrecorded steps in turn, and the medians of their
// times are compared. Steps in turn, and pairs in alternating order, so that a machine that warms up or is
// busy for a while troubles both alike.
//
//     warpglass_recording_bench [--model small] [--context 128] [--batch 4] [--pairs 6] [--attention naive]
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "engine/capture/recorder.h"
#include "engine/capture/torch_observers.h"
#include "engine/runner/training_run.h"

namespace {

using namespace warpglass;

double unrecordedStep(TrainingRun& run, std::int64_t index) {
    const auto start = std::chrono::steady_clock::now();
    run.step(index);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

struct RecordedStep {
    double milliseconds = 0;
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
};

RecordedStep recordedStep(TrainingRun& run, std::int64_t index) {
    Recorder recorder({});
    recorder.start();
    RecordedStep step;
    {
        const TorchObservers observers;
        step.milliseconds = unrecordedStep(run, index);
    }
    recorder.finish({});
    const auto trace = recorder.feed()->latest();
    step.events = trace->spanCount() + trace->memoryEventCount();
    for (const LossCount& loss : trace->losses())
        step.lost += loss.count;
    return step;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

int measure(const RunConfig& config, int pairs) {
    TrainingRun run(config);
    run.setUp();
    std::int64_t index = 0;
    unrecordedStep(run, index++);  // makes the optimizer's state and LibTorch's threads
    recordedStep(run, index++);    // makes the names
    std::vector<double> recorded, unrecorded;
    RecordedStep last;
    for (int pair = 0; pair < pairs; ++pair) {
        for (int half = 0; half < 2; ++half) {
            if ((pair + half) % 2 == 0) {
                unrecorded.push_back(unrecordedStep(run, index++));
            } else {
                last = recordedStep(run, index++);
                recorded.push_back(last.milliseconds);
            }
        }
    }
    std::printf("steps               %d recorded, %d unrecorded, in turn\n", pairs, pairs);
    std::printf("recorded median     %.2f ms\n", median(recorded));
    std::printf("unrecorded median   %.2f ms\n", median(unrecorded));
    std::printf("ratio of medians    %.3f\n", median(recorded) / median(unrecorded));
    std::printf("ratio of minima     %.3f\n", *std::min_element(recorded.begin(), recorded.end()) /
                                                  *std::min_element(unrecorded.begin(), unrecorded.end()));
    std::printf("events a step       %lu, lost %lu\n", static_cast<unsigned long>(last.events),
                static_cast<unsigned long>(last.lost));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    RunConfig config;
    std::string attention = "naive", precision = "fp32";
    int pairs = 6;
    config.model = "small";
    CLI::App app("What recording a run costs");
    app.add_option("--model", config.model, "a preset");
    app.add_option("--context", config.context);
    app.add_option("--batch", config.batch);
    app.add_option("--attention", attention);
    app.add_option("--precision", precision);
    app.add_option("--pairs", pairs, "recorded and unrecorded steps of each kind")
        ->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    const auto shape = presetShape(config.model);
    const auto variant = parseAttention(attention);
    const auto type = parsePrecision(precision);
    if (!shape.ok() || !variant.ok() || !type.ok()) {
        std::fprintf(stderr, "%s\n",
                     (!shape.ok()     ? shape.message()
                      : !variant.ok() ? variant.message()
                                      : type.message())
                         .c_str());
        return 2;
    }
    config.shape = *shape;
    config.attention = *variant;
    config.precision = *type;
    return measure(config, pairs);
}
