#include <algorithm>
#include <iterator>

#include "app/cli/command.h"
#include "app/cli/number_option.h"
#include "app/cli/saved_run.h"
#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/findings/run_overview.h"
#include "engine/query/findings/trial_outcome.h"
#include "engine/report/activity_tables.h"
#include "engine/report/run_tables.h"
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
    const TableDescription<RunSummary> runs = runColumns(isReached);
    // As in other tables of runs; under another key where scripts know it by that.
    const auto ofRun = [&](const char* key, const char* itsKey = nullptr) {
        Figure column =
            lifted<RunOverview>(runs.column(key), [](const RunOverview& run) { return &run.summary; });
        column.key = itsKey ? itsKey : key;
        return column;
    };
    Figure planned = ofRun("flops_per_second");
    planned.seen = Seen::kScripts;
    const auto traffic = [](auto of) { return through(&RunOverview::traffic, of); };
    const auto shareOfTraffic = [&](const char* key, const char* title,
                                    std::optional<double> MemoryTraffic::*of) {
        return Figure(key, title, Unit::kFraction, traffic(of), {.text = [of](const RunOverview& run) {
                          return run.traffic && (*run.traffic).*of
                                     ? std::optional(formatPercentAtLeast(*((*run.traffic).*of)))
                                     : std::nullopt;
                      }});
    };
    // Where memory events are lost the peak is one at least.
    const auto peak = [](bool least) {
        return [least](const RunOverview& run) {
            return run.summary.peak && run.missing.lacksMemory() == least
                       ? Cell(sumOf(run.summary.peak->bytes))
                       : Cell();
        };
    };
    return {"overview",
            {Figure("run", "Run", unlessEmpty([](const RunOverview& run) { return run.summary.title; })),
             Figure("description", "Described", unlessEmpty(&RunOverview::description)),
             Figure("device", "Device", unlessEmpty(&RunOverview::device)),
             ofRun("state"),
             ofRun("state_message"),
             ofRun("step_mean_ns"),
             ofRun("step_stddev_ns"),
             ofRun("tokens_per_second"),
             std::move(planned),
             ofRun("model_flops_per_second"),
             ofRun("ceiling_share", "mfu_ceiling_share"),
             ofRun("data_sheet_share", "mfu_data_sheet_share"),
             Figure("step_traffic_bytes", "Memory traffic per step, at least", Unit::kBytes,
                    traffic(&MemoryTraffic::perStep)),
             shareOfTraffic("traffic_ceiling_share", "Share of the measured bandwidth, at least",
                            &MemoryTraffic::ofMeasured),
             shareOfTraffic("traffic_data_sheet_share", "Share of the data sheet's bandwidth, at least",
                            &MemoryTraffic::ofDataSheet),
             Figure("gpu_busy_share", "GPU busy", Unit::kFraction,
                    [](const RunOverview& run) {
                        return run.gpu.wall.value > 0 ? Cell(numberOf(run.gpu.busy) / numberOf(run.gpu.wall))
                                                      : Cell();
                    }),
             Figure("peak_bytes", "Peak memory", Unit::kBytes, peak(false)),
             Figure("peak_least_bytes", "Peak memory, at least", Unit::kBytes, peak(true)),
             Figure("memory_limit_bytes", "Memory it may take", Unit::kBytes, &RunOverview::memoryLimit),
             Figure("lost_records", "Records lost", Unit::kCount, lostRecords),
             Figure("without", "Drawn without", unlessEmpty(drawnWithout), {.seen = Seen::kScripts}),
             Figure("cautions", "Cautions",
                    unlessEmpty([](const RunOverview& run) { return joinedSentences(cautionsOf(run)); }),
                    {.seen = Seen::kScripts})}};
}

/// The words of the window for people; scripts have a name.
ReportTable phasesTable(const RunOverview& run, bool forPeople) {
    std::string title = "Phases of a step";
    if (run.phasesByGpu)
        title += ", by CUDA's events";
    else if (!run.hostClock.empty())
        title += ", " + run.hostClock;
    struct PhaseTime {
        std::string_view name;
        double ns = 0;
    };
    std::vector<PhaseTime> times;
    for (const RunOverview::PhaseTime& phase : run.phases)
        times.push_back({phaseName(phase.phase), phase.nsPerStep});
    if (!run.phases.empty())
        times.push_back({forPeople ? "between phases" : "rest", run.restOfStep});
    using Of = Column<PhaseTime>;
    return tableOf<PhaseTime>(
        "step-phases", std::move(title), times,
        {Of("phase", "Phase", &PhaseTime::name),
         Of("per_step_ns", "Per step", Unit::kNanoseconds, &PhaseTime::ns),
         Of("share", "Share", Unit::kFraction, shareOf(run.summary.stepMean.value_or(0), &PhaseTime::ns))});
}

ReportTable peakCategoriesTable(const RunOverview& run) {
    std::vector<CategoryPart> parts;
    for (std::size_t i = 0; run.summary.peak && i < kCategoryCount; ++i) {
        if (const std::int64_t bytes = run.summary.peak->bytes[i]; bytes > 0)
            parts.push_back({kCategoryNames[i], bytes});
    }
    return categoriesTable("peak-categories",
                           std::string("Memory at the peak") +
                               (run.missing.lacksMemory() ? " (records missing)" : "") + ", by category",
                           parts);
}

