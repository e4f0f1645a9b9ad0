#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/number_option.h"
#include "app/cli/report.h"
#include "app/cli/saved_run.h"
#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/findings/run_overview.h"
#include "engine/query/findings/trial_outcome.h"
#include "engine/report/gpu_tables.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

struct FindingsOptions {
    std::string path;
    std::int64_t limit = 0;
    TableFormat format = TableFormat::kTable;
};

/// Nothing where a part of the file is missing: how many the run had lost is then not all that is not here.
Cell lostRecords(const RunOverview& run) {
    if (run.missing.any())
        return {};
    std::uint64_t lost = 0;
    for (const LossCount& loss : run.summary.losses)
        lost += loss.count;
    return static_cast<std::int64_t>(lost);
}

/// For people what it is drawn without, and what to keep in mind, is said over the findings, and of the rates
/// of work there is that which the MFU is of. `isReached`: a run has done better than what was measured.
TableDescription<RunOverview> overviewTable(bool isReached) {
    using Figure = Column<RunOverview>;
    const auto text = [](std::string RunOverview::*of) {
        return [of](const RunOverview& run) { return textOrAbsent(run.*of); };
    };
    const auto summary = [](auto of) {
        return [of](const RunOverview& run) {
            if constexpr (std::is_same_v<decltype(of), std::string RunSummary::*>)
                return textOrAbsent(run.summary.*of);
            else
                return cellOf(run.summary.*of);
        };
    };
    const auto mfu = [](auto of) {
        return [of](const RunOverview& run) {
            return run.summary.utilization ? cellOf(std::invoke(of, *run.summary.utilization)) : Cell();
        };
    };
    const auto traffic = [](auto of) {
        return [of](const RunOverview& run) { return run.traffic ? cellOf((*run.traffic).*of) : Cell(); };
    };
    const auto shareAtLeast = [](std::optional<double> MemoryTraffic::*of) {
        return [of](const RunOverview& run) {
            return run.traffic && (*run.traffic).*of
                       ? std::optional(formatPercentAtLeast(*((*run.traffic).*of)))
                       : std::nullopt;
        };
    };
    // Where memory events are lost the peak is one at least.
    const auto peak = [](bool least) {
        return [least](const RunOverview& run) {
            return run.summary.peak && run.missing.lacksMemory() == least
                       ? Cell(sumOf(run.summary.peak->bytes))
                       : Cell();
        };
    };
    return {
        "overview",
        {Figure("run", "Run", Unit::kText, "The run's title", summary(&RunSummary::title)),
         Figure("description", "Described", Unit::kText, "Batch, mode and steps in words",
                text(&RunOverview::description)),
         Figure("device", "Device", Unit::kText, "What it ran on", text(&RunOverview::device)),
         Figure("state", "State", Unit::kText, "finished, stopped, failed …", summary(&RunSummary::state)),
         Figure("state_message", "Why", Unit::kText, "Why it is in that state",
                summary(&RunSummary::stateMessage)),
         Figure("step_mean_ns", "Time per step, mean", Unit::kNanoseconds, "Over the steps that count",
                summary(&RunSummary::stepMean)),
         Figure("step_stddev_ns", "Time per step, standard deviation", Unit::kNanoseconds,
                "That of a sample (n − 1)", summary(&RunSummary::stepStandardDeviation)),
         Figure("tokens_per_second", "Tokens per second", Unit::kCount,
                "Batch × context over the step's time", summary(&RunSummary::tokensPerSecond)),
         Figure("flops_per_second", "Planned FLOPs per second", Unit::kFlopsPerSecond,
                "All that the plan counts", summary(&RunSummary::flopsPerSecond), {.seen = Seen::kScripts}),
         Figure("model_flops_per_second", "Model's GEMM FLOPs per second", Unit::kFlopsPerSecond,
                "The rate that the MFU relates to peak rates", mfu(&ModelUtilization::flopsPerSecond)),
         Figure("mfu_ceiling_share", isReached ? "MFU of the ceiling reached" : "MFU of the measured ceiling",
                Unit::kFraction, "Share of the rate measured on the device",
                mfu(&ModelUtilization::ofMeasured)),
         Figure("mfu_data_sheet_share", "MFU of the data sheet", Unit::kFraction, "Share of the maker's rate",
                mfu(&ModelUtilization::ofDataSheet)),
         Figure("step_traffic_bytes", "Memory traffic per step, at least", Unit::kBytes,
                "What the GEMMs and AdamW must move", traffic(&MemoryTraffic::perStep)),
         Figure("traffic_ceiling_share", "Share of the measured bandwidth, at least", Unit::kFraction,
                "That over the step's time", traffic(&MemoryTraffic::ofMeasured),
                {.text = shareAtLeast(&MemoryTraffic::ofMeasured)}),
         Figure("traffic_data_sheet_share", "Share of the data sheet's bandwidth, at least", Unit::kFraction,
                "That over the step's time", traffic(&MemoryTraffic::ofDataSheet),
                {.text = shareAtLeast(&MemoryTraffic::ofDataSheet)}),
         Figure("gpu_busy_share", "GPU busy", Unit::kFraction, "Share of the measured steps' time",
                [](const RunOverview& run) {
                    const auto busy = static_cast<double>(run.gpu.busy.value);
                    return run.gpu.wall.value > 0 ? Cell(busy / static_cast<double>(run.gpu.wall.value))
                                                  : Cell();
                }),
         Figure("peak_bytes", "Peak memory", Unit::kBytes, "The most at a time", peak(false)),
         Figure("peak_least_bytes", "Peak memory, at least", Unit::kBytes, "Where memory events are lost",
                peak(true)),
         Figure("memory_limit_bytes", "Memory it may take", Unit::kBytes, "--memory-limit, or the device's",
                &RunOverview::memoryLimit),
         Figure("lost_records", "Records lost", Unit::kCount, "In the recording", lostRecords),
         Figure("without", "Drawn without", Unit::kText, "What was lost or never recorded",
                [](const RunOverview& run) { return textOrAbsent(drawnWithout(run)); },
                {.seen = Seen::kScripts}),
         Figure("cautions", "Cautions", Unit::kText, "What to keep in mind",
                [](const RunOverview& run) { return textOrAbsent(joinedSentences(cautionsOf(run))); },
                {.seen = Seen::kScripts})}};
}

