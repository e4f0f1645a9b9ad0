#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>

#include "app/cli/command.h"
#include "app/cli/config_options.h"
#include "app/cli/interrupt.h"
#include "engine/base/format.h"
#include "engine/base/gpu_devices.h"
#include "engine/io/run_file.h"
#include "engine/plan/available_memory.h"
#include "engine/plan/memory_prediction.h"
#include "engine/query/activity/conditions.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/summary/out_of_memory.h"
#include "engine/query/summary/run_summary.h"
#include "engine/report/run_tables.h"
#include "engine/session/ceilings_store.h"
#include "engine/session/run_session.h"
#include "engine/session/save_run.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct RunOptions {
    ConfigOptions run;
    std::string output, memorySnapshot;
    bool assumeYes = false;
    TableFormat format = TableFormat::kTable;
};

/// "20260131-154500", local time: for the names of files that nobody named.
std::string timestamp() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    char text[32] = "";
    std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &local);
    return text;
}

/// "STEM-20260131-154500.wgrun", or with "-2", "-3" … before the dot: the first that `take` takes, of those
/// that nothing has. Where it takes none, the first of all: whoever writes it will say what is wrong.
std::filesystem::path newFile(const std::filesystem::path& folder, const std::string& stem,
                              const std::function<bool(const std::filesystem::path&)>& take) {
    const std::string name = stem + "-" + timestamp();
    const auto isFree = [](const std::filesystem::path& path) {
        std::error_code error;
        return std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::not_found;
    };
    for (int i = 1; i < 1000; ++i) {
        const std::filesystem::path path =
            folder / (name + (i == 1 ? "" : "-" + std::to_string(i)) + ".wgrun");
        if (!isFree(path))
            continue;
        // Another process may have taken the name just now; what else is wrong is wrong with the next, too.
        if (take(path) || isFree(path))
            return path;
    }
    return folder / (name + ".wgrun");
}

/// The file of a run, and its writer where nobody named it: so no other process takes the name.
struct Output {
    std::filesystem::path path;
    std::unique_ptr<RunFileWriter> writer;
};

Output outputOf(const RunOptions& options, const RunConfig& config) {
    if (!options.output.empty())
        return {options.output, nullptr};
    Output output;
    output.path = newFile({}, "warpglass-" + (config.isAttention() ? "attention" : config.model),
                          [&](const std::filesystem::path& path) {
                              auto made = RunFileWriter::create(path, RunFileWriter::Existing::kRefuse);
                              if (made)
                                  output.writer = std::move(*made);
                              return output.writer != nullptr;
                          });
    return output;
}

/// Whether the run begins, and whether on a person's word that it may although it does not fit.
enum class Consent { kNotNeeded, kGiven, kRefused };

/// Says when the run may not fit. What needs a person's word for it begins only with that.
Consent consentToMemory(const ValidConfig& config, bool assumeYes) {
    const auto [available, inUse, isLimit] = availableMemory(config, knownDevice(config->device));
    const MemoryPrediction memory = predictMemory(config);
    const Fit fit = fitOf(memory, available);
    if (fit == Fit::kTight || fit == Fit::kTooLarge)
        say(fitSentence(memory, available, inUse));
    if (!needsOvercommit(memory, available))
        return Consent::kNotNeeded;
    if (assumeYes)
        return Consent::kGiven;
    if (!canAsk()) {
        say("The run was not started; --yes runs it anyway.");
        return Consent::kRefused;
    }
    if (ask("Run it anyway?"))
        return Consent::kGiven;
    say("The run was not started.");
    return Consent::kRefused;
}

/// Shows how far a run is, as long as it goes on.
class RunProgress {
public:
    explicit RunProgress(const RunSession& session) : m_session(session) {}

    void update() {
        sayFileErrorOnce();
        if (m_line.isDue())
            m_line.show(text(Clock::now() - m_start));
    }
    void clear() { m_line.clear(); }
    /// After the run's end.
    void finish() {
        m_line.clear();
        sayFileErrorOnce();
    }

private:
    void sayFileErrorOnce() {
        if (m_saidFileError)
            return;
        const std::string error = m_session.fileError();
        if (error.empty())
            return;
        m_saidFileError = true;
        m_line.clear();
        say(error);
        if (!m_session.finished())
            say("The run goes on in memory and is saved elsewhere when it ends.");
    }

