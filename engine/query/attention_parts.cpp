#include "engine/query/attention_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/base/format.h"
#include "engine/query/matrix_products.h"
#include "engine/query/module_group.h"
#include "engine/query/op_family.h"
#include "engine/query/plan_of_run.h"
#include "engine/query/work_times.h"

namespace warpglass {
namespace {

using Key = std::pair<PlanPhase, AttentionPart>;

/// What a place's module is of an attention: "attn", "q_proj"; nothing for what is in none.
std::optional<std::string_view> inAttention(std::string_view module) {
    constexpr std::string_view kAttention = ".attn";
    const std::size_t at = module.find(kAttention);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = module.substr(at + kAttention.size());
    if (rest.empty())
        return "attn";
    return rest.front() == '.' ? std::optional(rest.substr(1)) : std::nullopt;
}

/// The part that a projection's path is of.
std::optional<AttentionPart> projection(std::string_view module) {
    if (module == "output_proj")
        return AttentionPart::kOutput;
    return module == "attn" ? std::nullopt : std::optional(AttentionPart::kProjections);
}

bool isOpaque(const std::optional<AttentionVariant>& variant) {
    return variant == AttentionVariant::kSdpaMath || variant == AttentionVariant::kTiled;
}

/// Of what an attention module runs itself.
AttentionPart partOf(std::string_view part, OpFamily family, const std::optional<AttentionVariant>& variant) {
    if (part == "scores")
        return AttentionPart::kScores;
    if (part == "softmax")
        return AttentionPart::kSoftmax;
    if (part == "values")
        return AttentionPart::kValues;
    if (family == OpFamily::kAttention)
        return AttentionPart::kFused;
    if (family == OpFamily::kMatmul)
        return AttentionPart::kProducts;
    if (family == OpFamily::kNormalisation && variant == AttentionVariant::kSdpaMath)
        return AttentionPart::kSoftmax;
    return AttentionPart::kRotation;
}

/// Where the plan's entry is found in this run.
AttentionPart plannedPart(std::string_view part, const std::optional<AttentionVariant>& variant) {
    if (part == "rope")
        return AttentionPart::kRotation;
    if (variant && isFusedAttention(*variant))
        return AttentionPart::kFused;
    if (variant == AttentionVariant::kTiled && part == "softmax")
        return AttentionPart::kRotation;
    if (isOpaque(variant) && part != "softmax")
        return AttentionPart::kProducts;
    return part == "scores"    ? AttentionPart::kScores
           : part == "softmax" ? AttentionPart::kSoftmax
                               : AttentionPart::kValues;
}

class Builder {
public:
    Builder(const Snapshot& snapshot, AttentionParts& parts) : m_snapshot(snapshot), m_parts(parts) {}

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
            row.instances += work.instances;
            if (isProductOp(m_snapshot.name(work.op)) && !work.copy)
                row.productTime += time;
        }
    }

    /// Of an unfinished step: the work of all its ops, which addPlan() counts the plan of.
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
    void addPlan(const RunConfig& config, const SpanFilter& filter) {
        for (const FlopsEntry& entry : countFlops(config).entries) {
            if (!isPlannedIn(filter, entry.phase, entry.module))
                continue;
            if (AttentionPartRow* row = planned(entry.phase, entry.module, entry.part)) {
                row->flops += entry.matmul + entry.elementwise;
                row->matmulFlops += entry.matmul;
            }
        }
        for (const MatrixProduct& product : matrixProducts(config)) {
            if (!isPlannedIn(filter, product.phase, product.module))
                continue;
            if (AttentionPartRow* row = planned(product.phase, product.module, product.part))
                row->moved += product.bytes;
        }
        m_parts.blocks = m_parts.unfinished ? std::ssize(m_blocks) : config.shape.layers;
    }

