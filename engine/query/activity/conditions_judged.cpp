#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "engine/base/format.h"
#include "engine/base/gpu_state.h"
#include "engine/query/activity/conditions.h"
#include "engine/query/spans/step_selection.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass {
namespace {

namespace limit = condition_limit;

/// GPUs have lower clocks; a file may say anything.
constexpr double kMostMegahertz = 1e6;

double numberOf(const RunInfo& info, std::string_view key, double most) {
    const std::string text = info.get(key);
    const double value = std::strtod(text.c_str(), nullptr);
    return value > 0 && value <= most ? value : 0;
}

/// "3.2", "4".
std::string coresText(double cores) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", cores);
    const std::string words = text;
    return words.ends_with(".0") ? words.substr(0, words.size() - 2) : words;
}

std::string coresOf(double used, double cores) {
    return coresText(used) + (cores > 0 ? " of " + coresText(cores) : std::string()) + " cores";
}

std::string clockText(double megahertz) {
    return formatGrouped(std::llround(megahertz)) + " MHz";
}

/// " (power cap)"; "" where nothing holds it down.
std::string reasonsIn(const Conditions& steps) {
    const std::string words = clockReasonsInWords(holdingDown(steps.clockReasons.value_or(0)));
    return words.empty() ? words : " (" + words + ")";
}

bool othersDisturb(const RunConditions& run) {
    return run.steps.othersCores && run.cores > 0 && *run.steps.othersCores >= limit::kLeastOthers &&
           run.cores - *run.steps.othersCores < limit::kCoresLeft * run.coresNeeded;
}

bool waitDisturbs(const RunConditions& run) {
    return run.steps.waitedShare.value_or(0) > limit::kWaited;
}

bool stealDisturbs(const RunConditions& run) {
    return run.steps.stolenCores.value_or(0) > limit::kStolen * std::max(1.0, run.coresNeeded);
}

bool clocksDiffer(double a, double b) {
    return std::abs(a - b) > limit::kClockDiffers * std::max(a, b);
}

/// "other programs used 3.2 of 4 cores and its thread waited 12% of the time for a core": what disturbs.
std::string hostWords(const RunConditions& run) {
    std::string words;
    if (othersDisturb(run))
        words = "other programs used " + coresOf(*run.steps.othersCores, run.cores);
    if (waitDisturbs(run))
        words.append(words.empty() ? "" : " and ")
            .append("the run's thread waited for a core " + formatPercent(*run.steps.waitedShare) +
                    " of the time");
    return words;
}

/// The same of a run that was not disturbed, for the sake of another that was.
std::string quietHostWords(const RunConditions& run) {
    if (run.steps.othersCores)
        return "other programs used " + coresOf(*run.steps.othersCores, run.cores);
    if (run.steps.waitedShare)
        return "the run's thread waited " + formatPercent(*run.steps.waitedShare) + " of the time";
    return "this was not recorded";
}

/// Which steps a run's figures are of.
std::string stepsOf(const RunConditions& run) {
    return run.measured ? "the measured steps" : "the warm-up steps";
}

/// What is known of the machine, and of no step yet.
RunConditions withoutSteps(const ConditionSeries& series, const RunInfo& info) {
    RunConditions run;
    run.sampled =
        !series.empty() || info.has(condition_key::kCores) || info.has(condition_key::kCoresAllowed);
    if (series.empty())
        return run;
    run.device = info.get("device.name");
    run.cores = numberOf(info, condition_key::kCores, limit::kMostCores);
    const double allowed = numberOf(info, condition_key::kCoresAllowed, limit::kMostCores);
    const double threads = numberOf(info, "threads", limit::kMostCores);
    run.coresNeeded = 1;
    if (!info.get("config.device").starts_with("cuda")) {
        run.coresNeeded = run.cores > 0 ? run.cores : limit::kMostCores;
        for (const double bound : {allowed, threads}) {
            if (bound > 0)
                run.coresNeeded = std::min(run.coresNeeded, bound);
        }
    }
    if (const double clock = numberOf(info, condition_key::kMaxSmClock, kMostMegahertz); clock > 0)
        run.maxSmClock = clock;
    return run;
}

}  // namespace

bool RunConditions::hostDisturbs() const {
    return othersDisturb(*this) || waitDisturbs(*this);
}

bool RunConditions::clockIsHeldDown() const {
    return steps.smClock && maxSmClock && holdingDown(steps.clockReasons.value_or(0)) != 0 &&
           *steps.smClock < limit::kHeldDown * *maxSmClock;
}

std::vector<std::string> RunConditions::cautions() const {
    std::vector<std::string> sentences;
    if (hostDisturbs())
        sentences.push_back("The host was busy: in " + stepsOf(*this) + " " + hostWords(*this) +
                            ", so times are longer than on an idle host.");
    if (stealDisturbs(*this))
        sentences.push_back("The hypervisor gave " + coresOf(*steps.stolenCores, cores) +
                            " to other machines in " + stepsOf(*this) +
                            ", so times are longer than on an idle host.");
    if (steps.throttledShare.value_or(0) > limit::kThrottled)
        sentences.push_back("A CPU quota held the run back for " + formatPercent(*steps.throttledShare) +
                            " of " + stepsOf(*this) + ".");
    if (clockIsHeldDown())
        sentences.push_back("The GPU's clock was held down" + reasonsIn(steps) + ": " +
                            clockText(*steps.smClock) + " in " + stepsOf(*this) + ", of " +
                            clockText(*maxSmClock) + " at most.");
    if (slowestStepClock && fastestStepClock && clocksDiffer(*slowestStepClock, *fastestStepClock))
        sentences.push_back("The GPU's clock was not the same throughout " + stepsOf(*this) + ": " +
                            clockText(*slowestStepClock) + " to " + clockText(*fastestStepClock) +
                            ", so their times would differ even if nothing else did.");
    return sentences;
}

