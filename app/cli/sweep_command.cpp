#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include "app/cli/command.h"
#include "app/cli/grid_options.h"
#include "app/cli/interrupt.h"
#include "app/cli/number_option.h"
#include "app/cli/saved_run.h"
#include "engine/base/format.h"
#include "engine/base/nearest_word.h"
#include "engine/report/sweep_tables.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/measures.h"
#include "engine/sweep/run_folder.h"
#include "engine/sweep/sweep_columns.h"
#include "engine/sweep/sweep_file.h"
#include "engine/sweep/sweep_run.h"

namespace warpglass::cli {
namespace {

namespace fs = std::filesystem;

struct SweepOptions {
    GridOptions grid;
    SweepPlan plan;
    std::string output, resume, keepRuns;
    std::vector<std::string> retry;
    bool dryRun = false, assumeYes = false;
    /// An option was given that a sweep's plan or file has already decided.
    std::string decided;
    std::vector<std::string> measures;
    TableFormat format = TableFormat::kTable;
};

/// "90", "90 s", "10 min", "2h"; a number alone counts seconds.
Nanoseconds parseLimit(const std::string& option, const std::string& text) {
    const auto limit = inUnits(text, {{"", 1e9}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}});
    if (!limit || *limit < 1e6 || *limit > numberOf(kMostTimeLimit))
        refuseValue(option, "a time such as 90s, 10min or 2h", text);
    return Nanoseconds(static_cast<std::int64_t>(*limit));
}

/// The first option given that says what a sweep runs, or where it goes; empty for none.
std::string givenOfPlan(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        const std::string group = option->get_group(), name = option->get_name();
        const bool isOfPlan = group == "Model" || group == "Run" || group == "Sweep" || name == "--output";
        if (option->count() > 0 && isOfPlan && name != "--resume" && name != "--retry")
            return name;
    }
    return {};
}

template <class Enum>
void addWords(CLI::App& command, const std::string& name, Enum& to, std::vector<std::string> words,
              const std::string& what) {
    const auto take = [&to, words](const std::string& word) {
        to = static_cast<Enum>(std::find(words.begin(), words.end(), word) - words.begin());
    };
    command.add_option_function<std::string>(name, take, what)
        ->check(CLI::IsMember(words))
        ->type_name("WORD")
        ->default_str(words[static_cast<std::size_t>(to)]);
}

/// Adds --measure, which checks its keys. `chosen` must outlive the parse; empty for what is usual.
void addMeasureOption(CLI::App& command, std::vector<std::string>& chosen) {
    const auto take = [&chosen](const std::vector<std::string>& keys) {
        std::vector<std::string> known = measureKeys();
        known.insert(known.begin(), "all");
        for (const std::string& key : keys) {
            if (key != "all" && !findMeasure(key))
                throw CLI::ValidationError("--measure", "There is no measure \"" + key + "\"." +
                                                            didYouMean(key, std::vector<std::string_view>(
                                                                                known.begin(), known.end())));
        }
        chosen = keys;
    };
    command
        .add_option_function<std::vector<std::string>>(
            "--measure", take,
            "Measures to print, as docs/tables.md names them: step_mean_ns, peak_bytes …; or all")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("KEY,…")
        ->group("Output");
}

/// Shows how far a sweep is, and says what went wrong with a cell when it does.
class SweepProgress {
public:
    explicit SweepProgress(const SweepRun& run) : m_run(run), m_said(run.sweep()->cells.size()) {
        const std::shared_ptr<const Sweep> sweep = run.sweep();
        for (const SweepCell& cell : sweep->cells)
            m_said[static_cast<std::size_t>(cell.index)] = cell.isDone() && cell.state != CellState::kSkipped;
    }