/// The words of the window for people; scripts have a name.
ReportTable phasesTable(const RunOverview& run, bool forPeople) {
    std::string title = "Phases of a step";
    if (run.phasesByGpu)
        title += ", by CUDA's events";
    else if (!run.hostClock.empty())
        title += ", " + run.hostClock;
    ReportTable table{std::move(title),
                      {{"Phase", "phase"},
                       {"Per step", "per_step_ns", Unit::kNanoseconds},
                       {"Share", "share", Unit::kFraction}},
                      {},
                      "step-phases"};
    const double step = run.summary.stepMean.value_or(0);
    const auto add = [&](std::string_view name, double time) {
        table.rows.push_back({std::string(name), time, step > 0 ? time / step : 0.0});
    };
    for (const RunOverview::PhaseTime& phase : run.phases)
        add(phaseName(phase.phase), phase.nsPerStep);
    if (!run.phases.empty())
        add(forPeople ? "between phases" : "rest", run.restOfStep);
    return table;
}

ReportTable categoriesTable(const RunOverview& run) {
    ReportTable table{
        std::string("Memory at the peak") + (run.missing.lacksMemory() ? " (records missing)" : "") +
            ", by category",
        {{"Category", "category"}, {"Size", "size_bytes", Unit::kBytes}, {"Share", "share", Unit::kFraction}},
        {},
        "peak-categories"};
    if (!run.summary.peak)
        return table;
    const auto whole = static_cast<double>(sumOf(run.summary.peak->bytes));
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const std::int64_t bytes = run.summary.peak->bytes[i];
        if (bytes > 0)
            table.rows.push_back({std::string(kCategoryNames[i]), bytes, static_cast<double>(bytes) / whole});
    }
    return table;
}

ReportTable lossesTable(const RunOverview& run) {
    ReportTable table{"Not recorded", {{"What", "name"}, {"Count", "count", Unit::kCount}}, {}, "losses"};
    for (const LossCount& loss : run.summary.losses)
        table.rows.push_back({loss.name, static_cast<std::int64_t>(loss.count)});
    return table;
}