    void finish() {
        for (auto& [key, row] : m_rows)
            m_parts.rows.push_back(row);
        for (AttentionPartRow& row : m_parts.rows) {
            const double time = m_parts.time(row.phase);
            const auto flops = static_cast<double>(m_parts.flops(row.phase).value);
            row.timeShare = time > 0 ? row.time / time : 0;
            row.flopsShare = flops > 0 ? static_cast<double>(row.flops.value) / flops : 0;
        }
    }

private:
    /// Nothing for what is no attention's.
    std::optional<Key> keyOf(const WorkRow& work, const Place& place) const {
        const auto module = inAttention(m_snapshot.name(place.module));
        if (!module || (place.phase != Phase::kForward && place.phase != Phase::kBackward))
            return std::nullopt;
        const OpFamily family = opFamily(m_snapshot.name(work.op), place.phase);
        return Key(
            place.phase == Phase::kForward ? PlanPhase::kForward : PlanPhase::kBackward,
            projection(*module).value_or(partOf(m_snapshot.name(place.part), family, m_parts.variant)));
    }
    AttentionPartRow& at(PlanPhase phase, AttentionPart part) {
        AttentionPartRow& row = m_rows[{phase, part}];
        row.phase = phase;
        row.part = part;
        return row;
    }
    AttentionPartRow* planned(PlanPhase phase, std::string_view path, std::string_view part) {
        const auto module = inAttention(path);
        if (!module)
            return nullptr;
        const AttentionPart of = projection(*module).value_or(plannedPart(part, m_parts.variant));
        if (m_parts.unfinished && !m_ran.contains({phase, of, std::string(path)}))
            return nullptr;
        const auto found = m_rows.find({phase, of});
        return found == m_rows.end() ? nullptr : &found->second;
    }

    const Snapshot& m_snapshot;
    AttentionParts& m_parts;
    std::map<Key, AttentionPartRow> m_rows;
    std::set<std::tuple<PlanPhase, AttentionPart, std::string>> m_ran;  // with the module
    std::set<std::int64_t> m_blocks;
};

/// Of the scope's steps, phase and modules, whatever ops it names.
WorkTimes timesOfAllOps(const Snapshot& snapshot, WorkScope scope) {
    scope.filter.name.clear();
    scope.text.clear();
    return workTimes(snapshot, scope);
}

std::string variantNote(AttentionVariant variant) {
    const std::string name(attentionName(variant));
    if (isFusedAttention(variant))
        return "Scores, softmax and values are one fused kernel in " + name +
               ": their times cannot be told apart, and the scores are never stored.";
    if (variant == AttentionVariant::kSdpaMath)
        return "LibTorch runs " + name +
               " under one range: scores and values are told from the rest by their ops, not from each "
               "other.";
    if (variant == AttentionVariant::kTiled)
        return "Tiled attention runs under one range: its matrix products are scores and values together, "
               "softmax stands with what is neither.";
    return "The scale and the mask run within scores; the plan counts their arithmetic with softmax.";
}

/// How these figures differ from the roofline's (roofline.h).
std::string rooflineNote(const AttentionParts& parts) {
    if (parts.unfinished)
        return " The step was not completed: FLOPs and bytes are those of what ran of it, as planned.";
    Flops all, products;
    for (const AttentionPartRow& row : parts.rows) {
        all += row.flops;
        products += row.matmulFlops;
    }
    if (products.value <= 0 || all.value <= products.value)
        return {};
    const double more = static_cast<double>(all.value) / static_cast<double>(products.value) - 1;
    return " The roofline counts matrix products alone, and their kernels: here softmax, rotation and scale "
           "count too, " +
           formatPercent(more) +
           " more FLOPs, and all that a part runs; “In products” is the roofline's "
           "time.";
}

std::string noteOf(const AttentionParts& parts) {
    return parts.variant ? variantNote(*parts.variant) + rooflineNote(parts)
                         : "This run states no configuration: its arithmetic is not known.";
}

}  // namespace

double AttentionParts::time(PlanPhase phase) const {
    double sum = 0;
    for (const AttentionPartRow& row : rows)
        sum += row.phase == phase ? row.time : 0;
    return sum;
}

Flops AttentionParts::flops(PlanPhase phase) const {
    Flops sum;
    for (const AttentionPartRow& row : rows) {
        if (row.phase == phase)
            sum += row.flops;
    }
    return sum;
}

AttentionParts attentionParts(const Snapshot& snapshot, const WorkScope& scope) {
    const WorkTimes times = workTimes(snapshot, scope);
    const std::optional<RunConfig> config = configOfRun(snapshot);
    AttentionParts parts;
    parts.gpu = times.gpu;
    parts.steps = times.steps;
    parts.measured = times.measured;
    parts.ofRange = times.ofRange;
    parts.wholeSteps = times.wholeSteps;
    parts.unfinished = isOfUnfinishedStep(snapshot, scope);
    if (config)
        parts.variant = config->attention;
    Builder builder(snapshot, parts);
    builder.addTimes(times);
    if (parts.unfinished)
        builder.addRan(scope.ofAllOps() ? times : timesOfAllOps(snapshot, scope));
    if (config)
        builder.addPlan(*config, scope.filter);
    builder.finish();
    parts.note = noteOf(parts);
    return parts;
}

}  // namespace warpglass
