#include "engine/query/model/layers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/base/median.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/model/matrix_products.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/model/plan_of_scope.h"
#include "engine/query/model/shared_work.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {
namespace {

constexpr double kDeviations = 3;
constexpr double kNormal = 1.4826;
constexpr double kLeastLayerShare = 0.05;
constexpr std::size_t kFewestBlocks = 5;

constexpr std::string_view kLoss = "loss";
constexpr std::string_view kRest = "rest";

/// "blocks.7" of "blocks.7.attn"; the first word of any other path.
std::string_view layerOf(std::string_view module) {
    const std::size_t first = module.find('.');
    if (first == std::string_view::npos || moduleGroup(module) == module)
        return module.substr(0, first);
    return module.substr(0, module.find('.', first + 1));
}

/// Where a layer stands in the model. Modules that the model does not have come after its own.
std::pair<int, std::int64_t> orderOf(std::string_view layer, bool block) {
    if (block)
        return {1, blockNumber(layer).value_or(0)};
    constexpr std::string_view kOrder[] = {"token_embeddings", "blocks", "norm", "lm_head", "", kLoss, kRest};
    for (int i = 0; const std::string_view name : kOrder) {
        if (layer == name)
            return {i, 0};
        ++i;
    }
    return {4, 0};
}

/// The measures of time, the first ones.
constexpr std::size_t kPasses = 3;

std::size_t passOf(Phase phase) {
    return static_cast<std::size_t>(phase == Phase::kBackward    ? LayerMeasure::kBackward
                                    : phase == Phase::kOptimizer ? LayerMeasure::kOptimizer
                                                                 // Whatever else a step does is no layer's.
                                                                 : LayerMeasure::kForward);
}

class LayersBuilder {
public:
    /// Covers the modules within `module`; "" for all. `unfinished`: only what ran is counted of the plan.
    LayersBuilder(const Snapshot& snapshot, std::string module, bool unfinished)
        : m_snapshot(snapshot), m_within(std::move(module)), m_unfinished(unfinished), m_shared(snapshot) {}

    /// Adds the times of all modules.
    void addTimes(const WorkTimes& times) {
        const auto steps = static_cast<double>(times.steps);
        for (const WorkRow& work : times.rows) {
            const Phase phase = m_snapshot.place(work.place).phase;
            const std::size_t pass = passOf(phase);
            for (const SharedWork::Share& share : m_shared.sharesOf(work, m_within)) {
                m_ran.emplace(phase, share.module);
                LayerRow& row = rowOf(phase, share.module);
                double* const passes[kPasses] = {&row.forward, &row.backward, &row.optimizer};
                const double time = static_cast<double>(share.time) / steps;
                *passes[pass] += time;
                row.shared += share.split ? time : 0;
                row.computes[pass] = row.computes[pass] || computes(m_snapshot, m_families, work);
            }
        }
    }
    std::vector<std::string> splits() const { return m_shared.sentences(); }

    void addFlops(const RunConfig& config, const SpanFilter& filter, const PlanOfScope& plan) {
        for (const FlopsEntry& entry : countFlops(config).entries) {
            if (!isPlannedIn(filter, entry.phase, entry.module) || !hasRun(entry.phase, entry.module, plan))
                continue;
            const bool withAll = entry.phase == PlanPhase::kOptimizer && plan.isUpdatedWithAll(entry.module);
            if (withAll && !m_within.empty())
                continue;  // that time is no module's
            LayerRow& row = withAll                ? named(kRest, false, false)
                            : entry.module.empty() ? named(kLoss, false, false)
                                                   : ofModule(entry.module);
            Flops& flops = entry.phase == PlanPhase::kBackward    ? row.backwardFlops
                           : entry.phase == PlanPhase::kOptimizer ? row.optimizerFlops
                                                                  : row.forwardFlops;
            const std::optional<double> share = plan.share(entry.phase, entry.module, entry.part);
            row.flopsKnown = row.flopsKnown && share;
            for (const Flops planned : {entry.matmul, entry.elementwise})
                flops = saturatingSum(flops, Flops(PlanOfScope::shareOf(planned.value, share.value_or(0))));
        }
        for (const MatrixProduct& product : matrixProducts(config)) {
            if (!isPlannedIn(filter, product.phase, product.module) ||
                !hasRun(product.phase, product.module, plan))
                continue;
            Bytes& moved = ofModule(product.module).moved;
            const double share = plan.share(product.phase, product.module, product.part).value_or(0);
            moved = saturatingSum(moved, Bytes(PlanOfScope::shareOf(product.bytes.value, share)));
        }
        for (auto& [name, row] : m_rows) {
            if (row.flopsKnown)
                continue;
            row.forwardFlops = row.backwardFlops = row.optimizerFlops = Flops();
            row.moved = Bytes();  // known in part is not known
        }
    }