std::string RunConditions::inWords() const {
    std::string words;
    const auto add = [&words](const std::string& part) {
        words.append(words.empty() ? "" : " · ").append(part);
    };
    if (steps.othersCores)
        add("other programs used " + coresOf(*steps.othersCores, cores));
    if (steps.waitedShare)
        add(*steps.waitedShare < 0.01
                ? "the run's thread hardly waited for a core"
                : "the run's thread waited for a core " + formatPercent(*steps.waitedShare) + " of the time");
    if (steps.stolenCores && stealDisturbs(*this))
        add("the hypervisor took " + coresOf(*steps.stolenCores, cores));
    if (steps.throttledShare && *steps.throttledShare > 0)
        add("a CPU quota held it back " + formatPercent(*steps.throttledShare) + " of the time");
    if (steps.smClock)
        add("SM clock " +
            (maxSmClock ? formatGrouped(std::llround(*steps.smClock)) + " of " + clockText(*maxSmClock)
                        : clockText(*steps.smClock)) +
            reasonsIn(steps));
    if (steps.temperature)
        add(std::to_string(std::llround(*steps.temperature)) + " °C");
    if (steps.power)
        add(std::to_string(std::llround(*steps.power)) + " W");
    if (steps.gpuProcesses && *steps.gpuProcesses > 1)
        add(std::to_string(*steps.gpuProcesses) + " programs on the GPU");
    return words;
}

std::string RunConditions::disturbance() const {
    return hostWords(*this);
}

RunConditions conditionsOf(const Snapshot& snapshot) {
    const ConditionSeries series(snapshot);
    RunConditions run = withoutSteps(series, snapshot.info());
    if (series.empty())
        return run;
    run.measured = stepsToAverage(snapshot).measured;
    std::vector<TimeRange> ranges;
    for (const StepSpan& step : averagedSteps(snapshot)) {
        ranges.push_back(step.range);
        const auto clock = series.in(step.range).smClock;
        if (!clock)
            continue;
        run.slowestStepClock = std::min(run.slowestStepClock.value_or(*clock), *clock);
        run.fastestStepClock = std::max(run.fastestStepClock.value_or(*clock), *clock);
    }
    if (!ranges.empty())
        run.steps = series.over(ranges);
    return run;
}

RunConditions conditionsIn(const Snapshot& snapshot, TimeRange range) {
    const ConditionSeries series(snapshot);
    RunConditions run = withoutSteps(series, snapshot.info());
    run.steps = series.in(range);
    return run;
}

RunConditions hostConditions(const HostLoad& before, const HostLoad& after, Nanoseconds passed, double cores,
                             double coresNeeded) {
    constexpr std::int64_t kLeast = 1'000'000'000;  // ns
    RunConditions run;
    run.cores = cores;
    run.coresNeeded = coresNeeded;
    if (passed.value < kLeast || !before.busy || !after.busy || !before.own || !after.own)
        return run;
    const Nanoseconds others = (*after.busy - *before.busy) - (*after.own - *before.own);
    run.steps.othersCores =
        std::max(0.0, static_cast<double>(others.value) / static_cast<double>(passed.value));
    return run;
}

std::vector<std::string> comparedConditions(const RunConditions& a, const RunConditions& b) {
    std::vector<std::string> sentences;
    const bool busyA = a.hostDisturbs(), busyB = b.hostDisturbs();
    if (busyA && busyB) {
        sentences.push_back("The host was busy in both runs: in A's steps " + hostWords(a) + "; in B's " +
                            hostWords(b) + ". Part of the difference may be due to that.");
    } else if (busyA || busyB) {
        const RunConditions& quiet = busyA ? b : a;
        sentences.push_back(std::string("The host was busy in ") + (busyA ? "A's" : "B's") +
                            " steps: " + hostWords(busyA ? a : b) + "; in " + (busyA ? "B's " : "A's ") +
                            quietHostWords(quiet) + ". Part of the difference may be due to that.");
    }
    for (const auto& [run, name] : {std::pair{&a, "A"}, std::pair{&b, "B"}}) {
        if (stealDisturbs(*run))
            sentences.push_back(std::string("The hypervisor gave ") +
                                coresOf(*run->steps.stolenCores, run->cores) + " to other machines in " +
                                name + "'s steps.");
        if (run->steps.throttledShare.value_or(0) > limit::kThrottled)
            sentences.push_back(std::string("A CPU quota held ") + name + " back for " +
                                formatPercent(*run->steps.throttledShare) + " of its steps.");
    }
    const bool known = a.steps.smClock && b.steps.smClock;
    // Other devices have other clocks: that is no condition.
    if (known && a.device == b.device && clocksDiffer(*a.steps.smClock, *b.steps.smClock)) {
        sentences.push_back("The GPU's clock was not the same: " + clockText(*a.steps.smClock) +
                            " in A's steps" + reasonsIn(a.steps) + ", " + clockText(*b.steps.smClock) +
                            " in B's" + reasonsIn(b.steps) + ". Part of the difference may be due to that.");
        return sentences;
    }
    for (const auto& [run, name] : {std::pair{&a, "A"}, std::pair{&b, "B"}}) {
        if (run->clockIsHeldDown())
            sentences.push_back(std::string("The GPU's clock was held down in ") + name + "'s steps" +
                                reasonsIn(run->steps) + ": " + clockText(*run->steps.smClock) + " of " +
                                clockText(*run->maxSmClock) + ".");
    }
    return sentences;
}

std::string joinedSentences(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text.append(text.empty() ? "" : " ").append(sentence);
    return text;
}

}  // namespace warpglass
