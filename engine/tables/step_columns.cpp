#include "engine/tables/step_columns.h"

#include <array>
#include <cstdio>

#include "engine/base/format.h"
#include "engine/base/gpu_state.h"

namespace warpglass {
namespace {

using Condition = Column<Conditions>;
using Step = Column<StepRow, StepsShown>;
using Run = Column<RunConditions>;
using Words = std::optional<std::string>;

Cell wholeOf(const std::optional<double>& value) {
    return value ? wholeCell(*value) : Cell();
}

/// To a tenth: what is less than that disturbs nothing.
Words coresText(const std::optional<double>& cores) {
    if (!cores)
        return {};
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.1f", *cores);
    return text.data();
}

Condition whole(std::string key, std::string title, Unit unit, std::string description,
                std::optional<double> Conditions::*of) {
    return Condition(std::move(key), std::move(title), unit, std::move(description),
                     [of](const Conditions& c) { return wholeOf(c.*of); }, {.seen = Seen::kCommandLine});
}

std::vector<Condition> conditionColumns() {
    std::vector<Condition> columns = {
        Condition("others_cores", "Others' cores", Unit::kRatio,
                  "Cores that other programs kept busy on this machine while the step ran, on average. "
                  "Sampled about ten times a second",
                  &Conditions::othersCores,
                  {.text = [](const Conditions& c) { return coresText(c.othersCores); },
                   .plainTitle = "Cores used by others",
                   .width = 96}),
        Condition("waited_share", "Waited", Unit::kFraction,
                  "Share of the step's time in which the run's thread was ready to run and had no core",
                  &Conditions::waitedShare, {.plainTitle = "Waited for a core (share)", .width = 72}),
        whole("preemptions_per_second", "Preemptions per second", Unit::kCount,
              "How often a core was taken from the run's thread", &Conditions::preemptions),
        Condition("stolen_cores", "Cores taken by the hypervisor", Unit::kRatio,
                  "Cores that the hypervisor gave to others, on average", &Conditions::stolenCores,
                  {.text = [](const Conditions& c) { return coresText(c.stolenCores); },
                   .seen = Seen::kCommandLine}),
        Condition("throttled_share", "Held back by a CPU quota", Unit::kFraction,
                  "Share of the time in which a CPU quota held the process back", &Conditions::throttledShare,
                  {.seen = Seen::kCommandLine}),
        whole("sm_clock_mhz", "SM clock", Unit::kMegahertz, "The GPU's clock while the step ran, on average",
              &Conditions::smClock),
        whole("memory_clock_mhz", "Memory clock", Unit::kMegahertz, "Clock of the GPU's memory, on average",
              &Conditions::memoryClock),
        Condition("clock_reasons", "Clock limited by", Unit::kText,
                  "What limited the GPU's clock; empty if nothing did",
                  [](const Conditions& c) {
                      return c.clockReasons ? Cell(clockReasonsInWords(*c.clockReasons)) : Cell();
                  },
                  {.seen = Seen::kCommandLine}),
        whole("power_watts", "Power (W)", Unit::kCount, "Power draw of the GPU, on average",
              &Conditions::power),
        whole("temperature_celsius", "Temperature (°C)", Unit::kCount, "The GPU's, on average",
              &Conditions::temperature),
        Condition("gpu_processes", "Programs on the GPU", Unit::kCount,
                  "Largest number of programs with a context on the GPU at once, including this one",
                  &Conditions::gpuProcesses, {.seen = Seen::kCommandLine})};
    for (Condition& column : columns) {
        if (column.key != "sm_clock_mhz")
            continue;
        column.seen = Seen::kEverywhere;
        column.width = 84;
        column.exact = [](const Conditions& c) -> Words {
            const std::uint64_t reasons = holdingDown(c.clockReasons.value_or(0));
            if (reasons == 0)
                return {};
            return readableCell(wholeOf(c.smClock), Unit::kMegahertz) +
                   ", limited by: " + clockReasonsInWords(reasons);
        };
    }
    return columns;
}

/// "≥ " before a peak where records of memory are missing.
std::string least(const StepsShown& of, const std::string& text) {
    return (of.peaksAreLeast ? "≥ " : "") + text;
}

std::vector<Step> stepColumns() {
    std::vector<Step> columns = {
        Step("step", "Step", Unit::kOrdinal, "Steps count from 0, warm-up steps first", &StepRow::step,
             {.width = 52}),
        Step("start_ns", "Start", Unit::kMoment, "Time since recording began",
             [](const StepRow& row) { return row.range.begin; }, {.seen = Seen::kCommandLine}),
        Step("duration_ns", "Duration", Unit::kNanoseconds,
             "From the step's beginning to its end, on the CPU",
             [](const StepRow& row) { return row.range.duration(); }, {.bar = Bar::kOfLargest, .width = 132}),
        Step("counts_as", "Kind", Unit::kText, "Warm-up steps and steps that were cut off count in no mean",
             [](const StepRow& row) { return kStepStateNames[static_cast<std::size_t>(row.state)]; },
             {.width = 84})};
    for (const Condition& condition : conditionColumns())
        columns.push_back(lifted<StepRow, StepsShown>(
            condition, [](const StepRow& row) { return &row.conditions; },
            [](const StepsShown&) { return NoContext(); }));
    columns.push_back(Step("peak_bytes", "Peak memory", Unit::kBytes, "Peak memory while it ran",
                           &StepRow::peak,
                           {.text =
                                [](const StepRow& row, const StepsShown& of) {
                                    return row.peak ? Words(least(of, formatBytes(*row.peak))) : Words();
                                },
                            .exact =
                                [](const StepRow& row, const StepsShown& of) {
                                    return row.peak ? Words(least(of, formatBytesExact(*row.peak))) : Words();
                                },
                            .seen = Seen::kWindow,
                            .width = 96}));
    for (const Phase phase : kPhasesOfSteps) {
        const std::string name(phaseName(phase));
        columns.push_back(
            Step(name + "_ns", name, Unit::kNanoseconds, "Time in the phase " + name,
                 [phase](const StepRow& row) { return row.phases[static_cast<std::size_t>(phase)]; },
                 {.seen = Seen::kWindow, .width = 84}));
    }
    return columns;
}

std::vector<Run> runColumns() {
    std::vector<Run> columns;
    for (const Condition& condition : conditionColumns()) {
        columns.push_back(
            lifted<RunConditions>(condition, [](const RunConditions& run) { return &run.steps; }));
    }
    nameInFull(columns);  // alone on its line each has room
    columns.push_back(Run("host_cores", "Cores of the host", Unit::kRatio, "Cores that are switched on",
                          ifPositive(&RunConditions::cores)));
    columns.push_back(
        Run("needed_cores", "Cores the run needs", Unit::kRatio,
            "LibTorch's threads, or on a GPU the one thread that launches",
            [](const RunConditions& run) { return run.cores > 0 ? Cell(run.coresNeeded) : Cell(); }));
    columns.push_back(Run("max_sm_clock_mhz", "Fastest SM clock", Unit::kMegahertz,
                          "Highest clock that the GPU can run at",
                          [](const RunConditions& run) { return wholeOf(run.maxSmClock); }));
    columns.push_back(
        Run("cautions", "Cautions", Unit::kText, "Sentences on what disturbed the run",
            [](const RunConditions& run) { return textOrAbsent(joinedSentences(run.cautions())); },
            {.seen = Seen::kScripts}));
    return columns;
}

}  // namespace

const TableDescription<StepRow, StepsShown>& stepsTable() {
    static const TableDescription<StepRow, StepsShown> table{
        "conditions",
        stepColumns(),
        {"step", "counts_as", "duration_ns", "peak_bytes", "forward_ns", "loss_ns", "backward_ns",
         "optimizer_ns", "zero-grad_ns", "replay_ns"}};
    return table;
}

const TableDescription<RunConditions>& conditionsTable() {
    static const TableDescription<RunConditions> table{"conditions", runColumns()};
    return table;
}

}  // namespace warpglass