    void addMemory(const LiveMemory& alive) {
        forEachAllocation(m_snapshot, alive.ids, [&](AllocationId id, const AllocationRow& allocation) {
            addWrapping(rowOf(allocation.place).alive[static_cast<std::size_t>(alive.memory->categoryOf(id))],
                        allocation.bytes);
        });
    }

    /// Marks the blocks whose times are compared.
    void markWhole() {
        for (auto& [name, row] : m_rows) {
            for (std::size_t m = 0; row.block && m < kPasses; ++m)
                row.compared[m] = true;
        }
    }
    /// For a range, marks those that ran whole in it, and as often as most of them.
    void markWhole(const WorkTimes& taken, const WorkTimes& steps) {
        const Instances ran = instancesOf(taken), ofSteps = instancesOf(steps);
        for (std::size_t m = 0; m < kPasses; ++m) {
            std::map<std::int64_t, std::int64_t> blocksByRuns;
            std::map<LayerRow*, std::int64_t> runsOf;
            for (const auto& [row, instances] : ran) {
                const auto of = ofSteps.find(row);
                const std::int64_t all = of == ofSteps.end() ? 0 : of->second[m];
                if (!row->block || all == 0 || instances[m] == 0 || instances[m] * steps.steps % all != 0)
                    continue;
                runsOf[row] = instances[m] * steps.steps / all;
                ++blocksByRuns[runsOf[row]];
            }
            const auto most = std::ranges::max_element(
                blocksByRuns, [](const auto& a, const auto& b) { return a.second < b.second; });
            for (const auto& [row, runs] : runsOf)
                row->compared[m] = runs == most->first;
        }
    }
    /// Marks all blocks as compared by what they keep.
    void markKept() {
        for (auto& [name, row] : m_rows)
            row.compared[static_cast<std::size_t>(LayerMeasure::kActivations)] = row.block;
    }

    std::vector<LayerRow> take() {
        std::vector<LayerRow> rows;
        for (auto& [name, row] : m_rows) {
            if (row.time() > 0 || row.flops().value > 0 || row.memory().value > 0)
                rows.push_back(std::move(row));
        }
        std::ranges::sort(rows, [](const LayerRow& a, const LayerRow& b) {
            const auto orderA = orderOf(a.name, a.block), orderB = orderOf(b.name, b.block);
            return orderA != orderB ? orderA < orderB : a.name < b.name;
        });
        return rows;
    }

private:
    /// How often each layer's ops and kernels that compute ran in each pass; others do not count, as an
    /// optimizer fills its state in the first step only.
    using Instances = std::map<LayerRow*, std::array<std::int64_t, kPasses>>;
    Instances instancesOf(const WorkTimes& times) {
        Instances instances;
        for (const WorkRow& work : times.rows) {
            if (!computes(m_snapshot, m_families, work))
                continue;
            const Phase phase = m_snapshot.place(work.place).phase;
            std::set<LayerRow*> rows;  // a kernel counts once in each
            for (const SharedWork::Share& share : m_shared.sharesOf(work, m_within))
                rows.insert(&rowOf(phase, share.module));
            for (LayerRow* row : rows)
                instances[row][passOf(phase)] += work.instances;
        }
        return instances;
    }
    bool hasRun(PlanPhase phase, const std::string& module, const PlanOfScope& plan) const {
        // An optimizer may update all modules at once, under none.
        return !m_unfinished || m_ran.contains({tracePhase(phase), module}) ||
               (phase == PlanPhase::kOptimizer && plan.isUpdatedWithAll(module) &&
                m_ran.contains({Phase::kOptimizer, std::string()}));
    }
    LayerRow& named(std::string_view name, bool block, bool module) {
        LayerRow& row = m_rows[std::string(name)];
        row.name = name;
        row.block = block;
        row.module = module;
        return row;
    }
    LayerRow& ofModule(std::string_view path) {
        return named(layerOf(path), moduleGroup(path) != path, true);
    }
    LayerRow& rowOf(Phase phase, std::string_view module) {
        if (!module.empty())
            return ofModule(module);
        return named(phase == Phase::kLoss || phase == Phase::kBackward ? kLoss : kRest, false, false);
    }
    /// A place's row, found once.
    LayerRow& rowOf(PlaceId id) {
        LayerRow*& row = m_ofPlace[id.value];
        if (row)
            return *row;
        const Place place = m_snapshot.place(id);
        row = &rowOf(place.phase, m_snapshot.name(place.module));
        return *row;
    }

