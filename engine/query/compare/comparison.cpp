#include "engine/query/compare/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engine/base/format.h"
#include "engine/base/parallel.h"
#include "engine/plan/settings.h"
#include "engine/query/compare/comparison_figures.h"
#include "engine/query/compare/comparison_memory.h"
#include "engine/query/compare/scoped_steps.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/model/roofline.h"
#include "engine/query/model/shared_work.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/statistics/step_table.h"
#include "engine/query/summary/out_of_memory.h"

namespace warpglass {

namespace {

// MFU of two runs side by side. Each states the ceilings that were known when it ran, which a faster run may
// have raised since: runs of one device and precision are held against one roof, or their ratio would be that
// of the roofs.
struct UtilizationComparison {
    /// By "measured ceiling" and "data sheet", where known.
    ComparedFigures a, b;
    /// What roof, or which two, the measured shares are of, where that is not plain; a sentence or "".
    std::string note;
};

/// Whether one roof is true of both.
bool shareARoof(const Snapshot& a, const Snapshot& b) {
    const std::string device = a.info().get("device.name");
    const auto configA = configOfRun(a), configB = configOfRun(b);
    return !device.empty() && device == b.info().get("device.name") && configA && configB &&
           configA->precision == configB->precision;
}

ComparedFigures figuresOf(const std::optional<ModelUtilization>& mfu) {
    ComparedFigures figures;
    if (const auto share = mfu ? mfu->ofMeasured() : std::nullopt)
        figures["measured ceiling"] = *share;
    if (const auto share = mfu ? mfu->ofDataSheet() : std::nullopt)
        figures["data sheet"] = *share;
    return figures;
}

/// Compares the utilization of two runs; a run without one has no figures.
UtilizationComparison compareUtilization(const Snapshot& runA, std::optional<ModelUtilization> a,
                                         const Snapshot& runB, std::optional<ModelUtilization> b) {
    UtilizationComparison comparison;
    if (a && b && a->ceilings.measured.flopsPerSecond && b->ceilings.measured.flopsPerSecond) {
        double &roofA = *a->ceilings.measured.flopsPerSecond, &roofB = *b->ceilings.measured.flopsPerSecond;
        const double higher = std::max(roofA, roofB);
        const std::string ofA = formatFlopRate(roofA), ofB = formatFlopRate(roofB);
        if (shareARoof(runA, runB)) {
            if (ofA != ofB)
                comparison.note = "Both are held against one ceiling, " + formatFlopRate(higher) +
                                  ", the highest that either run knew or reached; " +
                                  (roofA < roofB ? "A" : "B") + "'s own was " + (roofA < roofB ? ofA : ofB) +
                                  ".";
            roofA = roofB = higher;
        } else if (ofA != ofB) {
            comparison.note = "The ceilings differ: " + ofA + " for A and " + ofB +
                              " for B. Their shares do not say which does more per second.";
        }
    }
    comparison.a = figuresOf(a);
    comparison.b = figuresOf(b);
    return comparison;
}

using Figures = ComparedFigures;

/// What one run contributes to the tables of times.
struct RunTimes {
    Figures phases, ops, modules;
    Figures gpuPhases, gpuOps, gpuModules, kernels;
    /// How shares of gpuModules were split.
    std::vector<std::string> splits;
    std::optional<ModelUtilization> utilization;
    std::vector<WorkRow> work;
};

/// The GPU's time of all kernels, copies and fills, in ns of all steps.
struct GpuSums {
    std::vector<std::int64_t> byName, byOp;  // the last entry is for what has no name
    std::map<std::string, std::int64_t, std::less<>> byModule;
    std::array<std::int64_t, kPhaseCount> byPhase{};
    std::vector<std::string> splits;
};

GpuSums gpuSums(const Snapshot& snapshot, const std::vector<WorkRow>& work) {
    GpuSums sums;
    sums.byName.resize(snapshot.nameCount() + 1);
    sums.byOp.resize(snapshot.nameCount() + 1);
    const auto add = [](std::int64_t& sum, std::int64_t time) { addWrapping(sum, time); };
    const auto addTo = [&](std::vector<std::int64_t>& byId, NameId id, std::int64_t time) {
        add(byId[std::min(id.index(), byId.size() - 1)], time);
    };
    SharedWork shared(snapshot);
    for (const WorkRow& row : work) {
        addTo(sums.byName, row.kernel, row.time);
        addTo(sums.byOp, row.op, row.time);
        add(sums.byPhase[static_cast<std::size_t>(snapshot.place(row.place).phase)], row.time);
        for (const SharedWork::Share& share : shared.sharesOf(row)) {
            if (share.time != 0)
                add(sums.byModule[std::string(share.module)], share.time);
        }
    }
    sums.splits = shared.sentences();
    return sums;
}

void addGpuTimes(const Snapshot& snapshot, const ScopedSteps& scoped, RunTimes& times) {
    // In a run without kernels the work is the ops', but copies are the GPU's there too.
    const GpuSums gpu = gpuSums(
        snapshot, hasKernels(snapshot) ? times.work : gpuWork(snapshot, RowFilter(snapshot, scoped.steps)));
    addByName(snapshot, gpu.byName, scoped.divisor, {}, times.kernels);
    addByName(snapshot, gpu.byOp, scoped.divisor, kOutsideOps, times.gpuOps);
    for (const auto& [module, time] : gpu.byModule)
        addToModules(module, static_cast<double>(time) / scoped.divisor, times.gpuModules);
    times.splits = gpu.splits;
    double all = 0;
    for (std::size_t i = 0; i < gpu.byPhase.size(); ++i) {
        if (gpu.byPhase[i] == 0)
            continue;
        const double time = static_cast<double>(gpu.byPhase[i]) / scoped.divisor;
        const auto phase = static_cast<Phase>(i);
        times.gpuPhases[std::string(phaseName(phase))] += time;
        if (phase != Phase::kNone)
            all += time;
    }
    if (all == 0)
        return;
    // A phase that the host went through and that launched nothing took none of the GPU's time: setting
    // gradients to none is no kernel. What a replay launched is its graph's phases'.
    for (const auto& [phase, time] : times.phases) {
        if (phase != phaseName(Phase::kReplay) && phase != kStepRow)
            times.gpuPhases.try_emplace(phase, 0);
    }
    times.gpuPhases[std::string(kAllPhasesRow)] = all;
}

/// Beside another run's phases by the CPU's time: a step is as long by either clock.
Figures gpuPhasesWithStep(const RunTimes& times) {
    Figures phases = times.gpuPhases;
    phases.erase(std::string(kAllPhasesRow));
    if (const auto step = times.phases.find(kStepRow); step != times.phases.end())
        phases.insert(*step);
    return phases;
}

/// The phases of the steps, and the steps.
void addPhases(const Snapshot& snapshot, const ScopedSteps& scoped, RunTimes& times) {
    for (const TrackKind kind : {TrackKind::kPhase, TrackKind::kStep}) {
        forEachRow(snapshot, kind, [&](const SpanChunk& chunk, std::uint32_t i) {
            const std::string_view name =
                kind == TrackKind::kStep ? kStepRow : snapshot.name(NameId(chunk.name[i]));
            if (scoped.steps.contains(chunk.step[i]) && !name.empty())
                times.phases[std::string(name)] += static_cast<double>(chunk.duration[i]) / scoped.divisor;
        });
    }
}

void addUtilization(const Snapshot& snapshot, const ScopedSteps& scoped, RunTimes& times) {
    const auto step = times.phases.find(kStepRow);
    if (step == times.phases.end())
        return;
    const double mean = step->second * scoped.divisor / static_cast<double>(scoped.steps.count);
    times.utilization = modelUtilization(snapshot, mean);
}

RunTimes timesOf(const Snapshot& snapshot, const ScopedSteps& scoped) {
    RunTimes times;
    if (scoped.steps.count == 0)
        return times;
    times.work = scopedWork(snapshot, scoped);
    addPhases(snapshot, scoped, times);
    const SelfTimes self = opSelfTimes(snapshot, RowFilter(snapshot, scoped.steps));
    addByName(snapshot, self.byName, scoped.divisor, {}, times.ops);
    addByModule(snapshot, self.byPlace, scoped.divisor, times.modules);
    addGpuTimes(snapshot, scoped, times);
    addUtilization(snapshot, scoped, times);
    return times;
}

/// Every name of either run; `order` sorts the rows.
template <class Order>
std::vector<ComparisonRow> join(const Figures& a, const Figures& b, Order&& order) {
    std::map<std::string, ComparisonRow, std::less<>> rows;
    for (const auto& [name, value] : a) {
        rows[name].a = value;
        rows[name].inA = true;
    }
    for (const auto& [name, value] : b) {
        rows[name].b = value;
        rows[name].inB = true;
    }
    std::vector<ComparisonRow> joined;
    for (auto& [name, row] : rows) {
        row.name = name;
        joined.push_back(std::move(row));
    }
    std::ranges::stable_sort(joined, order);
    return joined;
}

bool largerDifference(const ComparisonRow& x, const ComparisonRow& y) {
    return std::abs(x.difference()) > std::abs(y.difference());
}

std::size_t phaseOrder(const ComparisonRow& row) {
    const auto found = std::ranges::find(kPhaseNames, row.name);
    return static_cast<std::size_t>(found - kPhaseNames.begin());  // what holds them all comes last
}

std::vector<RunComparison::Setting> differingSettings(const RunInfo& a, const RunInfo& b) {
    std::vector<RunComparison::Setting> settings;
    const auto isSetting = [](const std::string& key) { return key.starts_with("config."); };
    for (const auto& [key, value] : a.pairs()) {
        if (isSetting(key) && b.get(key) != value)
            settings.push_back({settingText(key), settingText(value), settingText(b.get(key))});
    }
    for (const auto& [key, value] : b.pairs()) {
        if (isSetting(key) && !a.has(key))
            settings.push_back({settingText(key), {}, settingText(value)});
    }
    return settings;
}

std::vector<ComparisonRow> compareCategories(const std::optional<MemoryPoint>& a,
                                             const std::optional<MemoryPoint>& b) {
    std::vector<ComparisonRow> rows;
    const auto addRow = [&](std::string_view name, auto&& figure) {
        ComparisonRow row;
        row.name = name;
        row.a = a ? static_cast<double>(figure(a->bytes)) : 0;
        row.b = b ? static_cast<double>(figure(b->bytes)) : 0;
        row.inA = row.a != 0;
        row.inB = row.b != 0;
        rows.push_back(std::move(row));
    };
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        addRow(kCategoryNames[i], [i](const CategoryBytes& bytes) { return bytes[i]; });
    addRow("peak", [](const CategoryBytes& bytes) { return sumOf(bytes); });
    return rows;
}

/// Whether the run has no times of the scope, or those of a step that it did not end.
bool timesAreAtLeast(const Snapshot& run, const ComparisonScope& scope, const ScopedSteps& scoped) {
    return scoped.steps.count == 0 || (scope.steps == ComparisonScope::Steps::kOne &&
                                       stepState(run, scoped.steps.first) == StepState::kCutOff);
}

bool endedEarly(const Snapshot& run) {
    const std::string state = run.info().get("state");
    return state == run_state::kFailed || state == run_state::kStopped || run_state::isOpenEnded(state);
}

/// Whether its peak might have been higher, had it gone on.
bool memoryIsAtLeast(const Snapshot& run, const ComparisonScope& scope, const ScopedSteps& scoped) {
    if (scope.steps == ComparisonScope::Steps::kOne)
        return timesAreAtLeast(run, scope, scoped);
    return outOfMemoryTime(run) || (endedEarly(run) && completeSteps(run).count == 0);
}

void markAtLeast(std::vector<ComparisonRow>& rows, const RunComparison& comparison, bool ofA, bool ofB) {
    for (ComparisonRow& row : rows) {
        row.atLeastA = ofA;
        row.atLeastB = ofB;
        row.stepsLostA = comparison.stepsLostA;
        row.stepsLostB = comparison.stepsLostB;
    }
}

void markAtLeast(RunComparison& comparison) {
    RunComparison& c = comparison;
    for (auto* rows : {&c.phases, &c.ops, &c.modules, &c.gpuPhases, &c.gpuOps, &c.gpuModules, &c.kernels,
                       &c.mixedPhases, &c.mixedOps, &c.mixedModules})
        markAtLeast(*rows, c, c.atLeastTimesA, c.atLeastTimesB);
    for (auto* rows : {&c.phaseMemory, &c.beforeBackward})
        markAtLeast(*rows, c, c.atLeastTimesA, c.atLeastTimesB);
    for (auto* rows : {&c.categories, &c.moduleMemory, &c.opMemory})
        markAtLeast(*rows, c, c.atLeastMemoryA, c.atLeastMemoryB);
}

/// The tables that say nothing of a run, since records of them are missing from its file.
struct LostTables {
    bool phases = false, ops = false, gpu = false, memory = false, places = false;
};

LostTables lostTables(const Snapshot& run, const MissingRecords& missing) {
    const Completeness completeness(run);
    const auto lost = [&](DataKind kind) { return completeness.absenceOf(kind) == Absence::kLost; };
    const bool places = missing.lacks(RecordKind::kPlaces);
    return {missing.lacks(RecordKind::kPhases), places || missing.lacks(RecordKind::kOps),
            places || missing.lacksGpuWork() || lost(DataKind::kKernels),
            missing.lacksMemory() || lost(DataKind::kMemory), places};
}

void markLost(std::vector<ComparisonRow>& rows, bool ofA, bool ofB) {
    for (ComparisonRow& row : rows) {
        row.recordsLostA = ofA;
        row.recordsLostB = ofB;
        row.atLeastA = row.atLeastA || ofA;
        row.atLeastB = row.atLeastB || ofB;
    }
}

void markLost(RunComparison& c, const LostTables& a, const LostTables& b) {
    markLost(c.phases, a.phases, b.phases);
    for (auto* rows : {&c.ops, &c.modules})
        markLost(*rows, a.ops, b.ops);
    for (auto* rows : {&c.gpuPhases, &c.gpuOps, &c.gpuModules, &c.kernels})
        markLost(*rows, a.gpu, b.gpu);
    markLost(c.mixedPhases, c.gpuA ? a.gpu : a.phases, c.gpuB ? b.gpu : b.phases);
    // A mean step is that of the steps that are there.
    for (auto* rows : {&c.phases, &c.mixedPhases}) {
        if (rows->empty() || rows->back().name != kStepRow)
            continue;
        ComparisonRow& step = rows->back();
        step.recordsLostA = step.recordsLostB = false;
        step.atLeastA = c.atLeastTimesA;
        step.atLeastB = c.atLeastTimesB;
    }
    for (auto* rows : {&c.mixedOps, &c.mixedModules})
        markLost(*rows, c.gpuA ? a.gpu : a.ops, c.gpuB ? b.gpu : b.ops);
    for (auto* rows : {&c.categories, &c.opMemory})
        markLost(*rows, a.memory, b.memory);
    markLost(c.moduleMemory, a.memory || a.places, b.memory || b.places);
    for (auto* rows : {&c.phaseMemory, &c.beforeBackward})
        markLost(*rows, a.memory || a.phases, b.memory || b.phases);
}

/// Whether its time is a GPU's, though the kernels may be lost.
bool worksOnGpu(const Snapshot& run) {
    return hasKernels(run) || Completeness(run).absenceOf(DataKind::kKernels) == Absence::kLost;
}

/// Names ops that are templates by their titles.
void showTitles(std::vector<ComparisonRow>& ops) {
    for (ComparisonRow& row : ops) {
        if (std::string title = opTitle(row.name); title != row.name) {
            row.shownName = std::move(title);
            row.fullName = row.name;
        }
    }
}

}  // namespace

std::string settingWords(const RunComparison::Setting& setting, const std::string& value) {
    const Setting* known = findSetting(setting.key);
    RunConfig stated;
    return known && known->take(value, stated) ? known->words(stated) : value;
}

std::string settingText(std::string text) {
    constexpr std::size_t kLongest = 120;
    if (text.size() <= kLongest)
        return text;
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u)
        --end;  // not within a letter
    return text.substr(0, end) + "…";
}

