// What recording costs, on small at context 128 by default (the bar: 1.10): the same model takes recorded and
// unrecorded steps in turn, and the medians of their times are compared. Steps in turn, and pairs in
// alternating order, so that a machine that warms up or is busy for a while troubles both alike.
//
//     warpglass_recording_bench [--model small] [--context 128] [--batch 4] [--pairs 6] [--attention naive]
//                               [--precision fp32] [--device cpu] [--steps 1] [--execution eager]
//                               [--record ops,memory,kernels,calls,waits]
//     warpglass_recording_bench --event op|memory|module|phase [--record none]
//
// The unrecorded steps run in a process in which recording was on before: warpglass_recording_cost compares
// processes that never recorded with ones that do, and is what a user meets. With --event: nanoseconds that
// one event of this kind takes of its thread (on the CPU), recorded, or with `--record none` in a process
// that records nothing.
//
// --steps is how many steps are taken recorded before as many unrecorded ones; of several the first does not
// count. On a GPU several: the first kernels after CUPTI was switched on pay for its buffers. A graph is
// recorded from its capture on, so each time it is a run of its own, whose first three steps do not count.
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "engine/capture/capture_clock.h"
#include "engine/capture/recorder.h"
#include "engine/capture/torch_observers.h"
#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"
#include "engine/runner/gpu.h"
#include "engine/runner/observed_ops.h"
#include "engine/runner/training_run.h"
#include "tests/bench/recording/event_cost.h"
#include "tests/bench/recording/median_interval.h"

namespace {

using namespace warpglass;

/// Milliseconds: on the wall, and of all the process's threads on their cores. The second is the steadier one
/// on a machine that has other work, and counts the recorder's thread in full.
struct StepTime {
    double wall = 0;
    double cpu = 0;
};

double cpuMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

StepTime unrecordedStep(TrainingRun& run, std::int64_t index) {
    const double cpu = cpuMilliseconds();
    const auto start = std::chrono::steady_clock::now();
    run.step(index);
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    return {wall.count(), cpuMilliseconds() - cpu};
}

/// Where it runs, and what it runs.
struct Subject {
    TrainingRun& run;
    Gpu* gpu = nullptr;
    Recorded recorded{};
    std::int64_t nextStep = 0;
};

std::vector<StepTime> unrecordedSteps(Subject& subject, int count) {
    std::vector<StepTime> times;
    for (int i = 0; i < count; ++i)
        times.push_back(unrecordedStep(subject.run, subject.nextStep++));
    if (count > 1)
        times.erase(times.begin());
    return times;
}

struct RecordedSteps {
    std::vector<StepTime> times;
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
};

/// `work` recorded, which takes `count` steps and returns their times.
template <class Work>
RecordedSteps recordedWhile(const Subject& subject, int count, Work work) {
    const bool memory = subject.recorded.has(Feature::kMemory);
    if (subject.gpu)
        subject.gpu->beginCapture(subject.recorded);
    Recorder recorder({}, subject.gpu ? subject.gpu->activity() : nullptr, subject.gpu != nullptr);
    if (!memory)
        recorder.leaveOutMemory();
    recorder.start();
    RecordedSteps steps;
    {
        const TorchObservers observers(subject.gpu ? 0 : -1, opsObserved(subject.recorded), memory);
        steps.times = work();
    }
    recorder.finish({});
    if (subject.gpu)
        subject.gpu->endCapture();
    const auto trace = recorder.feed()->latest();
    steps.events = (trace->spanCount() + trace->memoryEventCount()) / static_cast<std::uint64_t>(count);
    for (const LossCount& loss : trace->losses()) {
        // Memory that the unrecorded steps made is freed in recorded ones: no allocation of it can be known.
        std::fprintf(stderr, "lost: %lu x %s\n", static_cast<unsigned long>(loss.count), loss.name.c_str());
        steps.lost += loss.count;
    }
    return steps;
}

/// A run from its beginning, recorded or not, for a graph.
RecordedSteps wholeRun(const RunConfig& config, Gpu* gpu, bool recorded, int count) {
    TrainingRun run(config, gpu);
    Subject subject{run, gpu, config.recorded};
    const auto all = [&] {
        run.setUp();
        const std::vector<StepTime> times = unrecordedSteps(subject, count + 3);
        run.tearDown();
        return times;
    };
    RecordedSteps steps = recorded ? recordedWhile(subject, count, all) : RecordedSteps{.times = all()};
    steps.times.erase(steps.times.begin(), steps.times.begin() + 2);  // the first is gone already
    return steps;
}

struct Times {
    std::vector<double> wall, cpu;