    std::string text(Clock::duration elapsed) {
        const Nanoseconds time(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
        const RunControl& control = m_session.control();
        const std::shared_ptr<TraceFeed> feed = m_session.feed();
        const std::shared_ptr<const Snapshot> snapshot = feed ? feed->latest() : nullptr;
        const std::int64_t steps = control.totalSteps;
        if (!snapshot || steps == 0)
            return "Starting … " + formatDuration(time);
        m_memory.update(snapshot);
        const std::int64_t step = std::min<std::int64_t>(control.step, steps - 1);
        const bool warmup = step < m_session.config().warmup;
        const std::string stop = control.stop ? "Stopping … " : "";
        return stop + std::to_string(step) + " of " + std::to_string(steps) + " steps done" +
               (warmup ? " (warm-up)" : "") + " · " + formatDuration(time) + " · " +
               formatCount(static_cast<std::int64_t>(snapshot->spanCount())) + " spans · " +
               formatBytes(Bytes(sumOf(m_memory.at(snapshot->range().end)))) + " in use";
    }

    const RunSession& m_session;
    const Clock::time_point m_start = Clock::now();
    ProgressLine m_line;
    MemoryTimeline m_memory;
    bool m_saidFileError = false;
};

/// Where the run is to be read, "" when it is nowhere.
struct SavedRun {
    std::filesystem::path path;
    bool asAsked = true;
};

/// The first of the places where a person would look that takes the file.
SavedRun saveElsewhere(const Snapshot& snapshot) {
    std::vector<std::filesystem::path> folders;
    std::error_code ignored;
    folders.push_back(std::filesystem::temp_directory_path(ignored));
    if (const char* home = std::getenv("HOME"))
        folders.emplace_back(home);
    for (const std::filesystem::path& folder : folders) {
        if (folder.empty())
            continue;
        Status saved = Error{"no name is free in " + folder.string()};
        const std::filesystem::path path =
            newFile(folder, "warpglass-recovered", [&](const std::filesystem::path& name) {
                saved = saveRun(snapshot, name);
                return bool(saved);
            });
        if (saved) {
            say("The run is saved in " + path.string() + " instead.");
            return {path, false};
        }
        say(saved.message());
    }
    say("The run could not be saved anywhere and is lost.");
    return {{}, false};
}

ReportTable runTable(const RunSession& session, const RunOutcome& outcome,
                     const std::shared_ptr<const Snapshot>& snapshot, const SavedRun& saved) {
    MemoryTimeline memory;
    memory.update(snapshot);
    const RunSummary summary = summarizeRun(memory);
    using Run = Column<RunSummary>;
    const TableDescription<RunSummary> runs = runColumns();
    const auto is = [](Cell cell) { return [cell](const RunSummary&) { return cell; }; };
    const std::vector<double>& losses = outcome.losses;
    std::vector<Run> columns = {
        Run("path", "File", is(textOrAbsent(saved.path.string()))),
        Run("state", "State", is(outcome.state)),
        Run("completed_steps", "Steps completed", Unit::kCount, is(outcome.steps)),
        runs.column("measured_steps"),
        runs.column("step_mean_ns"),
        runs.column("step_stddev_ns"),
        Run("first_loss", "First loss", Unit::kNumber, is(losses.empty() ? Cell() : losses.front())),
        Run("last_loss", "Last loss", Unit::kNumber, is(losses.empty() ? Cell() : losses.back()))};
    for (const char* key : {"peak_bytes", "before_backward_bytes", "before_backward_reserved_bytes"})
        columns.push_back(runs.column(key));
    return tableOf("run", shortTitle(session.config()), rowOf(summary), std::move(columns));
}

/// The sentence of a run that did not reach its end; empty for one that did.
std::string endSentence(const RunOutcome& outcome, const RunSession& session) {
    if (outcome.state == run_state::kFinished)
        return {};
    if (outcome.state == run_state::kStopped)
        return "The run was stopped after " + std::to_string(outcome.steps) + " of " +
               std::to_string(session.config().warmup + session.config().steps) +
               " steps; what was recorded is kept.";
    return outcome.message.empty() ? "The run failed without saying why." : outcome.message;
}

/// For a run that failed for want of memory: what had filled it, and what had been predicted.
void sayWhatWasAlive(const std::shared_ptr<const Snapshot>& snapshot) {
    MemoryTimeline memory;
    memory.update(snapshot);
    const std::optional<OutOfMemory> failure = outOfMemory(memory);
    if (!failure)
        return;
    if (const std::string alive = aliveSentence(*failure); !alive.empty())
        say(alive);
    if (failure->predictedPeak && failure->predictedSteps)
        say("The predicted peak was " + formatBytes(*failure->predictedPeak) + ", in " +
            failure->predictedPhase + ": " + stepPeaksInWords(*failure->predictedSteps) +
            ". `warpglass-cli info` lists what was live.");
}

ExitStatus report(const RunSession& session, const std::filesystem::path& path, TableFormat format) {
    const std::optional<RunOutcome> outcome = session.outcome();
    const std::shared_ptr<TraceFeed> feed = session.feed();
    const std::shared_ptr<const Snapshot> snapshot = feed ? feed->latest() : nullptr;
    if (!outcome)
        return fail("The run ended without saying how.");
    const std::string ended = endSentence(*outcome, session);
    if (!ended.empty())
        say(ended);
    if (!snapshot)
        return ExitStatus::kWorkFailed;

    const SavedRun saved = session.fileError().empty() ? SavedRun{path, true} : saveElsewhere(*snapshot);
    for (const LossCount& loss : snapshot->losses())
        say("Not recorded: " + formatGrouped(static_cast<std::int64_t>(loss.count)) + " × " + loss.name +
            ".");
    if (const std::string problem = snapshot->info().get("capture.problem"); !problem.empty())
        say("Kernels were not recorded: " + problem + ".");
    if (!outcome->snapshotProblem.empty())
        say(outcome->snapshotProblem);
    sayWhatWasAlive(snapshot);
    for (const std::string& caution : conditionsOf(*snapshot).cautions())
        say(caution);
    if (!saved.asAsked)  // last, for who reads the last line: a sweep has its cell's reason from there
        say(session.fileError());
    const ReportTable table = asRecord(runTable(session, *outcome, snapshot, saved), format);
    const ExitStatus printed = print(renderTable(table, format));
    return ended.empty() && saved.asAsked && outcome->snapshotProblem.empty() ? printed
                                                                              : ExitStatus::kWorkFailed;
}

ExitStatus runModel(const RunOptions& options) {
    const std::optional<ValidConfig> config = options.run.resolve();
    if (!config)
        return ExitStatus::kWrongCommandLine;
    const Consent consent = consentToMemory(*config, options.assumeYes);
    if (consent == Consent::kRefused)
        return ExitStatus::kWorkFailed;

    if (const auto known = CeilingsStore().all(); !known)
        say(known.message());
    Output output = outputOf(options, *config);
    const InterruptGuard interrupt;
    const std::unique_ptr<RunSession> started = RunSession::startInto(
        *config, output.path, std::move(output.writer), {consent == Consent::kGiven, options.memorySnapshot});
    RunSession& session = *started;

    RunProgress progress(session);
    bool stopping = false;
    while (!session.finished()) {
        if (interrupt.requested() && !stopping) {
            stopping = true;
            progress.clear();
            say("Stopping after the current op; press Ctrl+C again to end at once.");
            session.requestStop();
        }
        progress.update();
        std::this_thread::sleep_for(kPollInterval);
    }
    session.wait();
    progress.finish();
    return report(session, output.path, options.format);
}

}  // namespace

