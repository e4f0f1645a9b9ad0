// What a report says of one run.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "engine/base/format.h"
#include "engine/plan/data_sheet.h"
#include "engine/plan/device_ceilings.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/findings/trial_outcome.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/query/summary/caption.h"
#include "engine/query/summary/out_of_memory.h"
#include "engine/report/activity_tables.h"
#include "engine/report/memory_tables.h"
#include "engine/report/repeat_commands.h"
#include "engine/report/report_sections.h"
#include "engine/report/run_tables.h"
#include "engine/report/run_to_tell.h"
#include "engine/report/statistics_tables.h"
#include "engine/tables/report.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

using Tone = ReportParagraph::Tone;

std::string meanStep(const RunSummary& run) {
    std::string text = formatMeanDuration(*run.stepMean);
    if (const auto deviation = run.shownDeviation())
        text += " ± " + formatMeanDuration(*deviation);
    return text;
}

/// "A step takes 42.1 ms ± 0.3 ms, mean of 3 steps: 48,600 tokens per second." and the rest of the headline.
std::vector<ReportList::Item> headline(const RunOverview& run) {
    std::vector<ReportList::Item> items;
    const RunSummary& summary = run.summary;
    if (!summary.state.empty() && summary.state != run_state::kFinished)
        items.push_back(
            {"The run " + std::string(summary.state == run_state::kRecording ? "goes on" : "did not finish") +
                 ": " + stateInWords(summary) +
                 (summary.stateMessage.empty() ? "." : ". " + summary.stateMessage),
             {}});
    if (summary.stepMean) {
        std::string text = "A step takes " + meanStep(summary) + ", the mean of " +
                           std::to_string(summary.averagedSteps) +
                           (summary.averagedSteps == 1 ? " step" : " steps");
        if (summary.tokensPerSecond)
            text += ": " + formatCount(std::llround(*summary.tokensPerSecond)) + " tokens per second";
        items.push_back({text + ".", {}});
    }
    if (summary.utilization) {
        const ModelUtilization& mfu = *summary.utilization;
        std::string shares;
        if (const auto sheet = mfu.ofDataSheet())
            shares = formatPercent(*sheet) + " of the data sheet's rate";
        if (const auto measured = mfu.ofMeasured())
            shares += (shares.empty() ? "" : " and ") + formatPercent(*measured) +
                      " of the rate measured on the device";
        if (!shares.empty())
            items.push_back({"The model's GEMMs reach " + shares + ".", {}});
    }
    if (summary.peak)
        items.push_back({std::string("The most memory in use was ") +
                             (run.missing.lacksMemory() ? "at least " : "") +
                             formatBytes(Bytes(sumOf(summary.peak->bytes))) + ".",
                         {}});
    return items;
}

void addFindings(std::vector<ReportBlock>& blocks, const RunOverview& run) {
    if (run.findings.empty()) {
        blocks.emplace_back(ReportParagraph{nothingFound(run)});
        return;
    }
    std::optional<FindingCost> cost;
    for (const Finding& finding : run.findings) {
        if (cost != costOf(finding)) {
            cost = costOf(finding);
            blocks.emplace_back(
                ReportParagraph{std::string(kFindingCostHeads[static_cast<std::size_t>(*cost)]) + ":"});
            blocks.emplace_back(ReportList{});
        }
        ReportList::Item item{finding.sentence, {}};
        if (!finding.remedy.empty())
            item.more.push_back(finding.remedy);
        if (finding.trial)
            item.more.push_back("Try --" + finding.trial->setting + " " + finding.trial->value + ". " +
                                expectationSentence(*finding.trial));
        std::get<ReportList>(blocks.back()).items.push_back(std::move(item));
    }
}

/// What is known to be wrong with the file once all that the report has was read from it.
std::vector<std::string> warningsOf(const ReportRun& run, const MissingRecords& missing) {
    std::vector<std::string> warnings = run.warnings;
    const auto add = [&](const std::string& sentence) {
        if (!sentence.empty() && std::ranges::find(warnings, sentence) == warnings.end())
            warnings.push_back(sentence);
    };
    for (const std::string& sentence : run.snapshot->damage().sentences())
        add(sentence);
    add(missingSentence(missing));
    if (warnings.empty() && (run.isIncomplete || run.snapshot->damage().count() > 0 || missing.any()))
        add("Records are missing from the file.");
    return warnings;
}