/// All that a script needs.
TableDescription<Finding> findingsTable() {
    using Found = Column<Finding>;
    const auto text = [](std::string Finding::*of) {
        return [of](const Finding& finding) { return textOrAbsent(finding.*of); };
    };
    const auto cost = [](double Finding::*of) {
        return [of](const Finding& finding) { return finding.*of > 0 ? Cell(finding.*of) : Cell(); };
    };
    const auto end = [](const std::optional<TimeRange>& range, Nanoseconds TimeRange::*of) {
        return range ? cellOf((*range).*of) : Cell();
    };
    const auto trialWord = [](std::string Trial::*of) {
        return [of](const Finding& finding) { return finding.trial ? cellOf((*finding.trial).*of) : Cell(); };
    };
    const auto trialFigure = [](TrialMetric metric, double Trial::*of) {
        return [metric, of](const Finding& finding) {
            if (!finding.trial || finding.trial->metric != metric)
                return Cell();
            const double figure = (*finding.trial).*of;
            return metric == TrialMetric::kPeakMemory ? Cell(static_cast<std::int64_t>(figure))
                                                      : Cell(figure);
        };
    };
    return {
        "findings",
        {Found("rule", "Rule", Unit::kText, "Which rule found it", &Finding::rule),
         Found("sentence", "Finding", Unit::kText, "With its numbers", &Finding::sentence),
         Found("remedy", "What would change it", Unit::kText, "In a sentence", text(&Finding::remedy)),
         Found("cost_ns", "Per step", Unit::kNanoseconds, "Time of a step", cost(&Finding::nsPerStep)),
         Found("step_share", "Share of the step", Unit::kFraction, "As a share of the step's time",
               cost(&Finding::stepShare)),
         Found("cost_bytes", "At the peak", Unit::kBytes, "Memory at the peak",
               [](const Finding& finding) { return countOrAbsent(finding.bytes.value); }),
         Found("peak_share", "Share of the peak", Unit::kFraction, "As a share of the peak",
               cost(&Finding::peakShare)),
         Found("view", "View", Unit::kText, "Where it is seen",
               [](const Finding& finding) {
                   return kEvidenceViewNames[static_cast<std::size_t>(finding.evidence.view)];
               }),
         Found("from_ns", "From", Unit::kMoment, "What is seen there",
               [end](const Finding& finding) { return end(finding.evidence.inView(), &TimeRange::begin); }),
         Found("to_ns", "To", Unit::kMoment, "What is seen there",
               [end](const Finding& finding) { return end(finding.evidence.inView(), &TimeRange::end); }),
         Found("moment_ns", "Moment", Unit::kMoment, "Memory's",
               [](const Finding& finding) { return finding.evidence.moment; }),
         Found("names", "Names", Unit::kText, "Which ops are counted",
               [](const Finding& finding) { return textOrAbsent(finding.evidence.names); }),
         Found("phase", "Phase", Unit::kText, "In which phase it is counted",
               [](const Finding& finding) {
                   return finding.evidence.phase ? cellOf(phaseName(*finding.evidence.phase)) : Cell();
               }),
         Found("counted_from_ns", "Counted from", Unit::kMoment, "Absent over the measured steps",
               [end](const Finding& finding) { return end(finding.evidence.range, &TimeRange::begin); }),
         Found("counted_to_ns", "Counted to", Unit::kMoment, "Absent over the measured steps",
               [end](const Finding& finding) { return end(finding.evidence.range, &TimeRange::end); }),
         Found("allocations", "Allocations", Unit::kCount, "How many are counted",
               [](const Finding& finding) {
                   return countOrAbsent(static_cast<std::int64_t>(finding.evidence.allocations.size()));
               }),
         Found("try_setting", "Try", Unit::kText, "A setting that may be better", trialWord(&Trial::setting)),
         Found("try_value", "Value", Unit::kText, "Its value", trialWord(&Trial::value)),
         Found("step_ns", "Step now", Unit::kNanoseconds, "In this run",
               trialFigure(TrialMetric::kStepTime, &Trial::before)),
         Found("expected_step_ns", "Step at best", Unit::kNanoseconds, "With that setting, at best",
               trialFigure(TrialMetric::kStepTime, &Trial::expected)),
         Found("peak_bytes", "Peak now", Unit::kBytes, "In this run",
               trialFigure(TrialMetric::kPeakMemory, &Trial::before)),
         Found("expected_peak_bytes", "Peak predicted", Unit::kBytes, "With that setting",
               trialFigure(TrialMetric::kPeakMemory, &Trial::expected)),
         Found("part_of", "Part of", Unit::kText, "The rule whose finding's time this is a part of",
               text(&Finding::partOf))}};
}