    void add(const std::vector<StepTime>& times) {
        for (const StepTime& time : times) {
            wall.push_back(time.wall);
            cpu.push_back(time.cpu);
        }
    }
};

void report(const char* what, const std::vector<double>& recorded, const std::vector<double>& unrecorded) {
    const double a = bench::medianInterval(recorded).median, b = bench::medianInterval(unrecorded).median;
    std::printf("%-10s recorded %10.2f ms   unrecorded %10.2f ms   ratio of medians %.3f\n", what, a, b,
                a / b);
}

void reportAll(const Times& recorded, const Times& unrecorded, const RecordedSteps& last) {
    std::printf("%zu recorded and %zu unrecorded steps in turn; %lu events per step, %lu lost\n",
                recorded.wall.size(), unrecorded.wall.size(), static_cast<unsigned long>(last.events),
                static_cast<unsigned long>(last.lost));
    report("wall", recorded.wall, unrecorded.wall);
    report("CPU", recorded.cpu, unrecorded.cpu);
}

/// Steps that are recorded or not by turns, every other pair the other way round: `take(recorded)`.
template <class Take>
int measureInTurn(int pairs, Take take) {
    Times recorded, unrecorded;
    RecordedSteps last;
    for (int pair = 0; pair < pairs; ++pair) {
        for (int half = 0; half < 2; ++half) {
            const bool record = (pair + half) % 2 != 0;
            const RecordedSteps steps = take(record);
            (record ? recorded : unrecorded).add(steps.times);
            if (record)
                last = steps;
        }
    }
    reportAll(recorded, unrecorded, last);
    return 0;
}

int measure(const RunConfig& config, int pairs, int steps) {
    Gpu* gpu = config.onGpu() ? loadGpu().gpu : nullptr;
    if (config.onGpu() && !gpu) {
        std::fprintf(stderr, "%s\n", loadGpu().problem.c_str());
        return 1;
    }
    if (gpu && !gpu->select(0, {}))
        return 1;
    CaptureClock::calibrate();
    if (config.execution == Execution::kGraph) {
        wholeRun(config, gpu, true, steps);
        return measureInTurn(pairs, [&](bool record) { return wholeRun(config, gpu, record, steps); });
    }
    TrainingRun run(config, gpu);
    run.setUp();
    Subject subject{run, gpu, config.recorded};
    const auto take = [&](bool record) {
        const auto work = [&] { return unrecordedSteps(subject, steps); };
        return record ? recordedWhile(subject, steps, work) : RecordedSteps{.times = work()};
    };
    take(false);  // makes the optimizer's state and LibTorch's threads
    take(true);   // makes the names
    return measureInTurn(pairs, take);
}

}  // namespace

int main(int argc, char** argv) {
    RunConfig config;
    std::string attention = "naive", precision = "fp32", execution = "eager", record = "all", event;
    int pairs = 6, steps = 1;
    config.model = "small";
    CLI::App app("What recording a run costs");
    app.add_option("--model", config.model, "a preset");
    app.add_option("--context", config.context);
    app.add_option("--batch", config.batch);
    app.add_option("--attention", attention);
    app.add_option("--precision", precision);
    app.add_option("--device", config.device, "cpu or cuda:0");
    app.add_option("--execution", execution, "eager or graph");
    app.add_option("--record", record, "what is recorded: ops,memory,kernels,calls,waits");
    app.add_option("--event", event, "what one event costs: op, memory, module or phase");
    app.add_option("--pairs", pairs, "times that recorded and unrecorded steps follow each other")
        ->check(CLI::PositiveNumber);
    app.add_option("--steps", steps, "steps recorded before as many unrecorded ones")
        ->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    for (const auto& [key, word] : {std::pair{"model", config.model},
                                    {"attention", attention},
                                    {"precision", precision},
                                    {"execution", execution},
                                    {"record", record}}) {
        if (const Status taken = takeSetting(key, word, config); !taken) {
            std::fprintf(stderr, "%s\n", taken.message().c_str());
            return 2;
        }
    }
    if (!event.empty()) {
        const double cost = bench::eventCost(event, config.recorded != Recorded::none());
        std::printf("%.1f\n", cost);
        return cost < 0 ? 1 : 0;
    }
    for (const ConfigProblem& problem : validate(config)) {
        std::fprintf(stderr, "%s\n", problem.sentence.c_str());
        return 2;
    }
    return measure(config, pairs, steps);
}
