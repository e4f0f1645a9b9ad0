// How memory goes up and down in a forward pass and in a training step, what it peaks at, and what fills it.
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/base/format.h"
#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/experiments/memory_snapshots.h"
#include "engine/plan/settings.h"
#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_statistics.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/statistics/step_table.h"
#include "engine/sweep/grid.h"
#include "engine/tables/series_choices.h"

namespace warpglass::experiment {
namespace {

constexpr std::size_t kColumns = 600;
constexpr std::size_t kLargest = 10;

struct OpenedCell {
    const SweepCell* cell = nullptr;
    std::shared_ptr<const Snapshot> run;
};

/// The cell of a mode with the largest context, in the first precision, of those that kept a run.
OpenedCell largestOf(const ExperimentEvidence& evidence, const Sweep& sweep, const std::string& mode) {
    const auto contexts = valuesOf(sweep, "context");
    for (auto context = contexts.rbegin(); context != contexts.rend(); ++context) {
        const SweepCell* cell = okCellAt(sweep, {{"context", *context}, {"mode", mode}});
        if (!cell)
            continue;
        if (auto run = evidence.run(*cell))
            return {cell, std::move(run)};
    }
    return {};
}

/// The first measured step, whole.
std::optional<StepRow> measuredStep(const MemoryTimeline& memory) {
    SpanFilter filter;
    filter.measuredOnly = true;
    const std::vector<StepRow> steps = stepTable(memory, filter);
    return steps.empty() ? std::nullopt : std::optional(steps.front());
}

/// Memory over one step, a series for each phase: gaps between them continue the one before.
Chart curveOf(const MemoryTimeline& memory, const StepRow& step, const std::string& mode,
              const std::string& title) {
    Chart chart{.key = "memory-" + mode, .title = title};
    chart.x = {"Time from the start of the step", Unit::kNanoseconds};
    chart.y = {"Allocated", Unit::kBytes};
    const std::vector<MemoryColumn> columns = memory.columns(step.range, kColumns);
    const Snapshot& run = *memory.snapshot();
    std::vector<std::pair<TimeRange, std::string>> phases;
    forEachRow(run, TrackKind::kPhase, [&](const SpanChunk& chunk, std::uint32_t i) {
        const TimeRange range = chunk.range(i);
        if (range.overlaps(step.range))
            phases.emplace_back(range, std::string(run.name(NameId(chunk.name[i]))));
    });
    std::ranges::sort(phases, [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
    const double width = static_cast<double>(step.range.duration().value) / static_cast<double>(kColumns);
    std::size_t phase = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double at = (static_cast<double>(i) + 0.5) * width;
        while (phase + 1 < phases.size() &&
               static_cast<double>((phases[phase + 1].first.begin - step.range.begin).value) <= at)
            ++phase;
        const std::string name = phases.empty() ? "step" : phases[phase].second;
        if (chart.series.empty() || chart.series.back().name != name) {
            ChartSeries next{name, {}};
            if (!chart.series.empty())  // the line goes on where the phase before ended
                next.points.push_back(chart.series.back().points.back());
            chart.series.push_back(std::move(next));
        }
        chart.series.back().points.push_back({.x = at, .y = static_cast<double>(columns[i].maxTotal)});
    }
    return chart;
}

ReportTable peaksTable(const Sweep& sweep) {
    ReportTable table{"Peak memory",
                      {{"Context", "context", Unit::kCount},
                       {"Precision", "precision"},
                       {"Mode", "mode"},
                       {"State", "state"},
                       {"Peak, allocated", "peak_bytes", Unit::kBytes},
                       {"Predicted", "predicted_peak_bytes", Unit::kBytes},
                       {"Peak, reserved", "peak_reserved_bytes", Unit::kBytes}},
                      {},
                      "peaks"};
    for (const SweepCell& cell : sweep.cells) {
        if (cell.repeat != 0)
            continue;
        const auto bytes = [&](std::string_view key) { return wholeCell(cell.figure(key)); };
        table.rows.push_back({std::int64_t{std::stoll(valueOf(sweep, cell, "context"))},
                              valueOf(sweep, cell, "precision"), valueOf(sweep, cell, "mode"),
                              std::string(cellStateName(cell.state)), bytes("peak_bytes"),
                              bytes("predicted_peak_bytes"), bytes("peak_reserved_bytes")});
    }
    return table;
}

Chart peaksChart(const Sweep& sweep) {
    Chart chart{.key = "memory-peaks", .title = "Peak memory by context length"};
    chart.x = {"Context length", Unit::kCount, true};
    chart.y = {"Peak, allocated", Unit::kBytes, true};
    for (const std::string& mode : valuesOf(sweep, "mode")) {
        for (const std::string& precision : valuesOf(sweep, "precision")) {
            ChartSeries series = seriesOf(mode, precision);
            for (const std::string& context : valuesOf(sweep, "context")) {
                const SweepCell* cell =
                    cellAt(sweep, {{"context", context}, {"precision", precision}, {"mode", mode}});
                if (cell)
                    series.points.push_back(pointOf(*cell, std::stod(context), "peak_bytes"));
            }
            chart.series.push_back(std::move(series));
        }
    }
    chart.setup = settingsInCommon(sweep.plan);
    return chart;
}

void answerPeaks(const Sweep& sweep, ExperimentResult& result) {
    const auto contexts = valuesOf(sweep, "context");
    for (const std::string& precision : valuesOf(sweep, "precision")) {
        std::vector<std::string> words;
        for (const std::string& context : contexts) {
            const auto peak = [&](const char* mode) -> std::optional<double> {
                const SweepCell* cell =
                    okCellAt(sweep, {{"context", context}, {"precision", precision}, {"mode", mode}});
                return cell ? cell->figure("peak_bytes") : std::nullopt;
            };
            const auto forward = peak("forward"), step = peak("step");
            if (forward && step)
                words.push_back(formatBytes(Bytes(std::llround(*forward))) + " forward only and " +
                                formatBytes(Bytes(std::llround(*step))) + " in a step at context " + context);
        }
        if (!words.empty())
            result.answers.push_back("Peak memory in " + precision + ": " + listed(words) + ".");
    }
}

/// The tensor of the residual stream: derived, and a forward pass's allocations of exactly that size.
void answerResidual(const OpenedCell& opened, const Sweep& sweep, ExperimentResult& result) {
    const RunConfig config = configOf(sweep.plan, *opened.cell);
    const std::int64_t derived = config.batch * config.context * config.shape.dModel * 4;
    std::int64_t found = 0;
    std::set<std::string> modules;
    const Snapshot& run = *opened.run;
    MemoryTimeline memory;
    memory.update(opened.run);
    for (std::size_t i = 0; i < run.allocationCount(); ++i) {
        const AllocationId id(static_cast<std::uint32_t>(i));
        const std::optional<AllocationRow> row = run.allocation(id);
        if (!row || row->requested != derived || memory.categoryOf(id) != Category::kActivations)
            continue;
        ++found;
        const std::string_view module = run.name(run.place(row->place).module);
        if (!module.empty())
            modules.emplace(module);
    }
    std::string sentence = "One tensor of the residual stream is batch × context × d_model × 4 bytes = " +
                           formatGrouped(config.batch) + " × " + formatGrouped(config.context) + " × " +
                           formatGrouped(config.shape.dModel) + " × 4 = " + formatGrouped(derived) +
                           " bytes (" + formatBytes(Bytes(derived)) + ")";
    if (found > 0)
        sentence += "; the run (" + cellTitle(sweep.plan, *opened.cell) + ") made " +
                    counted(found, "activation", "activations") + " of exactly this size in its " +
                    counted(config.warmup + config.steps, "step", "steps") + ", in " +
                    counted(static_cast<std::int64_t>(modules.size()), "module", "modules");
    result.answers.push_back(sentence + ".");
}

ReportTable largestTable(const MemoryTimeline& memory, Nanoseconds at) {
    ReportTable table{"The largest allocations live at the peak of a training step",
                      {{"Size", "bytes", Unit::kBytes},
                       {"Category", "category"},
                       {"Phase", "phase"},
                       {"Module", "module"},
                       {"Op", "op"},
                       {"Allocated", "allocated_ns", Unit::kMoment},
                       {"Freed", "freed_ns", Unit::kMoment}},
                      {},
                      "largest-allocations"};
    for (const AllocationDetail& one : largestAllocations(memory, memory.aliveAt(at), kLargest))
        table.rows.push_back({one.row.bytes, one.category, one.phase, textOrAbsent(one.module),
                              textOrAbsent(one.op), one.allocated.value,
                              one.freed ? Cell(one.freed->value) : Cell()});
    return table;
}

void evaluateCurves(const ExperimentEvidence& evidence, const Sweep& sweep, ExperimentResult& result) {
    for (const std::string& mode : valuesOf(sweep, "mode")) {
        const OpenedCell opened = largestOf(evidence, sweep, mode);
        if (!opened.run)
            continue;
        MemoryTimeline memory;
        memory.update(opened.run);
        const std::optional<StepRow> step = measuredStep(memory);
        if (!step)
            continue;
        Chart chart = curveOf(memory, *step, mode,
                              (mode == "forward" ? "Memory over a forward pass, " : "Memory over a step, ") +
                                  cellTitle(sweep.plan, *opened.cell));
        chart.setup = settingsInCommon(sweep.plan);
        if (const auto peak = memory.peakIn(step->range)) {
            std::string phase;
            for (const ChartSeries& series : chart.series) {
                if (!series.points.empty() &&
                    series.points.front().x <= static_cast<double>((peak->time - step->range.begin).value))
                    phase = series.name;
            }
            // No share of the way: memory is told on the host's clock, and the host runs ahead of a GPU.
            chart.sentence = "The memory of " + std::string(mode == "forward" ? "a forward pass" : "a step") +
                             " at context " + valueOf(sweep, *opened.cell, "context") + " in " +
                             valueOf(sweep, *opened.cell, "precision") + " peaks at " +
                             formatBytes(Bytes(sumOf(peak->bytes)));
            if (mode != "forward" && !phase.empty())
                chart.sentence +=
                    ", in its " + phase + (phase == "forward" || phase == "backward" ? " pass" : " phase");
            chart.sentence += ".";
            result.answers.push_back(chart.sentence);
            if (mode == "step") {
                result.tables.push_back(largestTable(memory, peak->time));
                const auto& rows = result.tables.back().rows;
                if (!rows.empty())
                    result.answers.push_back(
                        "The largest allocation live then is " + readableCell(rows[0][0], Unit::kBytes) +
                        " of " + readableCell(rows[0][1], Unit::kText) + ", made by " +
                        readableCell(rows[0][4], Unit::kText) +
                        (isAbsent(rows[0][3]) ? std::string()
                                              : " in " + readableCell(rows[0][3], Unit::kText)) +
                        " (" + readableCell(rows[0][2], Unit::kText) + ").");
            }
        }
        result.charts.push_back(std::move(chart));
    }
}

std::vector<NamedSweep> memorySweeps(const ExperimentOptions& options) {
    return {planSweep(
        options, "memory",
        {{"context",
          byDevice<std::vector<std::string>>(options, {"128", "256", "512"}, {"64", "128", "256"})},
         {"precision", {"fp32", "bf16"}},
         {"mode", {"forward", "step"}}},
        {{"model", byDevice<std::string>(options, "2.7B", "tiny")}, {"warmup", "1"}, {"steps", "2"}},
        KeepRuns::kWithMemorySnapshots)};
}

void evaluateMemory(const ExperimentEvidence& evidence, ExperimentResult& result) {
    const Sweep& sweep = evidence.sweep("memory");
    answerPeaks(sweep, result);
    result.tables.push_back(peaksTable(sweep));
    result.charts.push_back(peaksChart(sweep));
    if (!result.answers.empty())
        result.charts.back().sentence = result.answers.front();
    evaluateCurves(evidence, sweep, result);
    if (const OpenedCell opened = largestOf(evidence, sweep, "step"); opened.run)
        answerResidual(opened, sweep, result);
    noteCpuSizes(evidence.options(), result);
    noteCells(sweep, result);
    listMemorySnapshots(sweep, result);
}

}  // namespace

const Experiment kMemory = {.name = "memory",
                            .title = "Memory over time",
                            .lookFor =
                                "Where memory peaks in a forward pass and in a training step, how the peak "
                                "grows with the context, and which tensors fill it.",
                            .sweeps = memorySweeps,
                            .evaluate = evaluateMemory,
                            .tellsTimes = false};

}  // namespace warpglass::experiment