ReportTable missingTable(const MissingRecords& missing) {
    ReportTable table{
        "Missing from the file",
        {{"What", "records"}, {"Missing", "missing", Unit::kCount}, {"Of", "total", Unit::kCount}},
        {},
        "missing"};
    for (std::size_t i = 0; i < kRecordKindCount; ++i) {
        const MissingRecords::Count& count = missing.counts[i];
        if (count.missing > 0)
            table.rows.push_back({std::string(kRecordKindNames[i]), static_cast<std::int64_t>(count.missing),
                                  static_cast<std::int64_t>(count.total)});
    }
    return table;
}

/// A sentence a line, under its number; a table for what costs time and one for what fills memory. Over them
/// what they are drawn without, and what disturbed the run.
std::vector<ReportTable> readableFindings(const RunOverview& run, std::int64_t limit) {
    const std::vector<Finding>& findings = run.findings;
    const std::string without = drawnWithout(run);
    const auto titled = [](std::string title) {
        return ReportTable{std::move(title), {{"", "number"}, {"Finding", "sentence"}}, {}, "findings"};
    };
    std::vector<ReportTable> tables;
    const std::vector<std::string> cautions = cautionsOf(run);
    if (findings.empty() || !without.empty() || !cautions.empty())
        tables.push_back(titled("Findings"));
    if (!without.empty())
        tables.back().rows.push_back({std::string(), without});
    for (const std::string& caution : cautions)
        tables.back().rows.push_back({std::string(), caution});
    if (findings.empty())
        tables.back().rows.push_back({std::string(), nothingFound(run)});
    std::int64_t number = 0;
    for (const Finding& finding : findings) {
        if (limit > 0 && number == limit)
            break;
        if (number == 0 || costOf(finding) != costOf(findings[static_cast<std::size_t>(number) - 1]))
            tables.push_back(
                titled(std::string(kFindingCostHeads[static_cast<std::size_t>(costOf(finding))])));
        ReportTable& table = tables.back();
        table.rows.push_back({std::to_string(++number), finding.sentence});
        if (!finding.remedy.empty())
            table.rows.push_back({std::string(), finding.remedy});
        if (finding.trial)
            table.rows.push_back({std::string(), "Try --" + finding.trial->setting + " " +
                                                     finding.trial->value + ". " +
                                                     expectationSentence(*finding.trial)});
    }
    return tables;
}

ExitStatus printFindings(const FindingsOptions& options) {
    const std::shared_ptr<const Snapshot> run = openSaved(options.path);
    if (!run)
        return ExitStatus::kWorkFailed;
    MemoryTimeline memory;
    memory.update(run);
    const RunOverview overview = overviewOf(memory);
    const bool forPeople = isForPeople(options.format);
    ReportTable whole = reportOf(
        overviewTable(overview.summary.utilization && overview.summary.utilization->ceilings.isReached()),
        "Overview", std::vector{overview}, {}, forPeople);
    std::vector<ReportTable> tables = {
        asRecord(forPeople ? withoutAbsent(std::move(whole)) : std::move(whole), options.format),
        phasesTable(overview, forPeople),
        gpuTimeTable(*run),
        categoriesTable(overview),
        lossesTable(overview),
        missingTable(overview.missing)};
    if (forPeople) {
        std::erase_if(tables, [](const ReportTable& table) { return table.rows.empty(); });
        std::ranges::move(readableFindings(overview, options.limit), std::back_inserter(tables));
    } else {
        tables.push_back(reportOf(findingsTable(), "Findings", overview.findings, {}, forPeople));
        keepFirst(tables.back(), options.limit);
    }
    return printFigures(tables, options.format);
}

}  // namespace

void addFindingsCommand(CLI::App& root, Work& chosen) {
    CLI::App* command = root.add_subcommand(
        "findings", "Show a run on one page, with what costs time and memory, costliest first");
    auto options = std::make_shared<FindingsOptions>();
    addFileArgument(*command, options->path);
    addNumberOption(*command, "--limit", options->limit, "Print only the first N findings; 0 prints all")
        ->group("Output");
    addFormatOption(*command, options->format);
    command->footer(
        R"(Each finding says what would change it; where one setting of a run would, it says what to
expect. What the run was recorded without, or has lost, cannot be judged: that is said over the findings, and
so it is where a single step was measured.
engine/query/findings holds the rules, each with its formula and its limits.

Examples:
  warpglass-cli findings a.wgrun
  warpglass-cli findings a.wgrun --limit 3 --format json)");
    command->callback([&chosen, options] { chosen = [options] { return printFindings(*options); }; });
}

}  // namespace warpglass::cli
