#include "engine/sweep/sweep_run.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/utc_now.h"
#include "engine/base/whole_file.h"
#include "engine/io/sqlite_database.h"
#include "engine/plan/settings.h"
#include "engine/sweep/cell_outlook.h"
#include "engine/sweep/cell_result.h"
#include "engine/sweep/child_process.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/measures.h"
#include "engine/sweep/run_folder.h"
#include "engine/sweep/sweep_file.h"
#include "engine/sweep/sweep_file_tables.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Weighing more cells than this against one another would hold up the first of them.
constexpr std::size_t kMostWeighed = 100'000;

Nanoseconds since(Clock::time_point begin) {
    return Nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count());
}

fs::path programBeside() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).parent_path() / "warpglass-cli";
}

/// The command line of the cell's run: every setting by name, so that no default of the program's matters.
std::vector<std::string> argumentsOf(const RunConfig& config, const CellFiles& files) {
    std::vector<std::string> arguments = {"run", "--format", "json", "--yes", "--output", files.run.string()};
    if (!files.memorySnapshot.empty())
        arguments.insert(arguments.end(), {"--memory-snapshot", files.memorySnapshot.string()});
    for (const Setting& setting : settings()) {
        if (!setting.applies(config))
            continue;
        arguments.push_back("--" + std::string(setting.key));
        arguments.push_back(setting.text(config));
    }
    return arguments;
}

/// How long the rest will take, from what the cells done have taken. Weights are rough times in ns.
class TimeLeft {
public:
    /// What Outlooks::times() says of each cell, and whether all rest on a measurement.
    void weigh(std::vector<double> weights, std::int64_t repeats, bool isMeasured) {
        m_weights = std::move(weights);
        m_repeats = repeats;
        m_isMeasured = isMeasured;
    }
    void add(const SweepCell& cell) {
        if (cell.state == CellState::kSkipped || cell.state == CellState::kWaiting || cell.took.value <= 0)
            return;
        m_done[cell.index] = static_cast<double>(cell.took.value);
        m_took += static_cast<double>(cell.took.value);
        m_weight += weightOf(cell.index);
    }
    std::optional<Nanoseconds> of(const Sweep& sweep, Nanoseconds ofRunning) const {
        if (m_weights.empty() || (m_weight <= 0 && !m_isMeasured))
            return std::nullopt;
        const double scale = m_weight > 0 ? m_took / m_weight : 1;
        double left = 0;
        for (const SweepCell& cell : sweep.cells) {
            if (cell.isDone())
                continue;
            const double whole = repeatOf(cell).value_or(weightOf(cell.index) * scale);
            const double gone = cell.state == CellState::kRunning ? static_cast<double>(ofRunning.value) : 0;
            left += std::max(0.0, whole - gone);
        }
        constexpr double kMost = 9e18;
        return Nanoseconds(static_cast<std::int64_t>(std::min(left, kMost)));
    }

private:
    double weightOf(std::int64_t index) const {
        const auto at = static_cast<std::size_t>(index / m_repeats);
        return at < m_weights.size() ? m_weights[at] : 0;
    }
    /// What another repeat of the same cell took.
    std::optional<double> repeatOf(const SweepCell& cell) const {
        const std::int64_t first = cell.index / m_repeats * m_repeats;
        const auto found = m_done.lower_bound(first);
        if (found == m_done.end() || found->first >= first + m_repeats)
            return std::nullopt;
        return found->second;
    }

    std::vector<double> m_weights;  // by place in the grid
    std::int64_t m_repeats = 1;
    bool m_isMeasured = false;
    std::map<std::int64_t, double> m_done;
    double m_took = 0, m_weight = 0;
};

class Run final : public SweepRun {
public:
    Run(std::unique_ptr<SweepFile> file, const SweepRunOptions& options)
        : m_file(std::move(file)),
          m_program(options.program.empty() ? programBeside() : options.program),
          m_plan(m_file->sweep().plan),
          m_sweep(m_file->sweep()) {
        // In the file they keep their results until they begin.
        for (SweepCell& cell : m_sweep.cells) {
            if (options.retry.contains(cell.state))
                cell = cell.waitingAgain();
        }
        m_thread = std::thread([this] { runGuarded(); });
    }
    ~Run() override {
        stop();
        m_thread.join();
    }

