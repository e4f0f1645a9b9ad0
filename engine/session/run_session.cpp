#include "engine/session/run_session.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/io/run_file.h"
#include "engine/query/model/best_product.h"
#include "engine/session/ceilings_store.h"
#include "engine/session/runner_library.h"
#include "engine/session/save_run.h"

namespace warpglass {

namespace {

/// How often what was recorded goes to the file: the most that a kill can cost.
constexpr std::chrono::milliseconds kWriteInterval{500};
constexpr std::chrono::milliseconds kFirstWriteInterval{5};

class Session final : public RunSession {
public:
    /// A null runner is loaded on the run's thread.
    Session(Runner* runner, const ValidConfig& config, std::filesystem::path output,
            std::unique_ptr<RunFileWriter> writer, RunWishes wishes)
        : m_config(config), m_output(std::move(output)), m_writer(std::move(writer)) {
        m_control.overcommit = wishes.overcommit;
        m_control.memorySnapshot = std::move(wishes.memorySnapshot);
        m_control.totalSteps = m_config->warmup + m_config->steps;
        m_recordThread = std::thread([this] { record(); });
        m_runThread = std::thread([this, runner] { run(runner); });
    }

    ~Session() override {
        requestStop();
        m_runThread.join();
        m_recordThread.join();
    }

    const RunConfig& config() const override { return m_config; }
    const RunControl& control() const override { return m_control; }
    void requestStop() override { m_control.stop = true; }

    std::shared_ptr<TraceFeed> feed() const override {
        const std::lock_guard lock(m_mutex);
        return m_feed;
    }
    bool finished() const override {
        const std::lock_guard lock(m_mutex);
        return m_finished;
    }
    void wait() override {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_finished; });
    }
    std::optional<RunOutcome> outcome() const override {
        const std::lock_guard lock(m_mutex);
        return m_finished ? m_outcome : std::nullopt;
    }
    std::string fileError() const override {
        const std::lock_guard lock(m_mutex);
        return m_fileError;
    }

private:
    void run(Runner* runner) {
        RunOutcome outcome = runGuarded(runner);
        const std::lock_guard lock(m_mutex);
        m_outcome = std::move(outcome);
        m_changed.notify_all();
    }

    /// Whatever goes wrong, a run ends with an outcome.
    RunOutcome runGuarded(Runner* runner) {
        const auto failed = [](std::string message) {
            return RunOutcome{std::string(run_state::kFailed), std::move(message), {}};
        };
        try {
            if (!runner) {
                const Result<Runner*> loaded = loadRunner();
                if (!loaded)
                    return failed(loaded.message());
                runner = *loaded;
            }
            m_control.information = knownCeilings(*runner);
            Result<RunOutcome> outcome =
                runner->run(m_config, m_control, [this](std::shared_ptr<TraceFeed> feed) {
                    const std::lock_guard lock(m_mutex);
                    m_feed = std::move(feed);
                    m_changed.notify_all();
                });
            return outcome ? std::move(*outcome) : failed(outcome.message());
        } catch (const std::exception& error) {
            return failed(std::string("the run broke off: ") + error.what());
        } catch (...) {
            return failed("the run broke off for a reason that it did not give");
        }
    }

    /// What has been measured of the run's device, for the run to state.
    std::vector<std::pair<std::string, std::string>> knownCeilings(const Runner& runner) {
        for (const DeviceInfo& device : runner.devices()) {
            if (device.id != m_config->device)
                continue;
            m_known = CeilingsStore().find(device.name, device.driver, runner.torchVersion());
            return m_known ? toPairs(*m_known) : std::vector<std::pair<std::string, std::string>>();
        }
        return {};
    }