/// All that a script needs.
TableDescription<Finding> findingsTable() {
    using Found = Column<Finding>;
    const auto end = [](std::optional<TimeRange> (*of)(const Finding&), Nanoseconds TimeRange::*at) {
        return [=](const Finding& finding) {
            const std::optional<TimeRange> range = of(finding);
            return range ? cellOf((*range).*at) : Cell();
        };
    };
    const auto inView = [](const Finding& finding) { return finding.evidence.inView(); };
    const auto counted = [](const Finding& finding) { return finding.evidence.range; };
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
        {Found("rule", "Rule", &Finding::rule),
         Found("sentence", "Finding", &Finding::sentence),
         Found("remedy", "What would change it", unlessEmpty(&Finding::remedy)),
         Found("cost_ns", "Per step", Unit::kNanoseconds, ifPositive(&Finding::nsPerStep)),
         Found("step_share", "Share of the step", Unit::kFraction, ifPositive(&Finding::stepShare)),
         Found("cost_bytes", "At the peak", Unit::kBytes, ifPositive(&Finding::bytes)),
         Found("peak_share", "Share of the peak", Unit::kFraction, ifPositive(&Finding::peakShare)),
         Found("view", "View",
               [](const Finding& finding) {
                   return kEvidenceViewNames[static_cast<std::size_t>(finding.evidence.view)];
               }),
         Found("from_ns", "From", Unit::kMoment, end(inView, &TimeRange::begin)),
         Found("to_ns", "To", Unit::kMoment, end(inView, &TimeRange::end)),
         Found("moment_ns", "Moment", Unit::kMoment,
               [](const Finding& finding) { return finding.evidence.moment; }),
         Found("names", "Names", unlessEmpty([](const Finding& finding) { return finding.evidence.names; })),
         Found("phase", "Phase",
               [](const Finding& finding) {
                   return finding.evidence.phase ? cellOf(phaseName(*finding.evidence.phase)) : Cell();
               }),
         Found("counted_from_ns", "Counted from", Unit::kMoment, end(counted, &TimeRange::begin)),
         Found("counted_to_ns", "Counted to", Unit::kMoment, end(counted, &TimeRange::end)),
         Found("allocations", "Allocations", Unit::kCount,
               ifPositive([](const Finding& finding) { return finding.evidence.allocations.size(); })),
         Found("try_setting", "Try", through(&Finding::trial, &Trial::setting)),
         Found("try_value", "Value", through(&Finding::trial, &Trial::value)),
         Found("step_ns", "Step now", Unit::kNanoseconds,
               trialFigure(TrialMetric::kStepTime, &Trial::before)),
         Found("expected_step_ns", "Step at best", Unit::kNanoseconds,
               trialFigure(TrialMetric::kStepTime, &Trial::expected)),
         Found("peak_bytes", "Peak now", Unit::kBytes, trialFigure(TrialMetric::kPeakMemory, &Trial::before)),
         Found("expected_peak_bytes", "Peak predicted", Unit::kBytes,
               trialFigure(TrialMetric::kPeakMemory, &Trial::expected)),
         Found("part_of", "Part of", unlessEmpty(&Finding::partOf))}};
}

ReportTable missingTable(const MissingRecords& missing) {
    struct Kind {
        std::string_view name;
        MissingRecords::Count count;
    };
    std::vector<Kind> kinds;
    for (std::size_t i = 0; i < kRecordKindCount; ++i) {
        if (missing.counts[i].missing > 0)
            kinds.push_back({kRecordKindNames[i], missing.counts[i]});
    }
    using Of = Column<Kind>;
    return tableOf<Kind>(
        "missing", "Missing from the file", kinds,
        {Of("records", "What", &Kind::name),
         Of("missing", "Missing", Unit::kCount, through(&Kind::count, &MissingRecords::Count::missing)),
         Of("total", "Of", Unit::kCount, through(&Kind::count, &MissingRecords::Count::total))});
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
        "Overview", rowOf(overview), {}, forPeople);
    std::vector<ReportTable> tables = {
        asRecord(forPeople ? withoutAbsent(std::move(whole)) : std::move(whole), options.format),
        phasesTable(overview, forPeople),
        gpuTimeTable(*run),
        peakCategoriesTable(overview),
        lossesTable("losses", overview.summary.losses),
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
    auto [command, options] = addCommand(
        root, chosen, "findings", "Show a run on one page, with what costs time and memory, costliest first",
        printFindings,
        R"(Each finding says what would change it; where one setting of a run would, it says what to
expect. What the run was recorded without, or has lost, cannot be judged: that is said over the findings, and
so it is where a single step was measured.
engine/query/findings holds the rules, each with its formula and its limits.

Examples:
  warpglass-cli findings a.wgrun
  warpglass-cli findings a.wgrun --limit 3 --format json)");
    addFileArgument(command, options.path);
    addNumberOption(command, "--limit", options.limit, "Print only the first N findings; 0 prints all")
        ->group("Output");
    addFormatOption(command, options.format);
}

}  // namespace warpglass::cli