    void pause() override {
        const std::lock_guard lock(m_mutex);
        m_paused = true;
    }
    void resume() override {
        const std::lock_guard lock(m_mutex);
        m_paused = false;
        m_changed.notify_all();
    }
    bool paused() const override {
        const std::lock_guard lock(m_mutex);
        return m_paused;
    }
    void stop() override {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
        m_changed.notify_all();
    }
    bool finished() const override {
        const std::lock_guard lock(m_mutex);
        return m_finished;
    }
    void wait() override {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_finished; });
    }
    std::uint64_t epoch() const override {
        const std::lock_guard lock(m_mutex);
        return m_epoch;
    }
    /// A copy is made when it is asked for: nobody may ask, and a sweep may have a million cells.
    std::shared_ptr<const Sweep> sweep() const override {
        const std::lock_guard lock(m_mutex);
        if (!m_copy || m_copied != m_epoch) {
            m_copy = std::make_shared<const Sweep>(m_sweep);
            m_copied = m_epoch;
        }
        return m_copy;
    }
    std::optional<Nanoseconds> timeLeft() const override {
        const std::lock_guard lock(m_mutex);
        if (m_finished)
            return Nanoseconds(0);
        return m_timeLeft.of(m_sweep, m_isRunning ? since(m_begun) : Nanoseconds(0));
    }
    std::string error() const override {
        const std::lock_guard lock(m_mutex);
        return m_error;
    }

