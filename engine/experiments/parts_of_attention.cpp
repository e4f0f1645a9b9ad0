// What the parts of attention cost in time and in operations, and where each stands on the roofline.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/format.h"
#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/plan/parts.h"
#include "engine/plan/saturating.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/model/roofline.h"
#include "engine/sweep/grid.h"
#include "engine/tables/series_choices.h"

namespace warpglass::experiment {
namespace {

/// A part that moves its bytes at this share of the memory's bandwidth, or more, is bound by it.
constexpr double kBoundByMemory = 0.6;
/// The ceiling is measured, and a kernel may pass it by a little; what moves more is not all memory's.
constexpr double kServedByCache = 1.05;
/// The last cache of a CPU or a GPU may hold as much, and then the memory's bandwidth is no measure.
constexpr std::int64_t kFitsInCache = 32 << 20;

std::string_view partWords(const AttentionPartRow& row) {
    return kAttentionPartNames[static_cast<std::size_t>(row.part)];
}

ReportTable partsTable(const AttentionParts& parts) {
    ReportTable table{"Parts of attention per step",
                      {{"Phase", "phase"},
                       {"Part", "part"},
                       {"Time", "time_ns", Unit::kNanoseconds},
                       {"Time %", "time_share", Unit::kFraction},
                       {"GEMM time", "product_ns", Unit::kNanoseconds},
                       {"FLOPs", "flops", Unit::kFlops},
                       {"FLOPs %", "flops_share", Unit::kFraction},
                       {"Bytes moved", "moved_bytes", Unit::kBytes},
                       {"FLOP/s", "flops_per_second", Unit::kFlopsPerSecond},
                       {"FLOPs per byte", "intensity", Unit::kRatio}},
                      {},
                      "attention-parts"};
    for (const AttentionPartRow& row : parts.rows) {
        const bool rates = row.flopsKnown && parts.rates && row.flops.value > 0;
        table.rows.push_back(
            {std::string(planPhaseName(row.phase)), std::string(partWords(row)), wholeCell(row.time),
             row.timeShare, row.productTime > 0 ? wholeCell(row.productTime) : Cell(),
             rates ? Cell(row.flops.value) : Cell(), rates ? Cell(row.flopsShare) : Cell(),
             row.moved.value > 0 ? Cell(row.moved.value) : Cell(),
             rates && row.time > 0 ? Cell(row.flopsPerSecond()) : Cell(),
             rates && row.moved.value > 0
                 ? Cell(static_cast<double>(row.flops.value) / static_cast<double>(row.moved.value))
                 : Cell()});
    }
    return table;
}

const AttentionPartRow* find(const AttentionParts& parts, PlanPhase phase, AttentionPart part) {
    const auto found = std::ranges::find_if(
        parts.rows, [&](const AttentionPartRow& row) { return row.phase == phase && row.part == part; });
    return found == parts.rows.end() ? nullptr : &*found;
}

/// What naive attention's softmax moves at the least, of all blocks: forward a score read and a probability
/// written, backward a probability and its gradient read and the score's gradient written; in the type of the
/// GEMMs beside it.
Bytes leastMovedBySoftmax(const RunConfig& config, std::int64_t blocks, PlanPhase phase) {
    const Saturating scores =
        Saturating(config.batch) * config.shape.heads * config.context * config.context * blocks;
    return Bytes(
        (scores * (isMixed(config.precision) ? 2 : 4) * (phase == PlanPhase::kForward ? 2 : 3)).value());
}

/// As attentionParts() has them, and the bytes of softmax, where it runs by itself.
AttentionParts partsOf(const Snapshot& run) {
    AttentionParts parts = attentionParts(run);
    const std::optional<RunConfig> config = configOfRun(run);
    if (!config || !parts.rates || attentionPlan(*config).record != AttentionRecord::kRanges)
        return parts;
    for (AttentionPartRow& row : parts.rows) {
        if (row.part == AttentionPart::kSoftmax)
            row.moved = leastMovedBySoftmax(*config, parts.blocks, row.phase);
    }
    return parts;
}

/// What was measured of the device, and else its data sheet.
RunCeiling roofOf(const Snapshot& run) {
    const RunCeilings ceilings = ceilingsOf(run);
    return ceilings.measured.flopsPerSecond ? ceilings.measured : ceilings.dataSheet;
}

void answer(const AttentionParts& parts, const RunCeiling& roof, PlanPhase phase, const SweepCell& cell,
            ExperimentResult& result) {
    const AttentionPartRow* scores = find(parts, phase, AttentionPart::kScores);
    const AttentionPartRow* softmax = find(parts, phase, AttentionPart::kSoftmax);
    const AttentionPartRow* values = find(parts, phase, AttentionPart::kValues);
    if (!scores || !softmax || !values || softmax->time <= 0)
        return;
    const auto blocks = static_cast<double>(std::max<std::int64_t>(1, parts.blocks));
    const auto perBlock = [&](const AttentionPartRow& row) {
        return formatDuration(Nanoseconds(std::llround(row.time / blocks)));
    };
    std::string sentence = "In a block's " + std::string(planPhaseName(phase)) + " pass scores take " +
                           perBlock(*scores) + ", softmax " + perBlock(*softmax) + " and values " +
                           perBlock(*values);
    if (scores->flopsKnown && softmax->flopsKnown && softmax->flops.value > 0)
        sentence +=
            ": scores have " +
            timesWords(static_cast<double>(scores->flops.value) / static_cast<double>(softmax->flops.value)) +
            " the FLOPs of softmax and take " + timesWords(scores->time / softmax->time) + " its time";
    result.answers.push_back(sentence + disturbedClause({&cell}) + ".");
    if (softmax->moved.value <= 0)
        return;
    const double rate = static_cast<double>(softmax->moved.value) / (softmax->time / 1e9);
    const Bytes inBlock(std::llround(static_cast<double>(softmax->moved.value) / blocks));
    sentence = "Softmax's " + std::string(planPhaseName(phase)) + " pass moves at least " +
               formatBytes(inBlock) + " in a block, at " + formatByteRate(rate);
    if (inBlock.value <= kFitsInCache) {
        sentence += ": little enough for a cache to hold, so that the memory's bandwidth says nothing of it";
    } else if (roof.bytesPerSecond) {
        const double share = rate / *roof.bytesPerSecond;
        sentence += ", " + formatPercent(share) + " of the bandwidth of the device's memory";
        if (share > kServedByCache)
            sentence += ": part of it is served by a cache";
        else if (share >= kBoundByMemory)
            sentence += ": that, and not its arithmetic, is what its time goes to";
    }
    result.answers.push_back(sentence + disturbedClause({&cell}) + ".");
}

/// What a part's time is measured against on the roofline: of a GEMM its own kernels, as the roofline of a
/// run has it; of softmax the whole.
struct RooflineWork {
    double flops = 0, time = 0;
};
RooflineWork workOf(const AttentionPartRow& row) {
    if (row.part == AttentionPart::kSoftmax)
        return {static_cast<double>(row.flops.value), row.time};
    return {static_cast<double>(row.matmulFlops.value), row.productTime};
}

std::optional<Chart> rooflineChart(const AttentionParts& parts, const RunCeiling& roof, const SweepCell& cell,
                                   ExperimentResult& result) {
    Chart chart{.key = "attention-roofline", .title = "The parts of attention on the roofline"};
    chart.x = {"FLOPs per byte", Unit::kRatio, true};
    chart.y = {"FLOP/s", Unit::kFlopsPerSecond, true};
    double least = std::numeric_limits<double>::infinity(), most = 0;
    std::optional<double> worst;
    std::string worstName;
    for (const AttentionPartRow& row : parts.rows) {
        const RooflineWork work = workOf(row);
        if (!parts.rates || work.flops <= 0 || work.time <= 0 || row.moved.value <= 0)
            continue;
        const bool projects = row.part == AttentionPart::kProjections || row.part == AttentionPart::kOutput;
        ChartSeries points = seriesOf(projects ? "projections" : std::string(partWords(row)),
                                      std::string(planPhaseName(row.phase)));
        points.isScattered = true;
        auto series = std::ranges::find(chart.series, points.name, &ChartSeries::name);
        if (series == chart.series.end())
            series = chart.series.insert(series, std::move(points));
        const double intensity = work.flops / static_cast<double>(row.moved.value);
        const double rate = work.flops / (work.time / 1e9);
        series->points.push_back({.x = intensity, .y = rate});
        least = std::min(least, intensity);
        most = std::max(most, intensity);
        if (!roof.flopsPerSecond || !roof.bytesPerSecond)
            continue;
        const double share = rate / std::min(*roof.flopsPerSecond, intensity * *roof.bytesPerSecond);
        if (!worst || share < *worst) {
            worst = share;
            worstName =
                std::string(partWords(row)) + " in the " + std::string(planPhaseName(row.phase)) + " pass";
        }
    }
    if (chart.series.empty())
        return std::nullopt;
    if (roof.flopsPerSecond && roof.bytesPerSecond) {
        ChartSeries line{"roof", {}, true};
        const double ridge = *roof.flopsPerSecond / *roof.bytesPerSecond;
        for (const double x : {std::min(least, ridge) / 2, ridge, std::max(most, ridge) * 2})
            line.points.push_back({.x = x, .y = std::min(*roof.flopsPerSecond, x * *roof.bytesPerSecond)});
        chart.series.push_back(std::move(line));
    } else {
        chart.notes.emplace_back(
            "The device's ceilings are not known; `warpglass-cli devices --measure` measures them.");
    }
    if (worst) {
        chart.sentence = "The furthest below its ceiling is " + worstName + ": it reaches " +
                         formatPercent(*worst) + " of what the roofline allows" + disturbedClause({&cell}) +
                         ".";
        result.answers.push_back(chart.sentence);
    }
    return chart;
}

Chart sharesChart(const AttentionParts& parts) {
    Chart chart{.key = "attention-shares",
                .title = "Attention's parts: share of time beside share of FLOPs",
                .kind = ChartKind::kBars};
    chart.x = {"Part", Unit::kText};
    chart.y = {"Share of attention in its phase", Unit::kFraction};
    for (const PlanPhase phase : {PlanPhase::kForward, PlanPhase::kBackward}) {
        const std::string of = ", " + std::string(planPhaseName(phase));
        ChartSeries time{"time" + of, {}}, flops{"FLOPs" + of, {}};
        for (const AttentionPartRow& row : parts.rows) {
            if (row.phase != phase)
                continue;
            auto& names = chart.x.categories;
            const auto name = std::ranges::find(names, partWords(row));
            const auto x = static_cast<double>(name - names.begin());
            if (name == names.end())
                names.emplace_back(partWords(row));
            time.points.push_back({.x = x, .y = row.timeShare});
            flops.points.push_back({.x = x, .y = parts.rates ? row.flopsShare : 0});
        }
        chart.series.push_back(std::move(time));
        chart.series.push_back(std::move(flops));
    }
    return chart;
}

std::vector<NamedSweep> partsSweeps(const ExperimentOptions& options) {
    return {planSweep(options, "attention-parts", {{"attention", {"naive"}}},
                      {{"model", byDevice<std::string>(options, "small", "tiny")},
                       {"context", byDevice<std::string>(options, "1024", "128")},
                       {"mode", "step"},
                       {"warmup", "3"},
                       {"steps", "5"}},
                      KeepRuns::kYes)};
}

void evaluateParts(const ExperimentEvidence& evidence, ExperimentResult& result) {
    const Sweep& sweep = evidence.sweep("attention-parts");
    for (const SweepCell& cell : sweep.cells) {
        const auto run = evidence.run(cell);
        if (!run)
            continue;
        const AttentionParts parts = partsOf(*run);
        if (parts.rows.empty())
            continue;
        const RunCeiling roof = roofOf(*run);
        for (const PlanPhase phase : {PlanPhase::kForward, PlanPhase::kBackward})
            answer(parts, roof, phase, cell, result);
        result.tables.push_back(partsTable(parts));
        result.charts.push_back(sharesChart(parts));
        if (!result.answers.empty())
            result.charts.back().sentence = result.answers.front();
        if (auto chart = rooflineChart(parts, roof, cell, result))
            result.charts.push_back(std::move(*chart));
        for (Chart& chart : result.charts)
            chart.setup = settingsInCommon(sweep.plan);
        if (!parts.note.empty())
            result.notes.push_back(parts.note);
        if (!parts.unplanned.empty())
            result.notes.push_back(parts.unplanned);
        break;  // of the first variant; the others are told apart by comparing runs
    }
    noteCpuSizes(evidence.options(), result);
    noteCells(sweep, result);
}

}  // namespace

const Experiment kAttentionParts = {
    "attention-parts", "The parts of attention",
    "Whether softmax takes as long as its operations would say, beside the GEMMs of scores and values.",
    partsSweeps, evaluateParts};

}  // namespace warpglass::experiment
