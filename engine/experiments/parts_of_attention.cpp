// What the parts of attention cost in time and in operations, and where each stands on the roofline.
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/experiments/catalogue.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/model/roofline.h"
#include "engine/sweep/grid.h"

namespace warpglass::experiment {
namespace {

std::string_view partWords(const AttentionPartRow& row) {
    return kAttentionPartNames[static_cast<std::size_t>(row.part)];
}

ReportTable partsTable(const AttentionParts& parts) {
    ReportTable table{"Parts of attention per step",
                      {{"Phase", "phase"},
                       {"Part", "part"},
                       {"Time", "time_ns", Unit::kNanoseconds},
                       {"Time %", "time_share", Unit::kFraction},
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
             row.timeShare, rates ? Cell(row.flops.value) : Cell(), rates ? Cell(row.flopsShare) : Cell(),
             row.moved.value > 0 ? Cell(row.moved.value) : Cell(),
             rates && row.time > 0 ? Cell(row.flopsPerSecond()) : Cell(),
             rates && row.moved.value > 0
                 ? Cell(static_cast<double>(row.flops.value) / static_cast<double>(row.moved.value))
                 : Cell()});
    }
    return table;
}

const AttentionPartRow* find(const AttentionParts& parts, PlanPhase phase, AttentionPart part) {
    const auto found = std::find_if(parts.rows.begin(), parts.rows.end(), [&](const AttentionPartRow& row) {
        return row.phase == phase && row.part == part;
    });
    return found == parts.rows.end() ? nullptr : &*found;
}

void answer(const AttentionParts& parts, PlanPhase phase, ExperimentResult& result) {
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
    if (scores->flopsKnown && softmax->flopsKnown && softmax->flops.value > 0) {
        const double flops =
            static_cast<double>(scores->flops.value) / static_cast<double>(softmax->flops.value);
        const double time = scores->time / softmax->time;
        sentence += ": scores have " + timesWords(flops) + " the FLOPs of softmax and take " +
                    timesWords(time) + " its time";
        if (flops > 2 * time)
            sentence += ", so arithmetic is not what softmax's time goes to";
    }
    result.answers.push_back(sentence + ".");
}

/// "scores", "values" of "blocks.*.attn/scores"; the name itself for what is no part.
bool isOfAttention(const RooflinePoint& point) {
    return point.name.find("attn") != std::string::npos;
}

std::optional<Chart> rooflineChart(const Snapshot& run, ExperimentResult& result) {
    Chart chart{.key = "attention-roofline", .title = "Attention's GEMMs on the roofline"};
    chart.x = {"FLOPs per byte", Unit::kRatio, true};
    chart.y = {"FLOP/s", Unit::kFlopsPerSecond, true};
    double least = 1e300, most = 0;
    const RooflinePoint* worst = nullptr;
    const std::vector<RooflinePoint> points = roofline(run);
    for (const PlanPhase phase : {PlanPhase::kForward, PlanPhase::kBackward}) {
        ChartSeries series{std::string(planPhaseName(phase)), {}};
        series.isScattered = true;
        for (const RooflinePoint& point : points) {
            if (point.phase != phase || !isOfAttention(point) || point.time <= 0)
                continue;
            series.points.push_back({.x = point.intensity(), .y = point.flopsPerSecond()});
            least = std::min(least, point.intensity());
            most = std::max(most, point.intensity());
            if (point.share() && (!worst || *point.share() < *worst->share()))
                worst = &point;
        }
        if (!series.points.empty())
            chart.series.push_back(std::move(series));
    }
    if (chart.series.empty())
        return std::nullopt;
    const RunCeilings ceilings = ceilingsOf(run);
    const RunCeiling& roof = ceilings.measured.flopsPerSecond ? ceilings.measured : ceilings.dataSheet;
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
        chart.sentence = "The furthest below its ceiling is " + worst->name + " in the " +
                         std::string(planPhaseName(worst->phase)) + " pass: it reaches " +
                         formatPercent(*worst->share()) + " of what the roofline allows.";
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
            const auto name = std::find(names.begin(), names.end(), partWords(row));
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

std::vector<NamedSweep> sweeps(const ExperimentOptions& options) {
    return {planSweep(options, "attention-parts", {{"attention", {"naive"}}},
                      {{"model", byDevice<std::string>(options, "small", "tiny")},
                       {"context", byDevice<std::string>(options, "1024", "128")},
                       {"mode", "step"},
                       {"warmup", "3"},
                       {"steps", "5"}},
                      KeepRuns::kYes)};
}

void evaluate(const ExperimentEvidence& evidence, ExperimentResult& result) {
    const Sweep& sweep = evidence.sweep("attention-parts");
    for (const SweepCell& cell : sweep.cells) {
        const auto run = evidence.run(cell);
        if (!run)
            continue;
        const AttentionParts parts = attentionParts(*run);
        if (parts.rows.empty())
            continue;
        for (const PlanPhase phase : {PlanPhase::kForward, PlanPhase::kBackward})
            answer(parts, phase, result);
        result.tables.push_back(partsTable(parts));
        result.charts.push_back(sharesChart(parts));
        if (!result.answers.empty())
            result.charts.back().sentence = result.answers.front();
        if (auto chart = rooflineChart(*run, result))
            result.charts.push_back(std::move(*chart));
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
    sweeps, evaluate};

}  // namespace warpglass::experiment
