#include "engine/query/compare/comparison_headline.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <set>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/plan/settings.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/step_spans.h"
#include "engine/query/spans/work_times.h"
#include "engine/query/statistics/phase_samples.h"
#include "engine/query/statistics/statistics.h"
#include "engine/query/statistics/step_table.h"

namespace warpglass {
namespace {

constexpr std::string_view kHeadlineDot = " · ";

/// One step, or nothing for the mean of the measured ones.
using OneStep = std::optional<std::int32_t>;

std::optional<double> matmulShare(const Snapshot& run, const std::vector<WorkRow>& work,
                                  const MissingRecords& missing, const OneStep& step) {
    // There is no such share for a step that was cut off.
    if (step ? !completeSteps(run).contains(*step) : averagedSteps(run).empty())
        return std::nullopt;
    const bool lost = Completeness(run).absenceOf(DataKind::kKernels) == Absence::kLost;
    if (lost || missing.lacks(hasKernels(run) ? RecordKind::kKernels : RecordKind::kOps))
        return std::nullopt;
    double all = 0, products = 0;
    for (const WorkRow& row : work) {
        if (row.copy)
            continue;  // no kernel
        const auto time = static_cast<double>(row.time);
        all += time;
        products += familyOf(run, row) == OpFamily::kMatmul ? time : 0;
    }
    return all > 0 ? std::optional(products / all) : std::nullopt;
}

const ComparisonRow* rowNamed(const std::vector<ComparisonRow>& rows, std::string_view name) {
    const auto row = std::ranges::find(rows, name, &ComparisonRow::name);
    return row == rows.end() ? nullptr : &*row;
}

/// "1.93".
std::string factor(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    return text;
}

/// "−25%", "+60%", and from twice as much on "2.50×".
std::string change(double ratio) {
    if (ratio >= 2 || factor(ratio) == "1.00")
        return factor(ratio) + "×";
    return (ratio < 1 ? "−" : "+") + formatPercent(std::abs(ratio - 1));
}

std::string duration(double ns) {
    return formatDuration(Nanoseconds(std::llround(ns)));
}

std::string bytes(double value) {
    return formatBytes(Bytes(std::llround(value)));
}

/// The passes that runs of both modes do, by the name of the narrower; "" where a run does not say its mode.
std::string commonPasses(const std::string& a, const std::string& b) {
    for (const Mode mode : {Mode::kForward, Mode::kForwardBackward, Mode::kStep}) {
        const std::string_view name = modeName(mode);
        if (name == a || name == b)
            return mode == Mode::kForward           ? "forward"
                   : mode == Mode::kForwardBackward ? "forward and backward"
                                                    : "step";
    }
    return {};
}

/// ns by the phase's name: in the mean of the measured steps, or in the one.
std::map<std::string, double, std::less<>> phaseTimes(const Snapshot& run, TrackKind clock,
                                                      const OneStep& step) {
    std::map<std::string, double, std::less<>> times;
    if (!step) {
        const std::vector<StatisticsRow> rows = phaseStatistics(run, clock);
        const auto ofStep = rows.empty() ? 0 : rows.back().instances;
        for (const StatisticsRow& row : rows) {
            if (ofStep > 0)
                times[row.name] = static_cast<double>(row.total.value) / static_cast<double>(ofStep);
        }
        return times;
    }
    forEachRow(run, clock, [&](const SpanChunk& chunk, std::uint32_t i) {
        if (chunk.step[i] == *step)
            times[std::string(run.name(NameId(chunk.name[i])))] += static_cast<double>(chunk.duration[i]);
    });
    return times;
}

/// Nothing where a phase of it is missing.
std::optional<double> timeOfPasses(const Snapshot& run, TrackKind clock, bool backward, const OneStep& step) {
    double time = 0;
    const auto times = phaseTimes(run, clock, step);
    const auto add = [&](Phase phase, bool needed) {
        const auto found = times.find(phaseName(phase));
        time += found != times.end() ? found->second : 0;
        return found != times.end() || !needed;
    };
    bool all = add(Phase::kForward, true);
    if (backward)
        all = add(Phase::kLoss, false) && add(Phase::kBackward, true) && all;
    return all && time > 0 ? std::optional(time) : std::nullopt;
}

/// The passes' time in each step that means are taken over; nothing where one of these lacks a pass.
SampleMean passesOf(const Snapshot& run, TrackKind clock, bool backward) {
    const std::size_t steps = averagedSteps(run).size();
    int needed = backward ? 2 : 1;  // of forward and backward; not every run has a loss
    std::map<std::int32_t, double> times;
    for (const PhaseSamples& phase : phaseSamples(run, clock)) {
        const bool taken = phase.phase == Phase::kForward ||
                           (backward && (phase.phase == Phase::kLoss || phase.phase == Phase::kBackward));
        if (!taken || phase.counted == 0)
            continue;
        std::set<std::int32_t> found;
        for (const PhaseSample& sample : phase.samples) {
            if (!sample.counted)
                continue;
            found.insert(sample.step);
            times[sample.step] += static_cast<double>(sample.duration.value);
        }
        if (found.size() != steps)
            return {};
        needed -= phase.phase == Phase::kLoss ? 0 : 1;
    }
    if (needed > 0)
        return {};
    auto samples = mapped<double>(times, [&](const auto& each) { return each.second; });
    return meanOf(samples);
}

/// By the clock of what did the work: the host goes through a GPU's phases as fast as it launches. `means` of
/// the same clock, unless of one step.
void timePasses(const Snapshot& run, bool backward, const OneStep& step, std::optional<double>& time,
                SampleMean& means) {
    if (step && !completeSteps(run).contains(*step))
        return;
    TrackKind clock = TrackKind::kGpuPhase;  // CUDA's events are there without kernels, too
    time = timeOfPasses(run, clock, backward, step);
    if (!time && !hasKernels(run)) {
        clock = TrackKind::kPhase;
        time = timeOfPasses(run, clock, backward, step);
    }
    if (time && !step)
        means = passesOf(run, clock, backward);
}

SampleMean stepsOf(const Snapshot& run) {
    std::vector<double> samples;
    for (const StepSpan& step : averagedSteps(run))
        samples.push_back(static_cast<double>(step.range.duration().value));
    return meanOf(samples);
}

void compareCommonPasses(ComparisonHeadline& headline, const Snapshot& a, const Snapshot& b) {
    const std::string modeA = a.info().get("config.mode"), modeB = b.info().get("config.mode");
    if (modeA == modeB || modeA.empty() || modeB.empty())
        return;
    headline.unlikeModes = true;
    headline.common = commonPasses(modeA, modeB);
    const bool backward = headline.common != "forward";
    timePasses(a, backward, headline.oneA, headline.commonA, headline.passesA);
    timePasses(b, backward, headline.oneB, headline.commonB, headline.passesB);
}

/// Whether what nobody set tells in the times too. A run on another kind of device has other names for these.
bool onOtherGround(const RunInfo& a, const RunInfo& b) {
    const bool sameKind = a.get("config.device") == b.get("config.device");
    return a.get("torch.version") != b.get("torch.version") ||
           (sameKind &&
            (a.get("device.name") != b.get("device.name") || a.get("cuda.runtime") != b.get("cuda.runtime")));
}

/// The one setting that is another; a run of other passes, or of more steps, is not named by that, nor one
/// that might have had more memory.
std::string subjectOf(const std::vector<RunComparison::Setting>& settings,
                      std::string RunComparison::Setting::*side) {
    constexpr std::string_view kPrefix = "config.";
    std::string subject;
    for (const RunComparison::Setting& setting : settings) {
        const Setting* known = findSetting(setting.key);
        const Subject kind = known ? known->subject : Subject::kNamed;
        if (kind == Subject::kAside)
            continue;
        const std::string value = settingWords(setting, setting.*side);
        if (!subject.empty() || value.empty() || kind == Subject::kNone)
            return {};
        std::string key = setting.key.substr(kPrefix.size());  // they all begin with it
        std::replace(key.begin(), key.end(), '-', ' ');
        subject = kind == Subject::kValue ? value : key + " " + value;
    }
    return subject;
}

/// "275 ms ± 52.0 ms".
std::string withSpread(double mean, const SampleMean& of) {
    return duration(mean) + " ± " + duration(of.standardDeviation);
}

SampleMean perToken(SampleMean of, std::int64_t tokens) {
    of.mean /= static_cast<double>(tokens);
    of.standardDeviation /= static_cast<double>(tokens);
    return of;
}

struct ComparedTimes {
    double a = 0, b = 0;       // ns
    SampleMean ofA, ofB;       // what they are means of; empty: not judged
    std::string unitA, unitB;  // " per step"
};

/// Whether the difference may be chance: not told apart by Welch's test, and no more than both deviate. Of
/// two or three steps the test alone lets pass what nobody takes for chance.
bool isWithinSteps(const SampleMean& a, const SampleMean& b) {
    return isWithinSpread(a, b) && std::abs(a.mean - b.mean) <= a.standardDeviation + b.standardDeviation;
}

/// "1.93× faster", "as fast", "1.04× slower, within the spread of their steps".
ComparisonHeadline::Part timePart(const std::string& subject, const ComparedTimes& times) {
    const auto& [a, b, ofA, ofB, unitA, unitB] = times;
    const bool faster = b <= a;
    const std::string by = factor(faster ? a / b : b / a);
    const bool alike = by == "1.00";
    const std::string lead =
        subject + (alike ? std::string("as fast") : by + "× " + (faster ? "faster" : "slower"));
    if (!alike && isWithinSteps(ofA, ofB))
        return {lead + ", within the spread of their steps",
                ": " + withSpread(b, ofB) + unitB + " against " + withSpread(a, ofA) + unitA, 0};
    return {lead, ": " + duration(b) + unitB + " against " + duration(a) + unitA,
            alike    ? 0
            : faster ? -1
                     : 1};
}

/// The time of a step that ran to its end.
std::optional<double> timeOfStep(const Snapshot& run, std::int32_t step) {
    if (!completeSteps(run).contains(step))
        return std::nullopt;
    for (const StepSpan& span : endedSteps(run)) {
        if (span.step == step)
            return static_cast<double>(span.range.duration().value);
    }
    return std::nullopt;
}

/// "launch-bound" of "launch-bound (the GPU waits for the host 63% of the step)".
std::string kindOfBound(const std::string& bound) {
    return bound.substr(0, bound.find(" ("));
}

/// "launch-bound (the GPU waits for the host 63% and 69% of the step)", of runs whose bounds differ in one
/// word.
std::string bothBounds(const std::string& a, const std::string& b) {
    if (a == b)
        return a;
    const std::size_t shorter = std::min(a.size(), b.size());
    std::size_t begin = 0, end = 0;  // as many as are alike from the front, and from the back
    while (begin < shorter && a[begin] == b[begin])
        ++begin;
    begin = begin == 0 ? 0 : a.rfind(' ', begin - 1) + 1;
    while (end < shorter - begin && a[a.size() - 1 - end] == b[b.size() - 1 - end])
        ++end;
    end = a.size() - std::min(a.find(' ', a.size() - end), a.size());
    return a.substr(0, a.size() - end) + " and " + b.substr(begin);
}

/// ", but launch-bound (the GPU waits …) where fp32 was GPU-bound": what bounds B, and A where that differs;
/// of runs bound alike only that the host keeps both waiting, unless all is said.
std::string boundsAfterTime(const ComparisonHeadline& headline, int trend,
                            ComparisonHeadline::Length length) {
    using Length = ComparisonHeadline::Length;
    const auto &a = headline.boundA, &b = headline.boundB;
    const std::string kindA = kindOfBound(a), kindB = kindOfBound(b);
    const std::string nameA = headline.subjectA.empty() ? "A" : headline.subjectA;
    const bool full = length == Length::kFull;
    if (b.empty())
        return full && !a.empty() ? ", where " + nameA + " was " + a : "";
    const auto waits = [](const std::string& kind) { return kind.starts_with("launch-bound"); };
    if (kindA == kindB && !full && !waits(kindB))
        return {};
    if (kindA == kindB)
        return ", both " + (length < Length::kSentence ? kindB : bothBounds(a, b));
    const std::string lead = trend < 0 && waits(kindB) && !waits(kindA) ? ", but " : ", and ";
    if (length < Length::kSentence)
        return lead + kindB;
    return lead + b + (a.empty() ? "" : " where " + nameA + " was " + (full ? a : kindA));
}

/// "A is GPU-bound (…); B is launch-bound (…)": where no times of whole steps stand for the runs.
std::string boundsAlone(const std::string& a, const std::string& b) {
    if (a == b)
        return a.empty() ? "" : "A and B are " + a;
    return (a.empty() ? "" : "A is " + a) + (a.empty() || b.empty() ? "" : "; ") +
           (b.empty() ? "" : "B is " + b);
}

/// "peak memory −39%". Precondition: both peaks are known, A's is not 0.
ComparisonHeadline::Part peakPart(const ComparisonHeadline& of) {
    const double ratio = *of.peakB / *of.peakA;
    // The peak of a run that ended too early is at least this.
    const std::string bound = of.peakAtLeastA == of.peakAtLeastB ? "" : of.peakAtLeastB ? "≥ " : "≤ ";
    const auto figure = [](double peak, bool atLeast) { return (atLeast ? "at least " : "") + bytes(peak); };
    return {"peak memory " + bound + change(ratio),
            ": " + figure(*of.peakB, of.peakAtLeastB) + " against " + figure(*of.peakA, of.peakAtLeastA),
            factor(ratio) == "1.00" || !of.peakDecided ? 0
            : *of.peakB < *of.peakA                    ? -1
                                                       : 1};
}

void compareSteps(ComparisonHeadline& headline, const RunComparison& comparison, const Snapshot& a,
                  const Snapshot& b) {
    if (headline.oneA && headline.oneB) {
        headline.stepA = timeOfStep(a, *headline.oneA);
        headline.stepB = timeOfStep(b, *headline.oneB);
    } else if (const ComparisonRow* step = rowNamed(comparison.phases, kStepRow)) {
        // A warm-up step may take a hundred times as long as those that were to be measured.
        headline.stepA = step->inA && hasMeasuredSteps(a) ? std::optional(step->a) : std::nullopt;
        headline.stepB = step->inB && hasMeasuredSteps(b) ? std::optional(step->b) : std::nullopt;
        headline.stepsA = stepsOf(a);
        headline.stepsB = stepsOf(b);
    }
}

}  // namespace

ComparisonHeadline headlineOf(const RunComparison& comparison, const Snapshot& a, const Snapshot& b,
                              const ComparisonScope& scope) {
    ComparisonHeadline headline;
    if (scope.steps == ComparisonScope::Steps::kOne) {
        headline.oneA = scope.stepA;
        headline.oneB = scope.stepB;
    }
    const auto measured = [](const Snapshot& run, const OneStep& step) {
        return !step || stepState(run, *step) == StepState::kMeasured;
    };
    if (!onOtherGround(a.info(), b.info()) && measured(a, headline.oneA) && measured(b, headline.oneB))
        headline.subject = subjectOf(comparison.settings, &RunComparison::Setting::b);
    if (!headline.subject.empty())
        headline.subjectA = subjectOf(comparison.settings, &RunComparison::Setting::a);
    compareSteps(headline, comparison, a, b);
    if (const ComparisonRow* peak = rowNamed(comparison.categories, "peak")) {
        headline.peakA = peak->inA && !peak->recordsLostA ? std::optional(peak->a) : std::nullopt;
        headline.peakB = peak->inB && !peak->recordsLostB ? std::optional(peak->b) : std::nullopt;
        headline.peakAtLeastA = peak->atLeastA;
        headline.peakAtLeastB = peak->atLeastB;
        headline.peakDecided = peak->isDecided();
    }
    compareCommonPasses(headline, a, b);
    if (const auto tokensA = tokensPerStep(a), tokensB = tokensPerStep(b); tokensA != tokensB) {
        headline.tokensA = tokensA;
        headline.tokensB = tokensB;
    }
    headline.shareOf = hasKernels(a) && hasKernels(b) ? "GPU time" : "busy time";
    headline.matmulShareA = matmulShare(a, comparison.workA, comparison.missingA, headline.oneA);
    headline.matmulShareB = matmulShare(b, comparison.workB, comparison.missingB, headline.oneB);
    return headline;
}

std::vector<ComparisonHeadline::Part> ComparisonHeadline::parts(Length length) const {
    std::vector<Part> parts;
    const auto known = [](const std::optional<double>& a, const std::optional<double>& b) {
        return a && b && *a > 0 && *b > 0;
    };
    const auto ofStep = [](const OneStep& step) { return step ? " in step " + std::to_string(*step) : ""; };
    // What bounds the runs holds of their measured steps, not of one of them.
    const bool steps = !unlikeModes && known(stepA, stepB), bounds = steps && !oneA && !oneB;
    if (steps)
        parts.push_back(
            timePart(subject.empty() ? "" : subject + " is ",
                     {*stepA, *stepB, stepsA, stepsB, ofStep(oneA), oneB ? ofStep(oneB) : " per step"}));
    if (unlikeModes && known(commonA, commonB))
        parts.push_back(
            timePart(common + " ", {*commonA, *commonB, passesA, passesB, ofStep(oneA), ofStep(oneB)}));
    if (tokensA && tokensB && *tokensA > 0 && *tokensB > 0) {
        const auto& timeA = unlikeModes ? commonA : stepA;
        const auto& timeB = unlikeModes ? commonB : stepB;
        if (known(timeA, timeB))
            parts.push_back(timePart("per token ", {*timeA / static_cast<double>(*tokensA),
                                                    *timeB / static_cast<double>(*tokensB),
                                                    perToken(unlikeModes ? passesA : stepsA, *tokensA),
                                                    perToken(unlikeModes ? passesB : stepsB, *tokensB),
                                                    {},
                                                    {}}));
    }
    if (peakA && peakB && *peakA > 0)
        parts.push_back(peakPart(*this));
    if (length == Length::kBrief) {
        for (Part& part : parts)
            part.rest.clear();
    }
    if (bounds)
        parts.front().rest += boundsAfterTime(*this, parts.front().trend, length);
    else if (const std::string alone = boundsAlone(boundA, boundB);
             !alone.empty() && length >= Length::kSentence)
        parts.push_back({alone, "", 0});
    const bool brief = length != Length::kFull && !(boundA.empty() && boundB.empty());
    if (matmulShareA && matmulShareB && !brief)
        parts.push_back({"GEMM share of " + std::string(shareOf) + ": " + formatPercent(*matmulShareA) +
                             " → " + formatPercent(*matmulShareB),
                         "", 0});
    return parts;
}

std::string ComparisonHeadline::text(Length length) const {
    std::string line;
    for (const Part& part : parts(length))
        line.append(line.empty() ? "" : kHeadlineDot).append(part.lead).append(part.rest);
    return line;
}

}  // namespace warpglass
