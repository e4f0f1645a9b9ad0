#include "engine/query/model/attention_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/plan/parts.h"
#include "engine/query/model/matrix_products.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/model/plan_of_scope.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {
namespace {

using PartKey = std::pair<PlanPhase, AttentionPart>;

class PartsBuilder {
public:
    PartsBuilder(const Snapshot& snapshot, AttentionParts& parts) : m_snapshot(snapshot), m_parts(parts) {}

    void addTimes(const WorkTimes& times) {
        for (const WorkRow& work : times.rows) {
            const Place place = m_snapshot.place(work.place);
            const double time = static_cast<double>(work.time) / static_cast<double>(times.steps);
            m_parts.allTime += time;
            const auto key = keyOf(work, place);
            if (!key)
                continue;
            AttentionPartRow& row = at(key->first, key->second);
            row.time += time;
            row.instances += static_cast<double>(work.instances) / static_cast<double>(times.steps);
            if (isProductOp(m_snapshot.name(work.op)) && !work.copy)
                row.productTime += time;
        }
    }

    /// The work of all ops, of those that a scope does not name, too: what ran, and in which blocks.
    void addRan(const WorkTimes& times) {
        for (const WorkRow& work : times.rows) {
            const Place place = m_snapshot.place(work.place);
            const auto key = keyOf(work, place);
            if (!key)
                continue;
            const std::string_view module = m_snapshot.name(place.module);
            m_ran.emplace(key->first, key->second, module);
            if (const auto block = blockNumber(module))
                m_blocks.insert(*block);
        }
    }

    /// FLOPs of parts that were recorded: a forward pass alone has no backward one.
    void addPlan(const RunConfig& config, const SpanFilter& filter, const PlanOfScope& plan) {
        for (const FlopsEntry& entry : countFlops(config).entries) {
            if (!isPlannedIn(filter, entry.phase, entry.module))
                continue;
            AttentionPartRow* row = planned(entry.phase, entry.module, entry.part);
            if (!row)
                continue;
            const std::optional<double> share = plan.share(entry.phase, entry.module, entry.part);
            row->flopsKnown = row->flopsKnown && share;
            const Flops products(PlanOfScope::shareOf(entry.matmul.value, share.value_or(0)));
            const Flops others(PlanOfScope::shareOf(entry.elementwise.value, share.value_or(0)));
            row->flops = saturatingSum(row->flops, saturatingSum(products, others));
            row->matmulFlops = saturatingSum(row->matmulFlops, products);
        }
        for (const MatrixProduct& product : matrixProducts(config)) {
            if (!isPlannedIn(filter, product.phase, product.module))
                continue;
            AttentionPartRow* row = planned(product.phase, product.module, product.part);
            if (!row)
                continue;
            const double share = plan.share(product.phase, product.module, product.part).value_or(0);
            row->moved = saturatingSum(row->moved, Bytes(PlanOfScope::shareOf(product.bytes.value, share)));
        }
    }

    /// `all`: whatever the scope, it takes them all.
    void countBlocks(const RunConfig& config, bool all) {
        const std::int64_t layers = config.isAttention() ? 1 : config.shape.layers;
        m_parts.blocks = all || config.isAttention() ? layers : std::ssize(m_blocks);
    }

    void finish() {
        for (auto& [key, row] : m_rows) {
            if (!row.flopsKnown) {  // known in part is not known
                row.flops = row.matmulFlops = Flops();
                row.moved = Bytes();
            }
            m_parts.rows.push_back(row);
        }
        for (AttentionPartRow& row : m_parts.rows) {
            const double time = m_parts.time(row.phase);
            const auto flops =
                m_parts.flopsKnown(row.phase) ? static_cast<double>(m_parts.flops(row.phase).value) : 0;
            row.timeShare = time > 0 ? row.time / time : 0;
            row.flopsShare = flops > 0 ? static_cast<double>(row.flops.value) / flops : 0;
        }
    }

private:
    /// Nothing for what is no attention's.
    std::optional<PartKey> keyOf(const WorkRow& work, const Place& place) const {
        const auto part = attentionPartOf(m_snapshot, place, work.op, m_parts.variant);
        if (!part || (place.phase != Phase::kForward && place.phase != Phase::kBackward))
            return std::nullopt;
        return PartKey(place.phase == Phase::kForward ? PlanPhase::kForward : PlanPhase::kBackward, *part);
    }
    AttentionPartRow& at(PlanPhase phase, AttentionPart part) {
        AttentionPartRow& row = m_rows[{phase, part}];
        row.phase = phase;
        row.part = part;
        return row;
    }
    AttentionPartRow* planned(PlanPhase phase, std::string_view path, std::string_view part) {
        const auto of = plannedAttentionPart(path, part, m_parts.variant);
        if (!of || (m_parts.unfinished && !m_ran.contains({phase, *of, std::string(path)})))
            return nullptr;
        const auto found = m_rows.find({phase, *of});
        return found == m_rows.end() ? nullptr : &found->second;
    }

