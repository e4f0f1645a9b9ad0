#include "engine/query/compare/comparison_notes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/format.h"
#include "engine/plan/run_config.h"
#include "engine/query/activity/conditions.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/step_selection.h"
#include "engine/query/summary/out_of_memory.h"

namespace warpglass {
namespace {

using Sentences = std::vector<std::string>;
using Run = std::shared_ptr<const Snapshot>;

std::string modeWords(const std::string& mode) {
    constexpr std::array<std::string_view, 3> kWords = {"a forward pass", "a forward and backward pass",
                                                        "a training step"};
    const auto found = std::ranges::find(kModeNames, mode);
    return found == kModeNames.end()
               ? settingText(mode)
               : std::string(kWords.at(static_cast<std::size_t>(found - kModeNames.begin())));
}

/// What its file lacks, and so what does not compare.
void addMissing(const char* name, const MissingRecords& missing, Sentences& notes) {
    if (!missing.any())
        return;
    const std::string words = missingInWords(missing);
    std::string sentence = std::string("Part of ") + name + " is missing" +
                           (words.empty() ? " from its file" : " from its file: " + words);
    std::vector<const char*> lost;
    if (missing.lacksGpuWork())
        lost.push_back("the GPU's time");
    if (missing.lacks(RecordKind::kOps))
        lost.push_back("the time of ops");
    if (missing.lacksMemory())
        lost.push_back("memory");
    for (std::size_t i = 0; i < lost.size(); ++i)
        sentence.append(i == 0 ? "; not compared: " : ", ").append(lost[i]);
    notes.push_back(sentence + ".");
}

void addModes(const Snapshot& a, const Snapshot& b, Sentences& notes) {
    const std::string modeA = a.info().get("config.mode"), modeB = b.info().get("config.mode");
    if (modeA != modeB && !modeA.empty() && !modeB.empty())
        notes.push_back("A runs " + modeWords(modeA) + ", B " + modeWords(modeB) +
                        ": whole steps are different work, so the headline compares what both do.");
}

/// What became of a run that has no complete measured step, or did not end by itself.
void addState(const char* name, const Run& run, Sentences& notes) {
    const StepSelection steps = stepsToAverage(*run);
    const std::string state = run->info().get("state");
    std::string sentence = name;
    if (state == run_state::kFailed) {
        MemoryTimeline timeline;
        timeline.update(run);
        const std::optional<OutOfMemory> failure = outOfMemory(timeline);
        sentence += failure ? " ran out of memory" : " failed";
        if (failure)
            sentence += " " + placeInWords(*failure);
    } else if (state == run_state::kStopped) {
        sentence += " was stopped";
    } else if (steps.measured) {
        return;
    }
    const bool told = sentence.size() > 1;
    if (steps.count == 0)
        sentence += told ? " and completed no step: its memory compares, its times do not."
                         : " has no complete step: its memory compares, its times do not.";
    else if (!steps.measured)
        sentence += std::string(told ? " and" : "") +
                    " has no measured step: its warm-up steps stand in, which first uses make slow.";
    else
        sentence +=
            ": its " + std::to_string(steps.count) +
            (steps.count == 1 ? " complete measured step counts." : " complete measured steps count.");
    notes.push_back(sentence);
}

void addDevices(const RunComparison& comparison, const Snapshot& a, const Snapshot& b, Sentences& notes) {
    if (comparison.mixed()) {
        notes.push_back(std::string("Only ") + (comparison.gpuA ? "A" : "B") +
                        " has kernels of a GPU, so kernels do not compare: of ops, modules and phases the "
                        "time of what they launched there stands against the other's CPU time.");
        return;
    }
    const std::string deviceA = a.info().get("device.name"), deviceB = b.info().get("device.name");
    if (deviceA != deviceB && !deviceA.empty() && !deviceB.empty())
        notes.push_back("A ran on " + settingText(deviceA) + ", B on " + settingText(deviceB) + ".");
}

/// What neither chose: LibTorch and what it stands on, and what it took for attention that was left to it.
void addSoftware(const Snapshot& a, const Snapshot& b, Sentences& notes) {
    std::string ofA, ofB;
    for (const auto& [key, name] :
         {std::pair{"torch.version", "LibTorch "}, std::pair{"cuda.runtime", "CUDA "},
          std::pair{"cuda.driver", "a driver for CUDA "}, std::pair{"warpglass.version", "Warpglass "}}) {
        const std::string versionA = a.info().get(key), versionB = b.info().get(key);
        if (versionA == versionB || versionA.empty() || versionB.empty())
            continue;
        ofA.append(ofA.empty() ? "" : ", ").append(name).append(settingText(versionA));
        ofB.append(ofB.empty() ? "" : ", ").append(name).append(settingText(versionB));
    }
    if (!ofA.empty())
        notes.push_back("A ran with " + ofA + "; B with " + ofB + ".");
    const std::string chosenA = a.info().get("attention.backend"),
                      chosenB = b.info().get("attention.backend");
    const bool leftToIt = a.info().get("config.attention") == b.info().get("config.attention");
    if (leftToIt && chosenA != chosenB && !chosenA.empty() && !chosenB.empty())
        notes.push_back("LibTorch chose " + settingText(chosenA) + " for A's attention, " +
                        settingText(chosenB) + " for B's.");
}

void addTokens(const Snapshot& a, const Snapshot& b, Sentences& notes) {
    const auto tokensA = tokensPerStep(a), tokensB = tokensPerStep(b);
    const bool timed = stepsToAverage(a).count > 0 && stepsToAverage(b).count > 0;
    if (timed && tokensA && tokensB && tokensA != tokensB)
        notes.push_back("A step of A is " + formatGrouped(*tokensA) + " tokens, of B " +
                        formatGrouped(*tokensB) + ": per token they compare.");
}

void addModules(const RunComparison& comparison, Sentences& notes) {
    const auto& rows = comparison.mixed()                                  ? comparison.mixedModules
                       : comparison.gpuA && !comparison.gpuModules.empty() ? comparison.gpuModules
                                                                           : comparison.modules;
    std::size_t inA = 0, inB = 0, inBoth = 0;
    for (const ComparisonRow& row : rows) {
        if (row.name.starts_with('(') || row.isUnknown())
            continue;
        inA += row.inA && !row.inB;
        inB += row.inB && !row.inA;
        inBoth += row.inA && row.inB;
    }
    if (inBoth == 0 || inA + inB == 0)
        return;
    const auto only = [](std::size_t count, const char* name, const char* mark) {
        return std::to_string(count) + (count == 1 ? " module is" : " modules are") + " in " + name +
               " only (\"" + mark + "\")";
    };
    std::string sentence = inA > 0 ? only(inA, "A", "gone") : std::string();
    if (inB > 0)
        sentence.append(inA > 0 ? ", " : "").append(only(inB, "B", "new"));
    notes.push_back(sentence + ".");
}

bool hasSingleStep(const Snapshot& run) {
    return hasMeasuredSteps(run) && stepsToAverage(run).count == 1;
}

}  // namespace

bool isSameRun(const Snapshot& a, const Snapshot& b) {
    return &a == &b || (a.info().has("time.started") && a.info().pairs() == b.info().pairs() &&
                        a.range() == b.range() && a.trackCount() == b.trackCount());
}

Sentences comparisonCautions(const Snapshot& a, const Snapshot& b) {
    if (isSameRun(a, b))
        return {};
    Sentences cautions = comparedConditions(conditionsOf(a), conditionsOf(b));
    const bool singleA = hasSingleStep(a), singleB = hasSingleStep(b);
    if (singleA || singleB)
        cautions.push_back((singleA && singleB ? "Only one step of each run was measured"
                                               : std::string("Only one step of ") + (singleA ? "A" : "B") +
                                                     " was measured") +
                           ": how much steps differ is not known, and a small difference may be chance.");
    return cautions;
}

Sentences comparisonNotes(const RunComparison& comparison, Run a, Run b) {
    Sentences notes;
    if (isSameRun(*a, *b))
        notes.push_back("A and B are the same run: what differs are the steps, if two are chosen.");
    addMissing("A", comparison.missingA, notes);
    addMissing("B", comparison.missingB, notes);
    addModes(*a, *b, notes);
    addState("A", a, notes);
    addState("B", b, notes);
    addTokens(*a, *b, notes);
    addDevices(comparison, *a, *b, notes);
    addSoftware(*a, *b, notes);
    addModules(comparison, notes);
    return notes;
}

}  // namespace warpglass
