#include "ui/experiments/running_experiment.h"

#include <chrono>
#include <exception>
#include <new>

#include "engine/experiments/experiment_figures.h"
#include "engine/experiments/run_experiment.h"
#include "engine/sweep/grid.h"

namespace warpglass::ui {

namespace {

/// The time left is told anew so often while a cell runs.
constexpr std::chrono::milliseconds kTimeInterval(500);

class Run final : public RunningExperiment {
public:
    Run(ExperimentRequest request, std::filesystem::path folder, SweepRunOptions options)
        : m_request(std::move(request)), m_folder(std::move(folder)), m_options(std::move(options)) {
        for (const NamedSweep& sweep : m_request.experiment->sweeps(m_request.options))
            m_cells.emplace_back(sweep.name, cellCount(sweep.plan));
        for (const auto& [name, count] : m_cells)
            m_progress.cells += count;
        m_thread = std::thread([this] { work(); });
    }
    ~Run() override {
        stop();
        m_thread.join();
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    void stop() override { m_stop = true; }
    bool finished() const override { return m_finished; }
    std::uint64_t epoch() const override { return m_epoch; }
    ExperimentProgress progress() const override {
        const std::lock_guard lock(m_mutex);
        return m_progress;
    }
    std::string error() const override {
        const std::lock_guard lock(m_mutex);
        return m_error;
    }
    std::string warning() const override {
        const std::lock_guard lock(m_mutex);
        return m_warning;
    }

private:
    void work() {
        try {
            runAll();
        } catch (const std::bad_alloc&) {
            fail("There was not enough memory for the experiment's answer.");
        } catch (const std::exception& failure) {
            fail(std::string("The experiment broke off: ") + failure.what() + ".");
        }
        change([](ExperimentProgress& progress) { progress.stage = ExperimentProgress::Stage::kEnded; });
        m_finished = true;
        ++m_epoch;
    }

    void runAll() {
        if (m_cells.empty())
            change([](ExperimentProgress& progress) { progress.stage = ExperimentProgress::Stage::kAnswer; });
        ExperimentWatch watch;
        watch.onProgress = [this](const std::string& name, const SweepRun& run) {
            follow(name, run);
            return !m_stop;
        };
        const auto result =
            runExperiment(*m_request.experiment, m_request.options, m_folder, m_options, watch);
        if (!result)
            return fail(result.message());
        if (result->charts.empty() || m_stop)
            return;
        change([](ExperimentProgress& progress) { progress.stage = ExperimentProgress::Stage::kFigures; });
        if (const Status drawn = drawFigures(m_folder, {}, m_stop); !drawn) {
            const std::lock_guard lock(m_mutex);
            m_warning = drawn.message();
        }
    }

    void follow(const std::string& name, const SweepRun& run) {
        const auto now = std::chrono::steady_clock::now();
        if (name == m_followed && run.epoch() == m_sweepEpoch && now - m_lastChange < kTimeInterval)
            return;
        m_followed = name;
        m_sweepEpoch = run.epoch();
        m_lastChange = now;
        const std::shared_ptr<const Sweep> sweep = run.sweep();
        std::int64_t done = 0, before = 0, after = 0;
        double took = 0;
        std::string cell;
        for (const SweepCell& one : sweep->cells) {
            done += one.isDone() ? 1 : 0;
            took += one.isDone() ? static_cast<double>(one.took.value) : 0;
            if (one.state == CellState::kRunning)
                cell = cellTitle(sweep->plan, one);
        }
        bool reached = false;
        for (const auto& [other, count] : m_cells) {
            reached = reached || other == name;
            if (!reached)
                before += count;
            else if (other != name)
                after += count;
        }
        auto left = run.timeLeft();
        // A later sweep's cells are taken to be as long as this one's.
        if (left && done > 0)
            *left = *left + Nanoseconds(static_cast<std::int64_t>(took / static_cast<double>(done) *
                                                                  static_cast<double>(after)));
        else if (after > 0)
            left.reset();
        change([&](ExperimentProgress& progress) {
            progress.done = before + done;
            progress.left = left;
            progress.sweep = sweep;
            progress.name = name;
            progress.cell = std::move(cell);
            progress.stage = progress.done == progress.cells ? ExperimentProgress::Stage::kAnswer
                                                             : ExperimentProgress::Stage::kCells;
        });
    }

    template <class Change>
    void change(Change change) {
        {
            const std::lock_guard lock(m_mutex);
            change(m_progress);
        }
        ++m_epoch;
    }
    void fail(const std::string& why) {
        const std::lock_guard lock(m_mutex);
        m_error = why;
    }

    const ExperimentRequest m_request;
    const std::filesystem::path m_folder;
    const SweepRunOptions m_options;
    std::vector<std::pair<std::string, std::int64_t>> m_cells;  // by sweep, in their order
    // Only the thread uses these.
    std::string m_followed;
    std::uint64_t m_sweepEpoch = 0;
    std::chrono::steady_clock::time_point m_lastChange;

    mutable std::mutex m_mutex;  // of the three below it
    ExperimentProgress m_progress;
    std::string m_error, m_warning;
    std::atomic<bool> m_stop{false}, m_finished{false};
    std::atomic<std::uint64_t> m_epoch{1};
    std::thread m_thread;
};

}  // namespace

std::unique_ptr<RunningExperiment> RunningExperiment::start(ExperimentRequest request,
                                                            std::filesystem::path folder,
                                                            SweepRunOptions options) {
    return std::make_unique<Run>(std::move(request), std::move(folder), std::move(options));
}

}  // namespace warpglass::ui