RunComparison compareRuns(std::shared_ptr<const Snapshot> a, std::shared_ptr<const Snapshot> b,
                          const ComparisonScope& scope) {
    MemoryTimeline memoryA, memoryB;
    memoryA.update(std::move(a));
    memoryB.update(std::move(b));
    return compareRuns(memoryA, memoryB, scope);
}

RunComparison compareRuns(const MemoryTimeline& timelineA, const MemoryTimeline& timelineB,
                          const ComparisonScope& scope) {
    const auto &a = timelineA.snapshot(), &b = timelineB.snapshot();
    RunComparison comparison;
    comparison.settings = differingSettings(a->info(), b->info());
    const bool tokens = countsTokens(*a, *b, scope);
    const auto stepsOf = [&](const Snapshot& run, ComparisonSide side) {
        return scopedSteps(run, scope, side, tokens ? tokensPerStep(run) : std::nullopt);
    };
    const ScopedSteps stepsA = stepsOf(*a, ComparisonSide::kA), stepsB = stepsOf(*b, ComparisonSide::kB);
    RunTimes timesA, timesB;
    ComparedMemory memoryA, memoryB;
    // For a run against itself all means are alike.
    const bool alike = a == b && scope.steps != ComparisonScope::Steps::kOne;
    runTogether({[&] {
                     timesA = timesOf(*a, stepsA);
                     memoryA = comparedMemory(timelineA, scope, stepsA);
                 },
                 [&] {
                     if (alike)
                         return;
                     timesB = timesOf(*b, stepsB);
                     memoryB = comparedMemory(timelineB, scope, stepsB);
                 }});
    if (alike) {
        timesB = timesA;
        memoryB = memoryA;
    }
    comparison.workA = std::move(timesA.work);
    comparison.workB = std::move(timesB.work);
    const auto byPhase = [](const ComparisonRow& x, const ComparisonRow& y) {
        return phaseOrder(x) < phaseOrder(y);
    };
    comparison.phases = join(timesA.phases, timesB.phases, byPhase);
    comparison.ops = join(timesA.ops, timesB.ops, largerDifference);
    comparison.modules = join(timesA.modules, timesB.modules, largerDifference);
    comparison.gpuPhases = join(timesA.gpuPhases, timesB.gpuPhases, byPhase);
    comparison.gpuOps = join(timesA.gpuOps, timesB.gpuOps, largerDifference);
    comparison.gpuModules = join(timesA.gpuModules, timesB.gpuModules, largerDifference);
    comparison.splits = timesA.splits;
    for (const std::string& split : timesB.splits) {
        if (std::ranges::find(comparison.splits, split) == comparison.splits.end())
            comparison.splits.push_back(split);
    }
    comparison.kernels = join(timesA.kernels, timesB.kernels, largerDifference);
    comparison.gpuA = worksOnGpu(*a);
    comparison.gpuB = worksOnGpu(*b);
    if (comparison.mixed()) {
        const bool gpuA = comparison.gpuA;
        comparison.mixedPhases = join(gpuA ? gpuPhasesWithStep(timesA) : timesA.phases,
                                      gpuA ? timesB.phases : gpuPhasesWithStep(timesB), byPhase);
        comparison.mixedOps =
            join(gpuA ? timesA.gpuOps : timesA.ops, gpuA ? timesB.ops : timesB.gpuOps, largerDifference);
        comparison.mixedModules = join(gpuA ? timesA.gpuModules : timesA.modules,
                                       gpuA ? timesB.modules : timesB.gpuModules, largerDifference);
    }
    // What was measured on the very device comes first.
    const auto measuredFirst = [](const ComparisonRow& x, const ComparisonRow& y) { return x.name > y.name; };
    UtilizationComparison utilization = compareUtilization(*a, timesA.utilization, *b, timesB.utilization);
    comparison.utilization = join(utilization.a, utilization.b, measuredFirst);
    comparison.utilizationNote = std::move(utilization.note);
    comparison.atLeastTimesA = timesAreAtLeast(*a, scope, stepsA);
    comparison.atLeastTimesB = timesAreAtLeast(*b, scope, stepsB);
    comparison.stepsLostA = stepsA.steps.count == 0 && !endedEarly(*a);
    comparison.stepsLostB = stepsB.steps.count == 0 && !endedEarly(*b);
    comparison.atLeastMemoryA = memoryIsAtLeast(*a, scope, stepsA);
    comparison.atLeastMemoryB = memoryIsAtLeast(*b, scope, stepsB);
    comparison.categories = compareCategories(memoryA.peak, memoryB.peak);
    comparison.moduleMemory = join(memoryA.modules, memoryB.modules, largerDifference);
    comparison.opMemory = join(memoryA.ops, memoryB.ops, largerDifference);
    comparison.phaseMemory = join(memoryA.phases, memoryB.phases, byPhase);
    comparison.beforeBackward =
        join(memoryA.beforeBackward, memoryB.beforeBackward,
             [](const ComparisonRow& x, const ComparisonRow& y) { return x.name < y.name; });
    comparison.peakTimeA = memoryA.peak ? std::optional(memoryA.peak->time) : std::nullopt;
    comparison.peakTimeB = memoryB.peak ? std::optional(memoryB.peak->time) : std::nullopt;
    for (std::vector<ComparisonRow>* ops :
         {&comparison.ops, &comparison.gpuOps, &comparison.mixedOps, &comparison.opMemory})
        showTitles(*ops);
    markAtLeast(comparison);
    // Now that both have been read.
    comparison.missingA = Completeness(*a).missing();
    comparison.missingB = Completeness(*b).missing();
    markLost(comparison, lostTables(*a, comparison.missingA), lostTables(*b, comparison.missingB));
    return comparison;
}

}  // namespace warpglass