    void update() {
        const bool changed = m_epoch != m_run.epoch();
        if (!m_line.isDue() && !changed)
            return;
        m_epoch = m_run.epoch();
        const std::shared_ptr<const Sweep> sweep = m_run.sweep();
        if (changed)
            sayFailures(*sweep);
        if (m_line.visible())
            m_line.show(text(*sweep));
    }
    void clear() { m_line.clear(); }

private:
    /// Skipped cells have been announced before the sweep began.
    void sayFailures(const Sweep& sweep) {
        for (const SweepCell& cell : sweep.cells) {
            const auto at = static_cast<std::size_t>(cell.index);
            const bool hasRun = cell.isDone() && cell.state != CellState::kSkipped;
            if (m_said[at] || !hasRun || cell.message.empty())
                continue;
            m_said[at] = true;
            m_line.clear();
            say("Cell " + std::to_string(cell.index) + " (" + cellTitle(sweep.plan, cell) +
                "): " + cell.message);
        }
    }

    std::string text(const Sweep& sweep) const {
        const std::size_t waiting = sweep.count(CellState::kWaiting) + sweep.count(CellState::kRunning);
        std::string line = std::to_string(sweep.cells.size() - waiting) + " of " +
                           std::to_string(sweep.cells.size()) + " cells";
        for (const SweepCell& cell : sweep.cells) {
            if (cell.state == CellState::kRunning)
                line += " · " + cellTitle(sweep.plan, cell);
        }
        if (const auto left = m_run.timeLeft())
            line += " · " + formatDuration(*left) + " left";
        return line;
    }

    const SweepRun& m_run;
    std::vector<bool> m_said;
    std::uint64_t m_epoch = 0;
    ProgressLine m_line;
};

/// What is known before: on standard error, as one sentence each.
void sayForecast(const SweepPlan& plan, const SweepForecast& forecast) {
    const std::int64_t skipped =
        forecast.cannotRun + (plan.tooLarge == TooLarge::kSkip ? forecast.tooLarge : 0);
    std::string sentence = formatGrouped(forecast.cells) + (forecast.cells == 1 ? " cell" : " cells");
    if (forecast.time && skipped < forecast.cells)
        sentence += ", about " + formatDuration(*forecast.time);
    if (forecast.largestPeak.value > 0)
        sentence += "; the largest predicted peak is " + formatBytes(forecast.largestPeak);
    say(sentence + ".");
    if (skipped == 1)
        say(std::string("1 cell will be skipped, which ") +
            (forecast.cannotRun > 0 ? "cannot be run" : "is predicted not to fit") + "; --dry-run lists it.");
    else if (skipped > 0)
        say(formatGrouped(skipped) + " cells will be skipped, which " +
            (forecast.cannotRun == 0         ? "are predicted not to fit"
             : forecast.cannotRun == skipped ? "cannot be run"
                                             : "cannot be run or are predicted not to fit") +
            "; --dry-run lists them.");
    else if (forecast.tooLarge > 0)
        say(formatGrouped(forecast.tooLarge) + " will be tried although predicted not to fit.");
}

/// False where somebody who was asked does not want it.
bool mayStart(const SweepOptions& options, const SweepPlan& plan) {
    const std::vector<std::string> busy = busyGpu(plan);
    for (const std::string& sentence : busy)
        say(sentence);
    return busy.empty() || options.assumeYes || !canAsk() || ask("Start the sweep anyway?");
}

/// The sweep's file, new or to be gone on with; null after saying why there is none.
std::unique_ptr<SweepFile> openFile(const SweepOptions& options, ExitStatus& status) {
    auto file = options.resume.empty() ? SweepFile::create(options.output, options.plan)
                                       : SweepFile::resume(options.resume);
    if (file)
        return std::move(*file);
    const bool isSweep = options.resume.empty() && openSweep(options.output).ok();
    status = fail(file.message() +
                  (isSweep ? "; warpglass-cli sweep --resume " + options.output + " goes on with that sweep"
                           : std::string()));
    return nullptr;
}

/// Whose results are not kept.
std::set<CellState> retriedStates(const SweepOptions& options) {
    std::set<CellState> states;
    for (const std::string& word : options.retry)
        states.insert(*cellStateOfName(word));  // its option has checked it
    return states;
}

/// "Going on: 3 ok, 2 failed; 2 run again."
void sayGoingOn(const Sweep& sweep, const std::set<CellState>& retried) {
    std::size_t again = 0;
    for (const CellState state : retried)
        again += sweep.count(state);
    say("Going on: " + countsInWords(sweep) +
        (again == 0 ? "" : "; " + std::to_string(again) + (again == 1 ? " runs again" : " run again")) + ".");
}