    /// The recording thread, from before the run starts until its file is complete.
    void record() {
        try {
            recordFile();
        } catch (const std::exception& error) {
            setFileError("The run file " + m_output.string() + " cannot be written: " + error.what() + ".");
        }
        m_writer.reset();
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_outcome.has_value(); });
        const auto feed = m_outcome->state == run_state::kFinished ? m_feed : nullptr;
        lock.unlock();
        try {
            if (const auto last = feed ? feed->latest() : nullptr)
                raiseCeilings(*last);
        } catch (const std::exception&) {
            // What cannot be kept is lost to later runs alone, and comes again.
        }
        lock.lock();
        m_finished = true;
        m_changed.notify_all();
    }

    /// A product of the run that beat what is known of the device is what it can do.
    void raiseCeilings(const Snapshot& snapshot) const {
        if (!m_known || !m_known->product(m_config->precision))
            return;
        const DeviceCeilings::Product best{m_config->precision,
                                           bestProduct(snapshot).flopsPerSecond,
                                           0,
                                           0,
                                           0,
                                           shortTitle(m_config) + ", " + snapshot.info().get("time.started")};
        // What cannot be kept is lost to later runs alone, and comes again.
        static_cast<void>(CeilingsStore().raise(*m_known, best));
    }

    void recordFile() {
        // Before the runner is loaded, which takes seconds: who opens the file then, or kills the run, finds
        // one that opens. Without a single write it goes with the writer.
        if (!m_writer && !m_output.empty()) {
            auto created = RunFileWriter::create(m_output);
            if (!created)
                return setFileError(created.message());
            m_writer = std::move(*created);
        }
        std::shared_ptr<TraceFeed> feed;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_feed || m_outcome; });
            feed = m_feed;
        }
        if (feed && m_writer)
            writeFile(*feed, *m_writer);
    }

    void writeFile(const TraceFeed& feed, RunFileWriter& writer) {
        std::uint64_t written = 0;
        // The first write comes at once, so that a run killed in its first moments leaves what it had.
        while (!ended(written == 0 ? kFirstWriteInterval : kWriteInterval)) {
            const auto snapshot = feed.latest();
            if (snapshot && snapshot->epoch() != written) {
                written = snapshot->epoch();
                // A failing file does not stop the run; it goes on in memory and can be saved elsewhere.
                if (const Status status = writer.write(*snapshot); !status)
                    return setFileError(status.message());
            }
        }
        if (const auto last = feed.latest()) {
            if (const Status status = finishRun(writer, *last); !status)
                setFileError(status.message());
        }
    }

    /// Waits for the next write's time, or the run's end; true at the end.
    bool ended(std::chrono::milliseconds interval) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, interval, [this] { return m_outcome.has_value(); });
    }

    void setFileError(std::string message) {
        const std::lock_guard lock(m_mutex);
        m_fileError = std::move(message);
    }

    const ValidConfig m_config;
    const std::filesystem::path m_output;
    std::unique_ptr<RunFileWriter> m_writer;  // the recording thread's
    RunControl m_control;
    /// Set by the run's thread before the run, read by the recording thread after it.
    std::optional<DeviceCeilings> m_known;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    // Guarded by m_mutex.
    std::shared_ptr<TraceFeed> m_feed;
    std::optional<RunOutcome> m_outcome;
    std::string m_fileError;
    bool m_finished = false;

    std::thread m_recordThread;
    std::thread m_runThread;
};

}  // namespace

std::unique_ptr<RunSession> RunSession::start(const ValidConfig& config, const std::filesystem::path& output,
                                              RunWishes wishes) {
    return std::make_unique<Session>(nullptr, config, output, nullptr, std::move(wishes));
}

std::unique_ptr<RunSession> RunSession::startInto(const ValidConfig& config,
                                                  const std::filesystem::path& output,
                                                  std::unique_ptr<RunFileWriter> writer, RunWishes wishes) {
    return std::make_unique<Session>(nullptr, config, output, std::move(writer), std::move(wishes));
}

std::unique_ptr<RunSession> RunSession::startWith(Runner& runner, const ValidConfig& config,
                                                  const std::filesystem::path& output) {
    return std::make_unique<Session>(&runner, config, output, nullptr, RunWishes());
}

}  // namespace warpglass