void addRunCommand(CLI::App& root, Work& chosen) {
    auto [command, options] = addCommand(
        root, chosen, "run", "Run a model, record it, and save the run", runModel,
        R"(The file is written while the run goes on: a run that is killed leaves a file that opens.
Ctrl+C stops the run between two ops, completes the file and returns 1; a second Ctrl+C ends
at once. A file that can't be written does not end the run: it is saved in the folder for
temporary files when it ends, and the status is 1.

Examples:
  warpglass-cli run --model tiny --context 128 --batch 4 --mode step --steps 3 --output a.wgrun
  warpglass-cli run --model small --precision bf16 --attention sdpa-flash --warmup 1 --steps 5 -o b.wgrun
  warpglass-cli run --model small --device cuda:0 --steps 2 -o d.wgrun --memory-snapshot d.pickle
  warpglass-cli run --model custom --d-model 128 --d-ff 512 --layers 2 --heads 4 --mode forward -o c.wgrun)");
    options.run.addTo(command, ConfigOptions::Settings::kAll);
    beginGroup(command, "Output");
    addText(command, "--output,-o", options.output, "FILE",
            "Run file to write, replaced if it exists (default: warpglass-MODEL-TIME.wgrun in this folder)");
    addText(command, "--memory-snapshot", options.memorySnapshot, "FILE",
            "Also write LibTorch's snapshot of the GPU's memory with its history, for "
            "pytorch.org/memory_viz; allocations take longer for it");
    command.add_flag("--yes,-y", options.assumeYes,
                     "Run without asking even if the run is predicted not to fit in memory");
    addFormatOption(command, options.format);
}

}  // namespace warpglass::cli