    const Snapshot& m_snapshot;
    AttentionParts& m_parts;
    std::map<PartKey, AttentionPartRow> m_rows;
    std::set<std::tuple<PlanPhase, AttentionPart, std::string>> m_ran;  // with the module
    std::set<std::int64_t> m_blocks;
};

std::string variantNote(AttentionVariant variant) {
    if (planOf(variant).record != AttentionRecord::kOneKernel)
        return std::string(planOf(variant).note);
    return "Scores, softmax and values are one fused kernel in " + std::string(attentionName(variant)) +
           ": their times cannot be told apart, and the scores are never stored.";
}

/// How these figures differ from the roofline's (roofline.h).
std::string rooflineNote(const AttentionParts& parts) {
    if (parts.unfinished)
        return " The step was not completed: FLOPs and bytes are those of what ran of it, as planned.";
    if (!parts.flopsKnown(PlanPhase::kForward) || !parts.flopsKnown(PlanPhase::kBackward))
        return {};
    Flops all, products;
    for (const AttentionPartRow& row : parts.rows) {
        all = saturatingSum(all, row.flops);
        products = saturatingSum(products, row.matmulFlops);
    }
    if (products.value <= 0 || all.value <= products.value)
        return {};
    const double less = 1 - static_cast<double>(products.value) / static_cast<double>(all.value);
    return " The roofline has the time and the FLOPs of " + std::string(parts.productsName()) +
           " alone: " + formatPercent(less) + " fewer FLOPs.";
}

std::string noteOf(const AttentionParts& parts) {
    if (!parts.variant)
        return "This run states no configuration: its arithmetic is not known.";
    return variantNote(*parts.variant) +
           (parts.unplanned.empty() ? rooflineNote(parts) : " " + parts.unplanned + ".");
}

}  // namespace

double AttentionParts::time(PlanPhase phase) const {
    return sumOver<double>(rows,
                           [&](const AttentionPartRow& row) { return row.phase == phase ? row.time : 0; });
}

double AttentionParts::productTime(PlanPhase phase) const {
    return sumOver<double>(
        rows, [&](const AttentionPartRow& row) { return row.phase == phase ? row.productTime : 0; });
}

bool AttentionParts::isOnScoreMatrix(AttentionPart part) const {
    return variant && planOf(*variant).storesScores &&
           (part == AttentionPart::kScores || part == AttentionPart::kSoftmax ||
            part == AttentionPart::kValues || part == AttentionPart::kProducts);
}

std::string_view AttentionParts::productsName() const {
    const bool fused = std::ranges::find(rows, AttentionPart::kFused, &AttentionPartRow::part) != rows.end();
    return fused ? "GEMMs and fused attention" : "GEMMs";
}

bool AttentionParts::flopsKnown(PlanPhase phase) const {
    return std::ranges::all_of(
        rows, [phase](const AttentionPartRow& row) { return row.phase != phase || row.flopsKnown; });
}

Flops AttentionParts::flops(PlanPhase phase) const {
    Flops sum;
    for (const AttentionPartRow& row : rows) {
        if (row.phase == phase)
            sum = saturatingSum(sum, row.flops);
    }
    return sum;
}

AttentionParts attentionParts(const Snapshot& snapshot, const WorkScope& scope) {
    const TimesOfScope times(snapshot, scope);
    const std::optional<RunConfig> config = configOfRun(snapshot);
    AttentionParts parts;
    parts.gpu = times.taken.gpu;
    parts.steps = times.taken.steps;
    parts.measured = times.taken.measured;
    parts.ofRange = times.taken.ofRange;
    parts.unfinished = isOfUnfinishedStep(snapshot, scope);
    parts.unplanned = planUnsaid(snapshot);
    parts.rates = !parts.unfinished && parts.unplanned.empty();
    if (config)
        parts.variant = config->attention;
    PartsBuilder builder(snapshot, parts);
    builder.addTimes(times.taken);
    const bool ofAllBlocks =
        !parts.unfinished && scope.filter.ranges.empty() && scope.filter.modulePath.empty();
    if (!ofAllBlocks)
        builder.addRan(scope.ofAllOps() ? times.taken : workTimes(snapshot, withAllOps(scope)));
    if (config)
        builder.countBlocks(*config, ofAllBlocks);
    if (config && parts.unplanned.empty())
        builder.addPlan(*config, scope.filter, PlanOfScope(snapshot, *config, scope, times));
    builder.finish();
    parts.note = noteOf(parts);
    return parts;
}

}  // namespace warpglass