/// Completes the plan; false after saying what is wrong with the command line.
bool readPlan(SweepOptions& options) {
    if (!options.resume.empty()) {
        if (!options.decided.empty())
            return refuse("--resume goes on with the sweep as it was planned, and takes no " +
                          options.decided + ".");
        return true;
    }
    if (!options.retry.empty())
        return refuse("--retry goes with --resume: a new sweep has no cells to run again.");
    if (!options.grid.fill(options.plan))
        return false;
    giveRepeatedCellAnAxis(options.plan);
    if (!options.keepRuns.empty())
        options.plan.runFolder = fs::absolute(options.keepRuns)
                                     .lexically_normal()
                                     .lexically_proximate(fs::absolute(options.output).parent_path());
    if (options.plan.memorySnapshots && options.keepRuns.empty())
        return refuse("--memory-snapshots needs --keep-runs: a snapshot is kept beside its cell's run file.");
    if (const Status checked = checkPlan(options.plan); !checked)
        return refuse(checked.message());
    if (options.output.empty() && !options.dryRun)
        return refuse("--output is needed: the sweep file to write.");
    return true;
}

ExitStatus runSweep(SweepOptions& options) {
    if (!readPlan(options))
        return ExitStatus::kWrongCommandLine;
    if (options.dryRun && options.resume.empty())
        return print(renderTables(forecastTables(options.plan, forecast(options.plan), options.format),
                                  options.format));
    // Before the forecast, which may take a while: the name is taken, or refused, at once.
    ExitStatus status = ExitStatus::kDone;
    std::unique_ptr<SweepFile> file = openFile(options, status);
    if (!file)
        return status;
    const fs::path path = file->path();
    const SweepPlan plan = file->sweep().plan;
    const std::set<CellState> retried = retriedStates(options);
    for (const std::string& warning : file->sweep().warnings)
        say(path.string() + ": " + warning);
    if (const std::string elsewhere = runFolderElsewhere(path, plan);
        !options.resume.empty() && !elsewhere.empty())
        say(elsewhere);
    if (!options.resume.empty())
        sayGoingOn(file->sweep(), retried);
    else
        sayForecast(plan, forecast(plan, Doubts::kFirst));
    if (!mayStart(options, plan))
        return fail("The sweep was not started; warpglass-cli sweep --resume " + path.string() +
                    " starts it.");

    const InterruptGuard interrupt;
    const std::unique_ptr<SweepRun> run = SweepRun::start(std::move(file), {{}, retried});
    SweepProgress progress(*run);
    bool stopping = false;
    while (!run->finished()) {
        if (interrupt.requested() && !stopping) {
            stopping = true;
            progress.clear();
            say("Stopping: the cell that runs will wait for --resume. Press Ctrl+C again to end at once.");
            run->stop();
        }
        progress.update();
        std::this_thread::sleep_for(kPollInterval);
    }
    run->wait();
    progress.update();
    progress.clear();
    const std::shared_ptr<const Sweep> sweep = run->sweep();
    if (!run->error().empty())
        status = fail(run->error());
    else if (sweep->count(CellState::kWaiting) > 0)
        status = fail("The sweep was stopped (" + countsInWords(*sweep) + "); warpglass-cli sweep --resume " +
                      path.string() + " goes on with it.");
    else if (sweep->count(CellState::kSkipped) == sweep->cells.size())
        status = fail("No cell was run: " + sweep->cells.front().message);
    const ExitStatus printed =
        print(renderTables(sweepTables(path, *sweep, options.measures, options.format), options.format));
    return status == ExitStatus::kDone ? printed : status;
}

struct SweepInfoOptions {
    std::string path;
    std::vector<std::string> measures;
    TableFormat format = TableFormat::kTable;
};

ExitStatus printSweep(const SweepInfoOptions& options) {
    const Result<Sweep> sweep = openSweep(options.path);
    if (!sweep)
        return fail(sweep.message());
    return print(
        renderTables(sweepTables(options.path, *sweep, options.measures, options.format), options.format));
}

}  // namespace