std::vector<ReportBlock> configurationOf(const ReportRun& run, const RunToTell& facts) {
    std::vector<ReportBlock> blocks;
    const RunInfo& info = facts.run.info();
    for (const std::string& warning : warningsOf(run, facts.missing))
        blocks.emplace_back(ReportParagraph{warning, Tone::kCaution});
    if (const std::string caption = runCaption(info); !caption.empty())
        blocks.emplace_back(ReportParagraph{caption});
    if (facts.overview.summary.config)
        addTable(blocks, settingsTable(*facts.overview.summary.config));
    else
        blocks.emplace_back(ReportParagraph{"The run does not state its configuration.", Tone::kCaution});
    addTable(blocks, environmentTable(info.pairs()));
    if (facts.has(RunPart::kConditions))
        addTable(blocks, conditionsOfRunTable(facts.overview.conditions, true), true);
    return blocks;
}

std::vector<ReportBlock> answersOf(const RunToTell& facts) {
    std::vector<ReportBlock> blocks;
    for (const std::string& caution : cautionsOf(facts.overview))
        blocks.emplace_back(ReportParagraph{caution, Tone::kCaution});
    if (const std::string without = drawnWithout(facts.overview); !without.empty())
        blocks.emplace_back(ReportParagraph{without, Tone::kCaution});
    if (std::vector<ReportList::Item> items = headline(facts.overview); !items.empty())
        blocks.emplace_back(ReportList{std::move(items)});
    addFindings(blocks, facts.overview);
    return blocks;
}

/// Nothing where events are lost: what is left of them would tell of what was never live together.
void addMemory(std::vector<ReportBlock>& blocks, const RunToTell& facts, const std::string& file) {
    if (!facts.has(RunPart::kMemory))
        return;
    addTable(blocks, peakTable(facts.overview.summary, facts.memory, explainPeak(facts.memory)));
    addTable(blocks, memoryTable(facts.overview.summary, facts.memory), true);
    for (ReportTable& table : outOfMemoryTables(outOfMemory(facts.memory), TableFormat::kMarkdown))
        addRanked(blocks, std::move(table), "warpglass-cli info " + file);
}

std::vector<ReportBlock> tablesOf(const ReportInput& input, const RunToTell& facts) {
    const std::string file = shellWord(input.path.string());
    const auto stats = [&](const char* what) {
        return std::string("warpglass-cli stats ") + what + " " + file;
    };
    std::vector<ReportBlock> blocks;
    ReportTable figures = summaryTable(facts.overview.summary, true);
    figures.title = "The run in figures";
    forgetCounts(figures, facts.missing);
    addTable(blocks, std::move(figures), true);
    // What a page has room for; the command line prints all columns.
    const std::initializer_list<std::string_view> phases = {"name",      "time_share", "average_ns",
                                                            "stddev_ns", "min_ns",     "max_ns"};
    SpanFilter measured;
    measured.measuredOnly = true;
    if (facts.has(RunPart::kGpuPhases))
        addTable(blocks, onlyColumns(gpuPhasesTable(facts.run, true), phases));
    if (facts.has(RunPart::kPhases))
        addTable(blocks,
                 onlyColumns(
                     statisticsReport({{}, phaseStatistics(facts.run), 0, "Phases" + hostClockOf(facts.run)},
                                      StatisticsOf::kPhases, "phases", true),
                     phases));
    addTable(blocks, gpuTimeTable(facts.run));
    if (facts.has(RunPart::kKernels))
        addRanked(
            blocks,
            onlyColumns(
                kernelsTable(counted<StatisticsNode>("Kernels", facts.run, measured, countedKernels), true),
                {"title", "name", "time_share", "total_ns", "instances_per_step", "average_ns",
                 "ceiling_share"}),
            stats("kernels"));
    if (facts.has(RunPart::kOps))
        addRanked(
            blocks,
            onlyColumns(
                statisticsReport(counted<StatisticsRow>("Ops", facts.run, measured, opStatistics),
                                 StatisticsOf::kOps, "ops", true),
                {"name", "family", "self_share", "self_ns", "total_ns", "instances_per_step", "average_ns"}),
            stats("ops"));
    if (facts.has(RunPart::kLayers))
        addTable(blocks, onlyColumns(layersReport(facts.layers, {}, true),
                                     {"layer", "time_ns", "time_share", "forward_ns", "backward_ns",
                                      "optimizer_ns", "flops_per_second", "activations_bytes"}));
    if (facts.has(RunPart::kAttention))
        addTable(blocks,
                 onlyColumns(attentionReport(facts.attention, {}, true),
                             {"phase", "part", "time_ns", "time_share", "flops_share", "flops_per_second"}));
    addMemory(blocks, facts, file);
    return blocks;
}

bool hasStreams(const Snapshot& run) {
    for (std::size_t i = 0; i < run.trackCount(); ++i) {
        if (run.track(TrackId(i)).kind == TrackKind::kGpuStream)
            return true;
    }
    return false;
}