private:
    void runGuarded() {
        std::string error;
        try {
            error = runAll();
        } catch (const std::exception& failure) {
            error = std::string("The sweep broke off: ") + failure.what() + ".";
        }
        Sweep atEnd = m_file->sweep();
        sweep_file::letRunningWait(atEnd);
        m_file.reset();  // another process may write it from now on
        const std::lock_guard lock(m_mutex);
        m_error = std::move(error);
        m_isRunning = false;
        m_sweep = std::move(atEnd);
        ++m_epoch;
        m_finished = true;
        m_changed.notify_all();
    }

    /// Why it ended early; empty where it did not, or was stopped.
    std::string runAll() {
        if (::access(m_program.c_str(), X_OK) != 0)
            return "The cells cannot be run: the program " + m_program.string() + " is not there.";
        m_outlooks.emplace();
        weighCells();
        for (const std::int64_t index : runOrder(m_plan)) {
            const SweepCell& cell = m_sweep.cells[static_cast<std::size_t>(index)];
            if (cell.isDone() && cell.state != CellState::kSkipped)
                continue;
            if (!waitForTurn())
                return {};
            if (std::string error = runCell(index); !error.empty())
                return error;
        }
        return {};
    }

    /// False when the sweep is to end.
    bool waitForTurn() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_stop || !m_paused; });
        return !m_stop;
    }

    void weighCells() {
        const std::size_t places = m_sweep.cells.size() / static_cast<std::size_t>(m_plan.repeats);
        std::vector<double> weights(places, 1);
        bool isMeasured = false;
        if (m_sweep.cells.size() <= kMostWeighed) {
            const GridOutlook grid = m_outlooks->times(m_plan);
            isMeasured = std::ranges::all_of(grid.distinct, [](const CellOutlook& outlook) {
                return outlook.timeIsKnown || outlook.cannotRun;
            });
            for (std::size_t i = 0; i < places; ++i)
                weights[i] = grid.at(static_cast<std::int64_t>(i)).time;
        }
        const std::lock_guard lock(m_mutex);
        m_timeLeft.weigh(std::move(weights), m_plan.repeats, isMeasured);
        for (const SweepCell& cell : m_sweep.cells)
            m_timeLeft.add(cell);
    }

    std::string runCell(std::int64_t index) {
        const SweepCell& before = m_sweep.cells[static_cast<std::size_t>(index)];
        SweepCell cell = before.waitingAgain();
        const RunConfig config = configOf(m_plan, cell);
        const CellOutlook outlook = m_outlooks->of(config);
        if (outlook.cannotRun || (outlook.tooLarge && m_plan.tooLarge == TooLarge::kSkip)) {
            if (before.state == CellState::kSkipped && before.message == outlook.doubt)
                return {};
            cell.state = CellState::kSkipped;
            cell.message = outlook.doubt;
            cell.figures = predictedMeasures(config);
            return store(cell);
        }
        const auto files = filesOf(cell);
        if (!files)
            return files.message();
        cell.started = utcNow();
        if (const Status begun = m_file->beginCell(index, cell.started); !begun)
            return begun.message();
        cell.state = CellState::kRunning;
        const Clock::time_point begin = Clock::now();
        show(cell, begin);
        // An older run, as a kill leaves it, would be taken for that of a process that writes none.
        files->remove();
        const std::int64_t kills = kernelKills();
        const ChildEnd end = runChild(m_program, argumentsOf(config, *files), m_plan.timeLimit, m_stop);
        if (!end.notStarted.empty() || end.stopped) {
            files->remove();
            const std::string error = reset(cell);
            return end.notStarted.empty()
                       ? error
                       : "The cells cannot be run: " + m_program.string() + ": " + end.notStarted + ".";
        }
        CellResult result = resultOf(end, *files, config, m_plan.timeLimit, kernelKills() > kills);
        if (result.state == CellState::kFailed &&
            result.message.find(run_file::kDiskIsFull) != std::string::npos) {
            // That is no result of the cell, and the next would fare no better.
            files->remove();
            const std::string error = reset(cell);
            return error.empty() ? "The sweep stops here: " + result.message : error;
        }
        cell.state = result.state;
        cell.message = std::move(result.message);
        cell.figures = std::move(result.figures);
        keep(*files, cell);
        cell.took = since(begin);
        if (std::string error = store(cell); !error.empty())
            return error;
        return addInformation(result.information);
    }

    /// Where the cell's run goes, and its memory snapshot. Without a folder to keep it in, beside the sweep.
    Result<CellFiles> filesOf(const SweepCell& cell) const {
        if (m_plan.runFolder.empty())
            return CellFiles{fs::path(m_file->path()) += ".cell.wgrun", {}};
        const fs::path beside = m_file->path().parent_path();
        CellFiles files{beside / keptRunOf(m_plan, cell.index), {}};
        std::error_code error;
        fs::create_directories(files.run.parent_path(), error);
        if (error)
            return Error{"cannot make the folder " + files.run.parent_path().string() + ": " +
                         error.message()};
        // Another sweep may have come to the folder since this one looked (run_folder.h).
        const auto isForeign = [&error](const fs::path& path, bool isOurs) {
            return !isOurs && fs::exists(fs::symlink_status(path, error));
        };
        if (isForeign(files.run, m_file->hasRunOf(cell.index)))
            return Error{"cannot write " + files.run.string() +
                         ": another run has been saved there since the sweep began"};
        if (m_plan.memorySnapshots)
            files.memorySnapshot = beside / keptSnapshotOf(m_plan, cell.index);
        if (isForeign(files.memorySnapshot, m_file->hasSnapshotOf(cell.index)))
            return Error{"cannot write " + files.memorySnapshot.string() +
                         ": another memory snapshot has been saved there since the sweep began"};
        return files;
    }

    /// What the cell's process has left, where that is asked for.
    void keep(const CellFiles& files, SweepCell& cell) const {
        if (m_plan.runFolder.empty())
            return files.remove();
        std::error_code ignored;
        if (fs::exists(files.run, ignored))
            cell.runFile = keptRunOf(m_plan, cell.index);
        if (fs::exists(files.memorySnapshot, ignored))
            cell.memorySnapshot = keptSnapshotOf(m_plan, cell.index);
        else if (!files.memorySnapshot.empty())
            removeWholeFile(files.memorySnapshot);  // a half, where its process was ended as it wrote
    }

    void show(const SweepCell& cell, Clock::time_point begun) {
        const std::lock_guard lock(m_mutex);
        m_sweep.cells[static_cast<std::size_t>(cell.index)] = cell;
        m_isRunning = cell.state == CellState::kRunning;
        m_begun = begun;
        m_timeLeft.add(cell);
        ++m_epoch;
    }
    std::string store(const SweepCell& cell) {
        const Status stored = m_file->finishCell(cell);
        if (!stored)
            return stored.message();
        show(cell, {});
        return {};
    }
    std::string reset(const SweepCell& cell) {
        const Status done = m_file->resetCell(cell.index);
        show(m_file->sweep().cells[static_cast<std::size_t>(cell.index)], {});
        return done ? std::string() : done.message();
    }

    /// Where a sweep goes over several devices, all of them are named.
    std::string addInformation(const std::vector<std::pair<std::string, std::string>>& information) {
        for (const auto& [key, value] : information) {
            if (!m_stated.emplace(key, value).second)
                continue;
            std::string all = value;
            for (const auto& [known, before] : m_file->sweep().information) {
                if (known != key)
                    continue;
                all = ("; " + before + ";").find("; " + value + ";") == std::string::npos
                          ? before + "; " + value
                          : before;
            }
            if (const Status done = m_file->setInformation(key, all); !done)
                return done.message();
        }
        const std::lock_guard lock(m_mutex);
        if (m_sweep.information != m_file->sweep().information) {
            m_sweep.information = m_file->sweep().information;
            ++m_epoch;
        }
        return {};
    }

    std::unique_ptr<SweepFile> m_file;  // the run thread's
    const fs::path m_program;
    const SweepPlan m_plan;
    std::optional<Outlooks> m_outlooks;  // made by the run's thread: asking for devices takes 100 ms
    std::set<std::pair<std::string, std::string>> m_stated;
    std::atomic<bool> m_stop{false};

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    // Guarded by m_mutex; only the run's thread changes the sweep, and may read it without.
    Sweep m_sweep;
    std::uint64_t m_epoch = 1;
    bool m_paused = false, m_finished = false, m_isRunning = false;
    Clock::time_point m_begun{};
    TimeLeft m_timeLeft;
    std::string m_error;
    mutable std::shared_ptr<const Sweep> m_copy;
    mutable std::uint64_t m_copied = 0;

    std::thread m_thread;
};

}  // namespace

std::unique_ptr<SweepRun> SweepRun::start(std::unique_ptr<SweepFile> file, const SweepRunOptions& options) {
    return std::make_unique<Run>(std::move(file), options);
}

}  // namespace warpglass