    const Snapshot& m_snapshot;
    std::string m_within;
    bool m_unfinished;
    SharedWork m_shared;
    OpFamilyCache m_families;
    std::set<std::pair<Phase, std::string>> m_ran;
    std::map<std::string, LayerRow> m_rows;  // rows keep their place
    std::unordered_map<std::uint32_t, LayerRow*> m_ofPlace;
};

void compareBlocks(Layers& layers) {
    layers.blocks = std::ranges::count_if(layers.rows, &LayerRow::block);
    for (std::size_t m = 0; m < kLayerMeasureCount; ++m) {
        std::vector<LayerRow*> blocks;
        std::vector<double> values;
        for (LayerRow& row : layers.rows) {
            if (!row.compared[m])
                continue;
            blocks.push_back(&row);
            values.push_back(row.value(static_cast<LayerMeasure>(m)));
        }
        layers.compared[m] = std::ssize(blocks);
        layers.median[m] = medianOf(values);
        const std::vector<bool> outliers = robustOutliers(values);
        for (std::size_t i = 0; i < blocks.size(); ++i)
            blocks[i]->outlier[m] = outliers[i];
    }
}

}  // namespace

double LayerRow::passesFlopsPerSecond() const {
    const double passes = forward + backward;
    const auto flops = static_cast<double>(saturatingSum(forwardFlops, backwardFlops).value);
    return passes > 0 ? flops / (passes / 1e9) : 0;
}

Flops LayerRow::flops() const {
    return saturatingSum(saturatingSum(forwardFlops, backwardFlops), optimizerFlops);
}

double LayerRow::value(LayerMeasure measure) const {
    switch (measure) {
        case LayerMeasure::kForward:
            return forward;
        case LayerMeasure::kBackward:
            return backward;
        case LayerMeasure::kOptimizer:
            return optimizer;
        case LayerMeasure::kActivations:
            return static_cast<double>(activations().value);
    }
    return 0;
}

bool LayerRow::standsOut() const {
    return std::ranges::find(outlier, true) != outlier.end();
}

bool LayerRow::standsOutByTime() const {
    const auto times = outlier.begin() + static_cast<std::ptrdiff_t>(LayerMeasure::kActivations);
    return std::find(outlier.begin(), times, true) != times;
}

double Layers::time() const {
    return sumOver<double>(rows, &LayerRow::time);
}

bool Layers::isWhole(const LayerRow& block) const {
    bool any = false;
    for (std::size_t m = 0; m < kPasses; ++m) {
        if (block.compared[m] != (compared[m] > 0) || (!block.compared[m] && block.computes[m]))
            return false;
        any = any || block.compared[m];
    }
    return any;
}

bool Layers::sharesBesideOptimizer() const {
    constexpr double kRounding = 1;  // ns
    return std::ranges::any_of(rows,
                               [](const LayerRow& row) { return row.shared > row.optimizer + kRounding; });
}