/// Measured ones or those of a data sheet, as the window's roofline looks for them.
bool hasRoofs(const Snapshot& run) {
    return ceilingsFromPairs(run.info().pairs()) || dataSheetOf(run.info().get("device.name"));
}

std::vector<ReportBlock> runFigures(const RunToTell& facts, std::size_t index) {
    std::vector<ReportBlock> blocks;
    // `seen`: what is in the view, for those who do not see it. What ran is told in full where the run is.
    const auto add = [&](bool isThere, const char* view, const char* title, const std::string& seen) {
        if (isThere)
            blocks.emplace_back(ReportFigure{
                {}, ReportRunView{index, view}, title, {}, seen, facts.overview.summary.title, {}});
    };
    add(facts.overview.summary.spans > 0, "timeline", "Timeline",
        std::string("Rows of steps, phases, modules") +
            (hasStreams(facts.run) ? ", threads and streams" : " and threads") +
            " over the time of the run, each call a bar.");
    add(facts.has(RunPart::kMemory), "memory", "Memory over time",
        "Areas by category, stacked, over the time of the run.");
    add(facts.has(RunPart::kFlame), "flame", "Flame chart of time",
        "Bars of phases, modules and ops below each other, as wide as their time.");
    add(facts.has(RunPart::kMemory), "flame-memory", "Flame chart of memory",
        "Bars of modules and ops below each other, as wide as the memory that they hold.");
    add(facts.has(RunPart::kRoofline), "roofline", "Roofline",
        std::string("Points of GEMMs and kernels by intensity and rate") +
            (hasRoofs(facts.run) ? ", under the device's roofs." : "; the device's roofs are not known."));
    add(facts.has(RunPart::kAttention), "attention", "Parts of attention",
        "Bars of attention's parts by their time and their FLOPs.");
    add(facts.has(RunPart::kLayers), "layers", "Layers side by side",
        "A bar for the time of each layer, in the order of the model.");
    add(facts.has(RunPart::kPhaseDots), "phase-dots", "Phases of every step",
        "A point for the time of each phase in each step.");
    add(facts.has(RunPart::kClocks), "kernel-clocks", "Clocks inside kernels",
        "Tiles of attention's kernels over the multiprocessors and over time.");
    return blocks;
}

/// What a reader would look for in vain.
void addAbsences(std::vector<ReportSection>& sections, const RunToTell& facts) {
    ReportList list;
    for (std::string& sentence : facts.absences())
        list.items.push_back({std::move(sentence), {}});
    if (!list.items.empty())
        sections.push_back({{}, "Not in this report", {std::move(list)}, {}});
}

}  // namespace

std::vector<ReportSection> runSections(const ReportInput& input, std::size_t index, ReportParts parts) {
    const ReportRun& run = *input.run();
    MemoryTimeline memory;
    const RunToTell facts = toTell(run, memory);
    std::vector<ReportSection> sections;
    addPart(sections, ReportPart::kConfiguration, parts, configurationOf(run, facts));
    addPart(sections, ReportPart::kAnswers, parts, answersOf(facts));
    if (parts.has(ReportPart::kTables))
        addPart(sections, ReportPart::kTables, parts, tablesOf(input, facts));
    addPart(sections, ReportPart::kFigures, parts, runFigures(facts, index));
    if (parts.has(ReportPart::kTables) || parts.has(ReportPart::kFigures))
        addAbsences(sections, facts);
    if (const auto& config = facts.overview.summary.config)
        addPart(sections, ReportPart::kCommands, parts,
                {ReportCommands{shellLines(runCommand(*config, repeatedName(input.path)))}});
    return sections;
}

ReportTable runsTable(const std::vector<ReportInput>& inputs) {
    struct Input {
        const ReportInput* of;
        RunSummary summary;
    };
    std::vector<Input> runs;
    for (const ReportInput& input : inputs) {
        if (!input.run())
            continue;
        MemoryTimeline memory;
        memory.update(input.run()->snapshot);
        runs.push_back({&input, summarizeRun(memory)});
    }
    using Of = Column<Input>;
    std::vector<Of> columns = {
        Of("run", "Run", [](const Input& input) { return input.of->name; }),
        Of("title", "What ran", unlessEmpty([](const Input& input) { return input.summary.title; })),
        Of("device", "Device", unlessEmpty([](const Input& input) {
               return input.of->run()->snapshot->info().get("device.name");
           }))};
    const TableDescription<RunSummary> summary = runColumns();
    for (const char* key : {"state", "step_mean_ns", "step_stddev_ns", "tokens_per_second", "peak_bytes"})
        columns.push_back(
            lifted<Input>(summary.column(key), [](const Input& input) { return &input.summary; }));
    return tableOf("runs", "Runs", runs, std::move(columns), true);
}

}  // namespace warpglass