void addSweepCommand(CLI::App& root, Work& chosen) {
    const auto added = addCommand(
        root, chosen, "sweep", "Run a grid of settings, a process for each cell, and keep what each came to",
        runSweep,
        R"(Every setting of `run` takes a list of values; each list is an axis of the grid, the first
varying slowest. A cell that runs out of memory, crashes or exceeds its time limit is that
cell's result, and the sweep goes on. Ctrl+C stops it: the cell that runs waits for --resume;
a second Ctrl+C ends at once. The status is 0 when every cell has had its turn.

Examples:
  warpglass-cli sweep --model small,medium --context 128,256,512 --mode forward,step -o s.wgsweep
  warpglass-cli sweep --batch 1,2,4,8 --repeats 3 --order shuffled --dry-run
  warpglass-cli sweep --model tiny --context 64 --repeats 5 -o repeats.wgsweep
  warpglass-cli sweep --device cuda:0 --batch 1,8 --keep-runs runs --memory-snapshots -o m.wgsweep
  warpglass-cli sweep --resume s.wgsweep
  warpglass-cli sweep --resume s.wgsweep --retry failed,out-of-memory)");
    CLI::App& command = added.parser;
    SweepOptions& options = added.options;
    options.grid.addTo(command);
    beginGroup(command, "Sweep");
    addNumberOption(command, "--repeats", options.plan.repeats, "How often each cell is run",
                    NumberRange<std::int64_t>{.least = 1, .most = kMostCells});
    addWords(command, "--order", options.plan.order, {"grid", "interleaved", "shuffled"},
             "Order of the cells: all repeats of a cell together, round by round, or each round shuffled");
    addNumberOption(command, "--shuffle-seed", options.plan.shuffleSeed, "Seed of --order shuffled");
    command
        .add_option_function<std::string>(
            "--time-limit",
            [&options](const std::string& text) {
                options.plan.timeLimit = parseLimit("--time-limit", text);
            },
            "A cell that takes longer is ended and counts as failed")
        ->type_name("TIME")
        ->default_str("10min");
    addWords(command, "--too-large", options.plan.tooLarge, {"skip", "try"},
             "What to do with cells that are predicted not to fit in memory");
    addText(command, "--keep-runs", options.keepRuns, "FOLDER",
            "Folder in which each cell's run file is kept, as CELL.wgrun (default: none is)");
    command.add_flag("--memory-snapshots", options.plan.memorySnapshots,
                     "With --keep-runs, on a GPU: also keep LibTorch's memory snapshot of each cell, as "
                     "CELL.pickle, for pytorch.org/memory_viz; allocations take longer for it");
    command.add_flag("--dry-run", options.dryRun, "Print what the sweep would run, and run nothing");
    addText(command, "--resume", options.resume, "FILE",
            "Go on with a sweep that was stopped or cut off, after its last finished cell");
    command
        .add_option("--retry", options.retry,
                    "With --resume: cells of these results run again, with commas between; skipped cells are "
                    "always looked at again")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember({cellStateName(CellState::kFailed), cellStateName(CellState::kOutOfMemory)}))
        ->type_name("WORDS");
    beginGroup(command, "Output");
    addText(command, "--output,-o", options.output, "FILE",
            "Sweep file to write; one that exists is refused");
    command.add_flag("--yes,-y", options.assumeYes,
                     "Start without asking even if other programs use the GPU");
    addMeasureOption(command, options.measures);
    addFormatOption(command, options.format);
    command.parse_complete_callback([&] { options.decided = givenOfPlan(command); });
}

void addSweepInfoCommand(CLI::App& root, Work& chosen) {
    auto [command, options] = addCommand(root, chosen, "sweep-info",
                                         "Show what became of a sweep, also while it goes on", printSweep,
                                         R"(Examples:
  warpglass-cli sweep-info s.wgsweep
  warpglass-cli sweep-info s.wgsweep --measure forward_mean_ns,forward_stddev_ns
  warpglass-cli sweep-info s.wgsweep --format csv)");
    addFileArgument(command, options.path, "FILE", "Sweep file (.wgsweep)");
    addMeasureOption(command, options.measures);
    addFormatOption(command, options.format);
}

}  // namespace warpglass::cli