bool Layers::comparesTimes() const {
    return std::any_of(compared.begin(), compared.begin() + kPasses,
                       [](std::int64_t count) { return count >= static_cast<std::int64_t>(kFewestBlocks); });
}

std::vector<bool> robustOutliers(const std::vector<double>& values) {
    std::vector<bool> outliers(values.size(), false);
    if (values.size() < kFewestBlocks)
        return outliers;
    const double median = medianOf(values);
    std::vector<double> deviations(values.size());
    std::transform(values.begin(), values.end(), deviations.begin(),
                   [&](double value) { return std::fabs(value - median); });
    const double spread = kDeviations * kNormal * medianOf(deviations);
    for (std::size_t i = 0; i < values.size(); ++i)
        outliers[i] = deviations[i] > spread && deviations[i] > kLeastLayerShare * std::fabs(median);
    return outliers;
}

Layers layersOf(const Snapshot& snapshot, const LiveMemory& alive, const WorkScope& scope) {
    const WorkScope ofAllModules = withAllModules(scope);
    const TimesOfScope times(snapshot, ofAllModules);
    Layers layers;
    layers.gpu = times.taken.gpu;
    layers.steps = times.taken.steps;
    layers.measured = times.taken.measured;
    layers.ofRange = times.taken.ofRange;
    layers.unfinished = isOfUnfinishedStep(snapshot, scope);
    layers.unplanned = planUnsaid(snapshot);
    layers.rates = !layers.unfinished && layers.unplanned.empty();
    LayersBuilder builder(snapshot, scope.filter.modulePath, layers.unfinished);
    builder.addTimes(times.taken);
    layers.splits = builder.splits();
    builder.addMemory(alive);
    const auto config = configOfRun(snapshot);
    if (config && layers.unplanned.empty() && (!times.taken.rows.empty() || !alive.ids.empty()))
        builder.addFlops(*config, scope.filter, PlanOfScope(snapshot, *config, ofAllModules, times));
    // Where no step ran to its end some blocks have not run yet: that is not what stands out.
    if (layers.rates && !scope.filter.ranges.empty())
        builder.markWhole(times.taken, times.steps());
    else if (layers.rates)
        builder.markWhole();
    if (!layers.unfinished && !Completeness(snapshot).missing().lacksMemory())
        builder.markKept();
    layers.rows = builder.take();
    compareBlocks(layers);
    return layers;
}

std::vector<std::string> outlierSentences(const Layers& layers, const LayerRow& row) {
    std::vector<std::string> sentences;
    for (std::size_t m = 0; m < kLayerMeasureCount; ++m) {
        if (!row.outlier[m])
            continue;
        const auto measure = static_cast<LayerMeasure>(m);
        const auto words = [&](double value) {
            const std::int64_t whole = std::llround(value);
            return measure == LayerMeasure::kActivations ? formatBytes(Bytes(whole))
                                                         : formatDuration(Nanoseconds(whole));
        };
        const double value = row.value(measure), median = layers.median[m];
        std::string sentence = row.name + (measure == LayerMeasure::kActivations ? "'s activations take "
                                           : measure == LayerMeasure::kOptimizer
                                               ? "'s update takes "
                                               : "'s " + std::string(kLayerMeasureNames[m]) + " pass takes ");
        sentence += words(value);
        if (median > 0)
            sentence += ", " + formatPercent(std::fabs(value / median - 1)) +
                        (value > median ? " over" : " below") + " the median";
        const std::string blocks = std::to_string(layers.compared[m]) + " blocks" +
                                   (layers.compared[m] < layers.blocks ? " that ran whole" : "");
        sentence += " of the " + blocks + " (" + words(median) + ").";
        if (median <= 0)
            sentence = row.name + (measure == LayerMeasure::kActivations ? " keeps " : " takes ") +
                       words(value) + " where most of the " + blocks + " take nothing (" +
                       std::string(kLayerMeasureNames[m]) + ").";
        sentences.push_back(std::move(sentence));
    }
    return sentences;
}

}  // namespace warpglass
