#include "tests/bench/recording/cost_of_run.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <optional>

#include "engine/base/units.h"
#include "engine/io/run_file.h"
#include "tests/bench/recording/median_interval.h"

extern char** environ;

namespace warpglass::bench {
namespace {

std::optional<EventKind> kindOf(TrackKind track) {
    switch (track) {
        case TrackKind::kCpuThread:
            return EventKind::kOps;
        case TrackKind::kGpuStream:
        case TrackKind::kGpuCopies:
            return EventKind::kKernels;
        case TrackKind::kApiThread:
            return EventKind::kCalls;
        default:
            return std::nullopt;
    }
}

RunCost costIn(const Snapshot& run) {
    std::int64_t warmup = 0;
    if (const auto text = run.info().get("config.warmup"); !text.empty())
        warmup = std::stoll(std::string(text));
    RunCost cost;
    std::vector<double> steps;
    std::int64_t begin = 0, end = 0;
    for (std::size_t t = 0; t < run.trackCount(); ++t) {
        const TrackId track(static_cast<std::uint32_t>(t));
        const TrackKind kind = run.track(track).kind;
        for (const SpanLane& lane : run.lanesOf(track)) {
            for (std::uint64_t i = 0; i < lane.rows(); ++i) {
                const auto row = lane.row(i);
                if (!row || row->step < warmup)
                    continue;
                if (kind == TrackKind::kStep) {
                    begin = steps.empty() ? row->start : begin;
                    end = row->start + row->duration;
                    steps.push_back(static_cast<double>(row->duration));
                } else if (const auto event = kindOf(kind)) {
                    cost.events[static_cast<std::size_t>(*event)] += 1;
                }
            }
        }
    }
    if (steps.empty())
        return cost;
    for (std::uint64_t i = 0; i < run.memoryEventCount(); ++i) {
        const auto event = run.memoryEvent(i);
        if (event && event->time >= begin && event->time < end)
            cost.events[static_cast<std::size_t>(EventKind::kMemory)] += 1;
    }
    for (double& count : cost.events)
        count /= static_cast<double>(steps.size());
    for (const LossCount& loss : run.losses())
        cost.lost += loss.count;
    cost.step = medianInterval(std::move(steps)).median;
    return cost;
}

}  // namespace

Result<std::string> outputOf(const std::vector<std::string>& command) {
    int ends[2];
    if (pipe(ends) != 0)
        return Error{std::string("No pipe: ") + std::strerror(errno)};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    std::vector<char*> words;
    for (const std::string& word : command)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t process = 0;
    const int problem = posix_spawn(&process, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string output;
    char buffer[4096];
    for (ssize_t n = 0; problem == 0 && (n = read(ends[0], buffer, sizeof buffer)) > 0;)
        output.append(buffer, static_cast<std::size_t>(n));
    close(ends[0]);
    if (problem != 0)
        return Error{"Could not start " + command[0] + ": " + std::strerror(problem)};
    int status = 0;
    if (waitpid(process, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return Error{command[0] + " failed."};
    return output;
}

Result<RunCost> costOfRun(const std::string& commandLine, const std::vector<std::string>& arguments) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("recording-cost-" + std::to_string(getpid()) + ".wgrun");
    std::vector<std::string> command{commandLine, "run", "--output", file.string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Result<std::string> output = outputOf(command);
    Result<RunCost> cost = Error{"nothing was measured"};
    if (output) {
        const Result<OpenedRun> run = openRun(file);
        cost = run ? Result<RunCost>(costIn(*run->snapshot)) : Result<RunCost>(run.error());
    } else {
        cost = output.error();
    }
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return cost;
}

}  // namespace warpglass::bench
