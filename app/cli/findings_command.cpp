#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/gpu_tables.h"
#include "app/cli/number_option.h"
#include "app/cli/report.h"
#include "app/cli/saved_run.h"
#include "engine/base/format.h"
#include "engine/query/findings/trial_outcome.h"
#include "engine/query/run_overview.h"

namespace warpglass::cli {
namespace {

struct FindingsOptions {
    std::string path;
    std::int64_t limit = 0;
    TableFormat format = TableFormat::kTable;
};

ReportCell timeOrAbsent(const std::optional<Nanoseconds>& value) {
    return value ? ReportCell(value->value) : ReportCell();
}

/// Nothing where a part of the file is missing: how many the run had lost is then not all that is not here.
ReportCell lostRecords(const RunOverview& run) {
    if (run.missing.any())
        return {};
    std::uint64_t lost = 0;
    for (const LossCount& loss : run.summary.losses)
        lost += loss.count;
    return static_cast<std::int64_t>(lost);
}

/// For people what it is drawn without, and what to keep in mind, is said over the findings, and of the rates
/// of work there is that which the MFU is of.
ReportTable overviewTable(const RunOverview& run, bool forPeople) {
    const RunSummary& summary = run.summary;
    const std::string without = forPeople ? std::string() : drawnWithout(run);
    const std::string cautions = forPeople ? std::string() : joinedSentences(cautionsOf(run));
    const ReportCell peak = summary.peak ? ReportCell(sumOf(summary.peak->bytes)) : ReportCell();
    const bool isAll = !run.missing.lacksMemory();
    const auto& mfu = summary.utilization;
    const auto& traffic = run.traffic;
    const bool gpu = run.gpu.wall.value > 0;
    return {
        "Overview",
        {{"Run", "run"},
         {"Described", "description"},
         {"Device", "device"},
         {"State", "state"},
         {"Why", "state_message"},
         {"Step time, mean", "step_mean_ns", Unit::kNanoseconds},
         {"Step time, standard deviation", "step_stddev_ns", Unit::kNanoseconds},
         {"Tokens per second", "tokens_per_second", Unit::kCount},
         {"Work per second", "flops_per_second", Unit::kFlopsPerSecond},
         {"Model's products per second", "model_flops_per_second", Unit::kFlopsPerSecond},
         {mfu && mfu->ceilings.isReached() ? "MFU of the ceiling reached" : "MFU of the measured ceiling",
          "mfu_ceiling_share", Unit::kFraction},
         {"MFU of the data sheet", "mfu_data_sheet_share", Unit::kFraction},
         {"Memory traffic of a step, at least", "step_traffic_bytes", Unit::kBytes},
         {"Of the measured bandwidth, at least", "traffic_ceiling_share", Unit::kFraction},
         {"Of the data sheet's bandwidth, at least", "traffic_data_sheet_share", Unit::kFraction},
         {"GPU busy", "gpu_busy_share", Unit::kFraction},
         {"Peak memory", "peak_bytes", Unit::kBytes},
         {"Peak memory, at least", "peak_least_bytes", Unit::kBytes},
         {"Memory it may take", "memory_limit_bytes", Unit::kBytes},
         {"Records lost", "lost_records", Unit::kCount},
         {"Drawn without", "without"},
         {"Cautions", "cautions"}},
        {{summary.title.empty() ? ReportCell() : ReportCell(summary.title),
          run.description.empty() ? ReportCell() : ReportCell(run.description),
          run.device.empty() ? ReportCell() : ReportCell(run.device),
          summary.state.empty() ? ReportCell() : ReportCell(summary.state),
          summary.stateMessage.empty() ? ReportCell() : ReportCell(summary.stateMessage),
          orAbsent(summary.stepMean),
          orAbsent(summary.stepStandardDeviation),
          orAbsent(summary.tokensPerSecond),
          forPeople ? ReportCell() : orAbsent(summary.flopsPerSecond),
          mfu ? ReportCell(mfu->flopsPerSecond) : ReportCell(),
          mfu ? orAbsent(mfu->ofMeasured()) : ReportCell(),
          mfu ? orAbsent(mfu->ofDataSheet()) : ReportCell(),
          traffic ? ReportCell(traffic->perStep.value) : ReportCell(),
          traffic ? orAbsent(traffic->ofMeasured) : ReportCell(),
          traffic ? orAbsent(traffic->ofDataSheet) : ReportCell(),
          gpu ? ReportCell(static_cast<double>(run.gpu.busy.value) / static_cast<double>(run.gpu.wall.value))
              : ReportCell(),
          isAll ? peak : ReportCell(),
          isAll ? ReportCell() : peak,
          orAbsent(run.memoryLimit),
          lostRecords(run),
          without.empty() ? ReportCell() : ReportCell(without),
          cautions.empty() ? ReportCell() : ReportCell(cautions)}},
        "overview"};
}

/// The words of the window for people; scripts have a name.
ReportTable phasesTable(const RunOverview& run, bool forPeople) {
    std::string title = "Phases of a step";
    if (run.phaseClock == PhaseClock::kDevice)
        title += ", as the GPU went through them";
    else if (!run.hostClock.empty())
        title += ", " + run.hostClock;
    ReportTable table{std::move(title),
                      {{"Phase", "phase"},
                       {"A step", "per_step_ns", Unit::kNanoseconds},
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
        add(forPeople ? "between them" : "rest", run.restOfStep);
    return table;
}

ReportTable categoriesTable(const RunOverview& run) {
    ReportTable table{
        std::string("Memory at the peak") + (run.missing.lacksMemory() ? " of what is there" : "") +
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
ReportTable findingsTable(const std::vector<Finding>& findings) {
    ReportTable table{"Findings",
                      {{"Rule", "rule"},
                       {"Finding", "sentence"},
                       {"What would change it", "remedy"},
                       {"A step", "cost_ns", Unit::kNanoseconds},
                       {"Of the step", "step_share", Unit::kFraction},
                       {"At the peak", "cost_bytes", Unit::kBytes},
                       {"Of the peak", "peak_share", Unit::kFraction},
                       {"View", "view"},
                       {"From", "from_ns", Unit::kNanoseconds},
                       {"To", "to_ns", Unit::kNanoseconds},
                       {"Moment", "moment_ns", Unit::kNanoseconds},
                       {"Names", "names"},
                       {"Phase", "phase"},
                       {"Counted from", "counted_from_ns", Unit::kNanoseconds},
                       {"Counted to", "counted_to_ns", Unit::kNanoseconds},
                       {"Allocations", "allocations", Unit::kCount},
                       {"Try", "try_setting"},
                       {"Value", "try_value"},
                       {"Step now", "step_ns", Unit::kNanoseconds},
                       {"Step expected", "expected_step_ns", Unit::kNanoseconds},
                       {"Peak now", "peak_bytes", Unit::kBytes},
                       {"Peak expected", "expected_peak_bytes", Unit::kBytes},
                       {"Part of", "part_of"}},
                      {},
                      "findings"};
    for (const Finding& finding : findings) {
        const Evidence& seen = finding.evidence;
        const auto& trial = finding.trial;
        const bool time = trial && trial->metric == TrialMetric::kStepTime;
        const bool memory = trial && trial->metric == TrialMetric::kPeakMemory;
        const auto text = [](const std::string& s) { return s.empty() ? ReportCell() : ReportCell(s); };
        const auto number = [](bool present, double value) {
            return present ? ReportCell(value) : ReportCell();
        };
        const auto size = [](bool present, double value) {
            return present ? ReportCell(static_cast<std::int64_t>(value)) : ReportCell();
        };
        table.rows.push_back(
            {finding.rule,
             finding.sentence,
             text(finding.remedy),
             number(finding.nsPerStep > 0, finding.nsPerStep),
             number(finding.stepShare > 0, finding.stepShare),
             finding.bytes.value > 0 ? ReportCell(finding.bytes.value) : ReportCell(),
             number(finding.peakShare > 0, finding.peakShare),
             std::string(kEvidenceViewNames[static_cast<std::size_t>(seen.view)]),
             seen.inView() ? timeOrAbsent(seen.inView()->begin) : ReportCell(),
             seen.inView() ? timeOrAbsent(seen.inView()->end) : ReportCell(),
             timeOrAbsent(seen.moment),
             text(seen.names),
             seen.phase ? ReportCell(std::string(phaseName(*seen.phase))) : ReportCell(),
             seen.range ? timeOrAbsent(seen.range->begin) : ReportCell(),
             seen.range ? timeOrAbsent(seen.range->end) : ReportCell(),
             seen.allocations.empty() ? ReportCell() : ReportCell(std::int64_t(seen.allocations.size())),
             trial ? ReportCell(trial->setting) : ReportCell(),
             trial ? ReportCell(trial->value) : ReportCell(),
             number(time, trial ? trial->before : 0),
             number(time, trial ? trial->expected : 0),
             size(memory, trial ? trial->before : 0),
             size(memory, trial ? trial->expected : 0),
             text(finding.partOf)});
    }
    return table;
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
    ReportTable whole = overviewTable(overview, forPeople);
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
        tables.push_back(findingsTable(overview.findings));
        keepFirst(tables.back(), options.limit);
    }
    return printFigures(tables, options.format);
}

}  // namespace

void addFindingsCommand(CLI::App& root, Work& chosen) {
    CLI::App* command = root.add_subcommand(
        "findings", "A run on one page, and what costs it time and memory, the costliest first");
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
