#include "engine/tables/statistics_columns.h"

#include <array>

#include "engine/base/format.h"
#include "engine/query/statistics/phase_samples.h"
#include "engine/tables/swatches.h"

namespace warpglass {
namespace {

using Statistic = Column<StatisticsRow, StatisticsShown>;
using Words = std::optional<std::string>;

struct Duration {
    const char *key, *title, *phaseTitle, *description;
    Reading<Cell, StatisticsRow, StatisticsShown> value;
};

/// In nsys's order.
std::vector<Statistic> durations(bool phases) {
    const std::array<Duration, 5> all = {
        {{"average_ns", "Avg", "Mean", "Mean duration", &StatisticsRow::average},
         {"median_ns", "Med", "Med", "Median duration", &StatisticsRow::median},
         {"min_ns", "Min", "Min", "Shortest", &StatisticsRow::min},
         {"max_ns", "Max", "Max", "Longest", &StatisticsRow::max},
         {"stddev_ns", "StdDev", "± Std", "Sample standard deviation (n − 1)", &StatisticsRow::spread}}};
    std::vector<Statistic> columns;
    columns.reserve(all.size());
    for (const Duration& duration : all)
        columns.push_back(Statistic(
            duration.key, phases ? duration.phaseTitle : duration.title, Unit::kNanoseconds,
            duration.description, duration.value,
            {.plainTitle = plainTitleOf(duration.title, Unit::kNanoseconds), .width = phases ? 76 : 70}));
    if (phases) {
        // A deviation of fewer steps would look surer than it is: people read a dash.
        columns.back().description += "; shown only for five steps or more";
        columns.back().text = [](const StatisticsRow& row) {
            return row.instances < PhaseSamples::kLeastForDeviation ? Words("–") : Words();
        };
    }
    return columns;
}

/// What happens once, outside the steps, has no share of them.
Statistic share(std::string key, std::string title, std::string description, double StatisticsRow::*of,
                int width) {
    return Statistic(std::move(key), std::move(title), Unit::kFraction, std::move(description),
                     [of](const StatisticsRow& row) { return isOutsideSteps(row) ? Cell() : Cell(row.*of); },
                     {.bar = Bar::kOfLargest, .width = width});
}

/// How much of a phase the GPU waits for the host, 0 where that is not known.
double waitingShare(const StatisticsRow& row, const StatisticsShown& of) {
    const auto found = of.waits.find(row.name);
    return found == of.waits.end() || row.average <= 0 ? 0 : found->second / row.average;
}

Statistic timeShare(bool phases) {
    if (!phases)
        return share("time_share", "Time %",
                     "Share of the sum of all total times, as in nsys; for kernels, of the time the GPU was "
                     "busy rather than of the step",
                     &StatisticsRow::timeShare, 100);
    Statistic column =
        share("time_share", "Share",
              "Share of the steps' time; the part of a bar in which the GPU waits for the host is pale",
              &StatisticsRow::timeShare, 0);
    column.longBar = true;
    column.pale = waitingShare;
    return column;
}

Statistic name(StatisticsOf what) {
    Statistic column("name", "Name", Unit::kText, "What ran", &StatisticsRow::name,
                     {.code = kAlways, .width = 236});
    if (what != StatisticsOf::kPhases)
        return column;
    column.title = "Phase";
    column.plainTitle = "Name";
    column.description =
        "In the order of a step; then the step itself, and below it what lies outside the steps";
    column.inOrder = kAlways;
    column.group = [](const StatisticsRow& row) {
        return isOutsideSteps(row) ? 2 : isWholeStep(row) ? 1 : 0;
    };
    column.text = [](const StatisticsRow& row) {
        return isOutsideSteps(row) ? Words(row.name + ", once") : Words();
    };
    // "step" lines up with the phases.
    column.swatch = [](const StatisticsRow& row) {
        return swatchOfName(Swatch::kPhase, row.name).value_or(swatchOf(Phase::kNone));
    };
    column.code = {};
    column.width = 148;
    return column;
}

Statistic perStep() {
    return Statistic("instances_per_step", "Per step", Unit::kCount,
                     "Calls per step, the mean over the steps that count; – if parts of steps count",
                     [](const StatisticsRow& row, const StatisticsShown& of) {
                         return of.steps > 0 ? wholeIfExact(static_cast<double>(row.instances) /
                                                            static_cast<double>(of.steps))
                                             : Cell();
                     },
                     {.plainTitle = "Instances per step", .width = 72, .after = "instances"});
}

Statistic peak() {
    const auto words = [](std::string (*format)(Bytes)) {
        return [format](const StatisticsRow& row, const StatisticsShown& of) -> Words {
            const auto found = of.peaks.find(row.name);
            if (found == of.peaks.end())
                return {};
            return (of.peaksAreLeast ? "≥ " : "") + format(Bytes(found->second));
        };
    };
    return Statistic(
        "peak_bytes", "Peak memory", Unit::kBytes, "Peak memory while it ran",
        [](const StatisticsRow& row, const StatisticsShown& of) {
            const auto found = of.peaks.find(row.name);
            return found == of.peaks.end() ? Cell() : Cell(found->second);
        },
        {.text = words(formatBytes), .exact = words(formatBytesExact), .seen = Seen::kWindow, .width = 104});
}

/// A mean that only phases by the GPU's clock have.
Statistic ofHost(std::string key, std::string title, std::string description,
                 std::unordered_map<std::string, double> StatisticsShown::*of) {
    return Statistic(std::move(key), std::move(title), Unit::kNanoseconds, std::move(description),
                     [of](const StatisticsRow& row, const StatisticsShown& shown) {
                         const auto found = (shown.*of).find(row.name);
                         return found == (shown.*of).end() || isOutsideSteps(row) ? Cell()
                                                                                  : Cell(found->second);
                     },
                     {.seen = Seen::kWindow, .width = 104});
}

std::vector<Statistic> columnsOf(StatisticsOf what) {
    const bool phases = what == StatisticsOf::kPhases;
    const bool ranges = phases || what == StatisticsOf::kRanges;
    std::vector<Statistic> columns = {
        timeShare(phases), Statistic("total_ns", "Total time", Unit::kNanoseconds,
                                     ranges ? "Total duration of all instances, including nested work"
                                            : "Total duration of all calls, including nested calls. For a "
                                              "group: its outermost ops only, so nothing is counted twice",
                                     &StatisticsRow::total, {.width = phases ? 84 : 80})};
    // For kernels, whose self time is their time, the window's tree alone has it.
    const Seen self = what == StatisticsOf::kKernels ? Seen::kWindow
                      : phases                       ? Seen::kCommandLine
                                                     : Seen::kEverywhere;
    columns.push_back(share("self_share", "Self %", "Share of all self time; these add up to 100%",
                            &StatisticsRow::selfShare, 104));
    columns.back().seen = self;
    columns.push_back(Statistic("self_ns", "Self", Unit::kNanoseconds,
                                ranges ? "Time not spent in nested ranges" : "Time not spent in nested ops",
                                &StatisticsRow::self, {.seen = self, .width = 80}));
    columns.push_back(
        Statistic("instances", "Instances", Unit::kCount,
                  ranges ? "How often it ran" : "Number of calls; an op that calls itself counts once",
                  &StatisticsRow::instances, {.width = phases ? 80 : 76}));
    for (Statistic& column : durations(phases))
        columns.push_back(std::move(column));
    if (!ranges)
        columns.push_back(Statistic(
            "family", "Family", Unit::kText, "What kind of work it is",
            [](const StatisticsRow& row) { return kOpFamilyNames[static_cast<std::size_t>(row.family)]; },
            {.swatch = [](const StatisticsRow& row) { return swatchOf(row.family); }, .width = 112}));
    columns.push_back(name(what));
    if (ranges)
        columns.push_back(Statistic("kind", "Kind", Unit::kText, "step, phase, module or part",
                                    &StatisticsRow::kind, {.seen = Seen::kCommandLine}));
    columns.push_back(ranges ? peak() : perStep());
    if (phases) {
        columns.push_back(ofHost("host_ns", "Host",
                                 "Mean duration by the host's clock: how long launching took; the step's "
                                 "includes what lies in no phase",
                                 &StatisticsShown::host));
        columns.push_back(ofHost("wait_ns", "GPU waits",
                                 "Mean time in which the GPU was idle meanwhile and waited for the host",
                                 &StatisticsShown::waits));
        columns.back().text = [](const StatisticsRow& row, const StatisticsShown& of) {
            const double share = waitingShare(row, of);
            return share > 0 && !isOutsideSteps(row)
                       ? Words(formatMeanDuration(of.waits.at(row.name)) + " (" + formatPercent(share) + ")")
                       : Words();
        };
        columns.back().width = 136;
    }
    return columns;
}

}  // namespace

bool isOutsideSteps(const StatisticsRow& row) {
    return row.timeShare == 0 && row.kind == "phase" &&
           (row.name == phaseName(Phase::kSetup) || row.name == phaseName(Phase::kTeardown));
}

bool isWholeStep(const StatisticsRow& row) {
    return row.name == "step";
}

const TableDescription<StatisticsRow, StatisticsShown>& statisticsTable(StatisticsOf what) {
    using Table = TableDescription<StatisticsRow, StatisticsShown>;
    static const std::array<Table, 4> tables = {
        {{"ranges", columnsOf(StatisticsOf::kRanges)},
         {"phases",
          columnsOf(StatisticsOf::kPhases),
          {"name", "average_ns", "host_ns", "wait_ns", "stddev_ns", "median_ns", "min_ns", "max_ns",
           "total_ns", "instances", "peak_bytes", "time_share"},
          isWholeStep},
         {"ops", columnsOf(StatisticsOf::kOps)},
         {"kernels", columnsOf(StatisticsOf::kKernels)}}};
    return tables[static_cast<std::size_t>(what)];
}

}  // namespace warpglass
