#include "engine/query/findings/run_sights.h"

#include "engine/base/format.h"
#include "engine/query/findings/run_facts.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/query/spans/kernel_title.h"

namespace warpglass {

std::optional<RunSight> largestWork(const RunFacts& facts) {
    const std::optional<RunFacts::NamedWork> largest = facts.largestWork();
    if (!largest || facts.stepTime() <= 0)
        return std::nullopt;
    const Snapshot& snapshot = facts.snapshot();
    const std::string name(snapshot.name(largest->name));
    RunSight sight;
    sight.title = kernelTitle(name, snapshot.name(largest->fullName));
    sight.workShare = largest->share;
    Finding& shown = sight.shown;
    shown.rule = facts.hasKernels() ? "largest-kernel" : "largest-op";
    shown.sentence = name + " takes " + inWords(largest->time) + " of each " + facts.stepInWords() +
                     ", more " +
                     (facts.hasKernels() ? "GPU time than any other kernel" : "CPU time than any other op") +
                     ": " + formatPercent(largest->share) + " of all.";
    shown.nsPerStep = largest->time;
    shown.stepShare = facts.shareOfStep(largest->time);
    shown.evidence = facts.evidenceOverSteps();
    shown.evidence.names = name;
    return sight;
}

std::optional<RunSight> highestMoment(const RunFacts& facts) {
    const auto why = explainPeak(facts.memory());
    if (!why)
        return std::nullopt;
    RunSight sight;
    sight.title = formatBytes(why->bytes);
    sight.shown.rule = "peak";
    sight.shown.sentence = why->shortSentence();
    sight.shown.bytes = why->bytes;
    sight.shown.peakShare = 1;
    sight.shown.evidence = facts.evidenceAtPeak();
    return sight;
}

}  // namespace warpglass
