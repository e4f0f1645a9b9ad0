#include "tests/bench/recording/cost_of_run.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "engine/base/units.h"
#include "engine/io/run_file.h"
#include "engine/report/repeat_commands.h"
#include "tests/bench/recording/median_interval.h"
#include "tests/support/every_span.h"

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
    const std::int64_t warmup = run.info().getInteger("config.warmup").value_or(0);
    RunCost cost;
    std::vector<double> steps;
    std::int64_t begin = 0, end = 0;
    for (const test::FoundSpan& span : test::everySpan(run)) {
        if (span.row.step < warmup)
            continue;
        if (span.kind == TrackKind::kStep) {
            begin = steps.empty() ? span.row.start : begin;
            end = span.row.end();
            steps.push_back(static_cast<double>(span.row.duration));
        } else if (const auto event = kindOf(span.kind)) {
            cost.events[static_cast<std::size_t>(*event)] += 1;
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
    std::string words;
    for (const std::string& word : command)
        words += shellWord(word) + " ";
    FILE* const pipe = ::popen(words.c_str(), "r");
    if (!pipe)
        return Error{"Could not start " + command[0] + ": " + std::strerror(errno)};
    std::string output;
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        output.append(buffer, n);
    if (::pclose(pipe) != 0)
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
