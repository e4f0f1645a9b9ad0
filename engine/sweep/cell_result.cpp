#include "engine/sweep/cell_result.h"

#include <csignal>
#include <cstring>
#include <exception>

#include "engine/base/format.h"
#include "engine/base/host_device.h"
#include "engine/base/kernel_files.h"
#include "engine/base/whole_file.h"
#include "engine/io/run_file.h"
#include "engine/io/target_file.h"
#include "engine/sweep/measures.h"

namespace warpglass {
namespace {

/// What tells a sweep's machine from another in the run information.
constexpr std::string_view kInformation[] = {"device.name",
                                             "device.memory_bytes",
                                             "device.compute_capability",
                                             "device.multiprocessors",
                                             "threads",
                                             "host.os",
                                             "cuda.driver",
                                             "cuda.runtime",
                                             "torch.version",
                                             "warpglass.version"};
/// A process that the kernel ended had asked for about all there is.
constexpr double kLikelyShare = 0.8;

std::string withPrediction(std::string sentence, const CellResult& result) {
    const auto predicted = result.figures.find("predicted_peak_bytes");
    if (predicted == result.figures.end())
        return sentence;
    while (!sentence.empty() && sentence.back() == '.')
        sentence.pop_back();
    return sentence + "; a peak of " + formatBytes(Bytes(static_cast<std::int64_t>(predicted->second))) +
           " had been predicted.";
}

/// What a run says of itself.
struct RunStatement {
    std::string state, snapshotProblem;
};

void readRun(const std::filesystem::path& path, CellResult& result, RunStatement& stated) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        return;
    const auto run = openRun(path);
    if (!run) {
        result.message = run.message() + ".";
        return;
    }
    const RunInfo& info = run->snapshot->info();
    stated = {info.get("state"), info.get("memory_snapshot.problem")};
    if (stated.state != run_state::kFinished)
        result.message = info.get("state.message");
    for (const auto& [key, value] : measure(run->snapshot))
        result.figures.insert_or_assign(key, value);
    for (const std::string_view key : kInformation) {
        if (info.has(key))
            result.information.emplace_back(key, info.get(key));
    }
    if (failedForWantOfMemory(info))
        result.state = CellState::kOutOfMemory;
    else if (stated.state == run_state::kFinished)
        result.state = CellState::kOk;
}

/// Adds, behind what is said already, why a cell has left no memory snapshot that should have.
void explainSnapshot(const CellFiles& files, const RunStatement& stated, CellResult& result) {
    std::error_code error;
    const bool isWhole = result.state == CellState::kOk || result.state == CellState::kOutOfMemory;
    if (!isWhole || files.memorySnapshot.empty() || std::filesystem::exists(files.memorySnapshot, error))
        return;
    result.message += (result.message.empty() ? "" : " ") +
                      (stated.snapshotProblem.empty() ? "It left no memory snapshot, and did not say why."
                                                      : stated.snapshotProblem);
}

/// Explains the end of a process by a signal that we did not send.
void explainSignal(int signal, const RunConfig& config, bool kernelKilled, CellResult& result) {
    if (signal == SIGKILL) {
        const auto predicted = result.figures.find("predicted_peak_bytes");
        const bool isLarge =
            !config.onGpu() && predicted != result.figures.end() &&
            predicted->second > kLikelyShare * static_cast<double>(hostDevice().memory.value);
        if (kernelKilled || isLarge) {
            result.state = CellState::kOutOfMemory;
            result.message = withPrediction(
                kernelKilled ? "The kernel ended the process when the machine ran out of memory."
                             : "The process was ended from outside, most likely since the machine ran out "
                               "of memory.",
                result);
            return;
        }
    }
    const char* name = ::sigdescr_np(signal);
    result.state = CellState::kFailed;
    result.message = signal == SIGKILL
                         ? "The process was ended from outside (SIGKILL)."
                         : "The process crashed: " + std::string(name ? name : "unknown signal") +
                               " (signal " + std::to_string(signal) + ").";
}

}  // namespace

std::int64_t kernelKills() {
    std::int64_t kills = 0;
    const auto add = [&kills](const std::filesystem::path& file) {
        if (const auto count = valueOf(file, "oom_kill", ' '))
            kills += leadingInteger(*count).value_or(0);
    };
    add("/proc/vmstat");
    for (const ControlGroup& group : controlGroups("/", "memory"))
        add(group.folder / (group.isUnified ? "memory.events" : "memory.oom_control"));
    return kills;
}

void CellFiles::remove() const {
    run_file::removeDatabase(run);
    if (!memorySnapshot.empty())
        removeWholeFile(memorySnapshot);
}

CellResult resultOf(const ChildEnd& end, const CellFiles& files, const RunConfig& config,
                    Nanoseconds timeLimit, bool kernelKilled) {
    CellResult result;
    RunStatement stated;
    try {
        result.figures = predictedMeasures(config);
        readRun(files.run, result, stated);
    } catch (const std::exception& error) {
        result.state = CellState::kFailed;
        result.message = std::string("The run could not be measured: ") + error.what() + ".";
        return result;
    }
    if (end.timedOut) {
        result.state = CellState::kFailed;
        result.message =
            "It took longer than its time limit of " + formatDuration(timeLimit) + ", and was ended.";
    } else if (end.signal != 0) {
        explainSignal(end.signal, config, kernelKilled, result);
    } else if (result.state == CellState::kOutOfMemory) {
        result.message = withPrediction(result.message.empty() ? "Memory ran out." : result.message, result);
    } else if (result.state == CellState::kOk && (end.status == 0 || !stated.snapshotProblem.empty())) {
        result.message.clear();
    } else {
        result.state = CellState::kFailed;
        // What the run states is why it failed; a run that was not, or could not write its file, was told.
        if (const std::string said = lastSentence(end.errors);
            (result.message.empty() || stated.state != run_state::kFailed) && !said.empty())
            result.message = said;
        if (result.message.empty())
            result.message =
                "The process ended with status " + std::to_string(end.status) + " without saying why.";
    }
    explainSnapshot(files, stated, result);
    return result;
}

}  // namespace warpglass
