#include "engine/query/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/query/roofline.h"
#include "engine/query/span_scan.h"
#include "engine/query/statistics.h"

namespace warpglass {

namespace {

using Figures = std::map<std::string, double, std::less<>>;

constexpr std::string_view kOutsideModel = "(outside the model)";
constexpr std::string_view kOutsideOps = "(outside any op)";

/// What one run contributes to the tables of times.
struct RunTimes {
    Figures phases, ops, modules;
    Figures gpuPhases, gpuOps, gpuModules, kernels;
    Figures utilization;
};

/// Sums by name id as figures per step, under `none` what has no name.
void addNames(const Snapshot& snapshot, const std::vector<std::int64_t>& byName, double steps,
              std::string_view none, Figures& figures) {
    for (std::size_t i = 0; i < byName.size(); ++i) {
        if (byName[i] == 0)
            continue;
        const std::string_view name = snapshot.name(NameId(i));
        figures[std::string(name.empty() ? none : name)] += static_cast<double>(byName[i]) / steps;
    }
}

void addModules(const Snapshot& snapshot, const std::vector<std::int64_t>& byPlace, double steps,
                Figures& modules) {
    std::vector<std::int64_t> byModule(snapshot.nameCount() + 1);
    for (std::size_t i = 0; i < byPlace.size(); ++i) {
        const std::size_t name = snapshot.place(PlaceId(i)).module.index();
        byModule[std::min(name, byModule.size() - 1)] += byPlace[i];
    }
    for (std::size_t i = 0; i < byModule.size(); ++i) {
        if (byModule[i] == 0)
            continue;
        const double time = static_cast<double>(byModule[i]) / steps;
        const std::string_view path = snapshot.name(NameId(i));
        if (path.empty()) {
            modules[std::string(kOutsideModel)] += time;
            continue;
        }
        for (std::size_t dot = path.find('.');; dot = path.find('.', dot + 1)) {
            modules[std::string(path.substr(0, dot))] += time;
            if (dot == std::string_view::npos)
                break;
        }
    }
}

void addGpuTimes(const Snapshot& snapshot, const StepSelection& selection, RunTimes& times) {
    const auto steps = static_cast<double>(selection.count);
    const GpuTimes gpu = gpuTimes(snapshot, RowFilter(snapshot, selection));
    addNames(snapshot, gpu.byName, steps, {}, times.kernels);
    addNames(snapshot, gpu.byOp, steps, kOutsideOps, times.gpuOps);
    addModules(snapshot, gpu.byPlace, steps, times.gpuModules);
    for (std::size_t i = 0; i < gpu.byPlace.size(); ++i) {
        if (gpu.byPlace[i] == 0)
            continue;
        const std::string phase(phaseName(snapshot.place(PlaceId(i)).phase));
        times.gpuPhases[phase] += static_cast<double>(gpu.byPlace[i]) / steps;
    }
}

void addUtilization(const Snapshot& snapshot, RunTimes& times) {
    const auto step = times.phases.find("step");
    if (step == times.phases.end())
        return;
    const std::optional<ModelUtilization> mfu = modelUtilization(snapshot, step->second);
    if (const auto share = mfu ? mfu->ofMeasured() : std::nullopt)
        times.utilization["measured ceiling"] = *share;
    if (const auto share = mfu ? mfu->ofDataSheet() : std::nullopt)
        times.utilization["data sheet"] = *share;
}

RunTimes timesOf(const Snapshot& snapshot) {
    RunTimes times;
    const StepSelection selection = stepsToAverage(snapshot);
    if (selection.count == 0)
        return times;
    const auto steps = static_cast<double>(selection.count);
    for (const StatisticsRow& row : phaseStatistics(snapshot)) {
        if (row.name != phaseName(Phase::kSetup) && row.name != phaseName(Phase::kTeardown))
            times.phases[row.name] = static_cast<double>(row.total.value) / steps;
    }
    const SelfTimes self = opSelfTimes(snapshot, RowFilter(snapshot, selection));
    addNames(snapshot, self.byName, steps, {}, times.ops);
    addModules(snapshot, self.byPlace, steps, times.modules);
    addGpuTimes(snapshot, selection, times);
    addUtilization(snapshot, times);
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
    std::stable_sort(joined.begin(), joined.end(), order);
    return joined;
}

bool largerDifference(const ComparisonRow& x, const ComparisonRow& y) {
    return std::abs(x.difference()) > std::abs(y.difference());
}

std::size_t phaseOrder(const ComparisonRow& row) {
    const auto found = std::find(kPhaseNames.begin(), kPhaseNames.end(), row.name);
    return static_cast<std::size_t>(found - kPhaseNames.begin());  // "step" comes last
}

std::vector<RunComparison::Setting> differingSettings(const RunInfo& a, const RunInfo& b) {
    std::vector<RunComparison::Setting> settings;
    const auto isSetting = [](const std::string& key) { return key.starts_with("config."); };
    for (const auto& [key, value] : a.pairs()) {
        if (isSetting(key) && b.get(key) != value)
            settings.push_back({key, value, b.get(key)});
    }
    for (const auto& [key, value] : b.pairs()) {
        if (isSetting(key) && !a.has(key))
            settings.push_back({key, {}, value});
    }
    return settings;
}

std::optional<MemoryPoint> peakOf(std::shared_ptr<const Snapshot> snapshot) {
    MemoryTimeline timeline;
    timeline.update(std::move(snapshot));
    return timeline.peak();
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

}  // namespace

RunComparison compareRuns(std::shared_ptr<const Snapshot> a, std::shared_ptr<const Snapshot> b) {
    RunComparison comparison;
    comparison.settings = differingSettings(a->info(), b->info());
    const RunTimes timesA = timesOf(*a), timesB = timesOf(*b);
    const auto byPhase = [](const ComparisonRow& x, const ComparisonRow& y) {
        return phaseOrder(x) < phaseOrder(y);
    };
    comparison.phases = join(timesA.phases, timesB.phases, byPhase);
    comparison.ops = join(timesA.ops, timesB.ops, largerDifference);
    comparison.modules = join(timesA.modules, timesB.modules, largerDifference);
    comparison.gpuPhases = join(timesA.gpuPhases, timesB.gpuPhases, byPhase);
    comparison.gpuOps = join(timesA.gpuOps, timesB.gpuOps, largerDifference);
    comparison.gpuModules = join(timesA.gpuModules, timesB.gpuModules, largerDifference);
    comparison.kernels = join(timesA.kernels, timesB.kernels, largerDifference);
    // What was measured on the very device comes first.
    const auto measuredFirst = [](const ComparisonRow& x, const ComparisonRow& y) { return x.name > y.name; };
    comparison.utilization = join(timesA.utilization, timesB.utilization, measuredFirst);
    comparison.categories = compareCategories(peakOf(std::move(a)), peakOf(std::move(b)));
    return comparison;
}

}  // namespace warpglass
