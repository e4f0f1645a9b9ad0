#include "engine/experiments/run_experiment.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>

#include "engine/experiments/experiment_folder.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_request.h"
#include "engine/experiments/experiment_words.h"
#include "engine/io/run_file.h"
#include "engine/session/runner_library.h"
#include "engine/sweep/sweep_file.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPollInterval(20);

class FolderEvidence final : public ExperimentEvidence {
public:
    FolderEvidence(const ExperimentOptions& options, fs::path folder)
        : m_options(options), m_folder(std::move(folder)) {}

    Status open(const std::vector<NamedSweep>& sweeps) {
        const auto isThere = [&](const NamedSweep& sweep) {
            std::error_code error;
            return fs::exists(sweepPath(m_folder, sweep), error);
        };
        const bool any = std::ranges::any_of(sweeps, isThere);
        for (const NamedSweep& sweep : sweeps) {
            // An earlier version may have had fewer sweeps: what there is has its answer.
            if (any && !isThere(sweep))
                continue;
            Result<Sweep> opened = openSweep(sweepPath(m_folder, sweep));
            if (!opened)
                return opened.error();
            m_sweeps.emplace(sweep.name, std::move(*opened));
        }
        return {};
    }

    /// Why no cell has a result; nothing where one has, and where there are none.
    std::optional<std::string> failure() const {
        std::optional<std::string> first;
        for (const auto& [name, sweep] : m_sweeps) {
            for (const SweepCell& cell : sweep.cells) {
                if (cell.state == CellState::kOk || cell.state == CellState::kOutOfMemory)
                    return std::nullopt;
                if (!first)
                    first = cell.message;
            }
        }
        return first;
    }

    const ExperimentOptions& options() const override { return m_options; }
    const Sweep& sweep(std::string_view name) const override {
        static const Sweep none;
        const auto found = m_sweeps.find(name);
        return found == m_sweeps.end() ? none : found->second;
    }
    std::shared_ptr<const Snapshot> run(const SweepCell& cell) const override {
        if (cell.runFile.empty())
            return nullptr;
        const Result<OpenedRun> opened = openRun(m_folder / cell.runFile);
        return opened ? opened->snapshot : nullptr;
    }
    Result<Runner*> runner() const override { return loadRunner(); }
    std::optional<ExperimentResult> before() const override {
        Result<ExperimentResult> result = readExperiment(m_folder);
        return result ? std::optional(std::move(*result)) : std::nullopt;
    }

    /// What the first sweep that says anything says of its runs.
    std::vector<std::pair<std::string, std::string>> information() const {
        for (const auto& [name, sweep] : m_sweeps) {
            if (!sweep.information.empty())
                return sweep.information;
        }
        return {};
    }

private:
    const ExperimentOptions& m_options;
    fs::path m_folder;
    std::map<std::string, Sweep, std::less<>> m_sweeps;
};

/// A new sweep file, or the one that a run of the same experiment has left.
Result<std::unique_ptr<SweepFile>> sweepFileOf(const fs::path& path, const SweepPlan& plan) {
    std::error_code error;
    if (!fs::exists(path, error))
        return SweepFile::create(path, plan);
    Result<std::unique_ptr<SweepFile>> file = SweepFile::resume(path);
    if (!file)
        return file;
    // An earlier version may have begun it without memory snapshots: it then goes on without.
    SweepPlan asked = plan;
    asked.memorySnapshots = asked.memorySnapshots && (*file)->sweep().plan.memorySnapshots;
    if ((*file)->sweep().plan != asked)
        return Error{path.string() + " holds a sweep with other settings: choose another folder."};
    return file;
}

Status runSweep(const NamedSweep& sweep, const fs::path& folder, const SweepRunOptions& running,
                const ExperimentWatch& watch) {
    Result<std::unique_ptr<SweepFile>> file = sweepFileOf(sweepPath(folder, sweep), sweep.plan);
    if (!file)
        return file.error();
    const std::unique_ptr<SweepRun> run = SweepRun::start(std::move(*file), running);
    bool stopped = false;
    while (!run->finished()) {
        if (watch.onProgress && !stopped && !watch.onProgress(sweep.name, *run)) {
            stopped = true;
            run->stop();
        }
        std::this_thread::sleep_for(kPollInterval);
    }
    run->wait();
    if (watch.onProgress && !stopped)
        static_cast<void>(watch.onProgress(sweep.name, *run));  // of its end
    if (stopped)
        return Error{"The experiment was stopped; what is done is kept in " + folder.string() +
                     ", and the same command goes on with it."};
    if (const std::string problem = run->error(); !problem.empty())
        return Error{problem};
    return {};
}

}  // namespace

ExperimentResult evaluated(const Experiment& experiment, const ExperimentEvidence& evidence) {
    ExperimentResult result;
    result.name = experiment.name;
    result.title = experiment.title;
    result.lookFor = experiment.lookFor;
    experiment.evaluate(evidence, result);
    noteSweeps(experiment, evidence, result);
    return result;
}

Result<ExperimentResult> evaluateExperiment(const Experiment& experiment, const ExperimentOptions& options,
                                            const fs::path& folder) {
    FolderEvidence evidence(options, folder);
    if (Status opened = evidence.open(experiment.sweeps(options)); !opened)
        return opened.error();
    if (const auto why = evidence.failure())
        return Error{"No run of the experiment has a result: " + *why};
    ExperimentResult result = evaluated(experiment, evidence);
    if (result.answers.empty() && result.tables.empty() && result.charts.empty())
        return Error{result.notes.empty() ? "What the folder holds gives no answer." : result.notes.front()};
    result.information = evidence.information();
    if (Status written = writeExperiment(result, folder); !written)
        return written.error();
    return result;
}

Result<ExperimentResult> runExperiment(const Experiment& experiment, const ExperimentOptions& options,
                                       const fs::path& folder, const SweepRunOptions& running,
                                       const ExperimentWatch& watch) {
    if (Status compared = comparesWhatIsGiven(experiment, options); !compared)
        return compared.error();
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return Error{"Cannot make the folder " + folder.string() + ": " + error.message() + "."};
    if (Status claimed = claimFolder({&experiment, options}, folder); !claimed)
        return claimed.error();
    for (const NamedSweep& sweep : experiment.sweeps(options)) {
        if (Status done = runSweep(sweep, folder, running, watch); !done)
            return done.error();
    }
    return evaluateExperiment(experiment, options, folder);
}

}  // namespace warpglass
