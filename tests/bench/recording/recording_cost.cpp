// What recording costs a user: processes that record nothing and processes that do, in turn, each a run of
// `warpglass-cli run` as it is typed, with its file. Bars: 1.05 of a GPU-bound step, 1.15 of a launch-bound
// one.
//
//     warpglass_recording_cost [--rounds 12] [--record "none;ops;memory;kernels;kernels,calls;all"]
//                              [--before OTHER/warpglass-cli] [--cli warpglass-cli] [--events] -- --model
//                              small …
//
// A round is one process for each thing that is recorded, and with --before one of another build's for each
// of them; every other round goes backwards. A process counts as one measurement, the median of its steps,
// since the steps of one process have the same luck. Ratios and differences are taken within a round, and
// their medians stated with the interval of 95% that order statistics give: on a noisy host it is wide, and
// says so.
//
// The cost of an event of a kind is the difference that recording this kind makes to a step, by the number of
// such events in it. With --events also what one op, allocation with its free, module and phase take alone
// (warpglass_recording_bench --event), which has no other work to hide behind.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/recording/cost_of_run.h"
#include "tests/bench/recording/median_interval.h"

namespace {

using namespace warpglass;
using namespace warpglass::bench;

struct Build {
    std::string name;  // "", "before"
    std::string commandLine;
};

/// The runs of one build that recorded one thing, by round.
struct Series {
    const Build* build = nullptr;
    std::string record;
    std::vector<RunCost> runs;
};

struct Options {
    std::string commandLine, before;
    std::vector<std::string> record = {"none", "ops", "memory", "kernels", "kernels,calls", "all"};
    int rounds = 12;
    bool events = false;
    std::vector<std::string> run;
};

std::filesystem::path ownFolder() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

/// Every series has as many runs as there were complete rounds; false where a run failed.
bool measure(std::vector<Series>& all, const Options& options) {
    for (int round = 0; round < options.rounds; ++round) {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < all.size(); ++i)
            order.push_back(round % 2 == 0 ? i : all.size() - 1 - i);
        for (const std::size_t i : order) {
            Series& series = all[i];
            std::vector<std::string> arguments = options.run;
            arguments.insert(arguments.end(), {"--record", series.record});
            const Result<RunCost> cost = costOfRun(series.build->commandLine, arguments);
            if (!cost) {
                std::fprintf(stderr, "%s\n", cost.message().c_str());
                return false;
            }
            std::fprintf(stderr, "round %d %s %-36s %8.2f ms, %lu lost\n", round + 1,
                         series.build->name.c_str(), series.record.c_str(), cost->step * 1e-6,
                         static_cast<unsigned long>(cost->lost));
            series.runs.push_back(*cost);
        }
    }
    return true;
}

template <class Of>
MedianInterval byRound(const Series& series, const Series& unrecorded, Of&& of) {
    std::vector<double> values;
    for (std::size_t i = 0; i < series.runs.size(); ++i)
        values.push_back(of(series.runs[i], unrecorded.runs[i]));
    return medianInterval(std::move(values));
}

void reportSteps(const Series& series, const Series& unrecorded) {
    const MedianInterval step =
        byRound(series, unrecorded, [](const RunCost& run, const RunCost&) { return run.step * 1e-6; });
    const MedianInterval ratio = byRound(
        series, unrecorded, [](const RunCost& run, const RunCost& none) { return run.step / none.step; });
    std::printf("%-7s %-36s %-24s %s\n", series.build->name.c_str(), series.record.c_str(),
                text(step, 2).c_str(), text(ratio, 3).c_str());
}

/// The kind that a series alone records besides ranges, if it is one.
std::optional<EventKind> onlyKind(const std::string& record) {
    static const std::map<std::string, EventKind> kinds = {{"ops", EventKind::kOps},
                                                           {"memory", EventKind::kMemory},
                                                           {"kernels", EventKind::kKernels},
                                                           {"kernels,calls", EventKind::kCalls}};
    const auto found = kinds.find(record);
    return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

void reportEvents(const Series& series, const Series& unrecorded, const std::vector<Series>& all) {
    std::string what;
    double count = 0;
    const Series* without = &unrecorded;
    if (const auto kind = onlyKind(series.record)) {
        what = kEventNames[static_cast<std::size_t>(*kind)];
        count = series.runs.back().events[static_cast<std::size_t>(*kind)];
        if (*kind == EventKind::kCalls) {  // over kernels alone, where these were measured
            for (const Series& other : all) {
                if (other.build == series.build && other.record == "kernels")
                    without = &other;
            }
        }
    } else if (series.record == "all") {
        what = "event of any kind";
        for (const double events : series.runs.back().events)
            count += events;
    }
    if (count == 0)
        return;
    const MedianInterval cost = byRound(series, *without, [count](const RunCost& run, const RunCost& none) {
        return (run.step - none.step) / count;
    });
    std::printf("%-7s %-36s %8.0f per step   %s ns each\n", series.build->name.c_str(), what.c_str(), count,
                text(cost, 0).c_str());
}

void reportAll(const std::vector<Series>& all) {
    const std::size_t rounds = all.front().runs.size();
    std::printf("%zu rounds; medians with an interval of %.1f%% confidence\n", rounds,
                100 * medianInterval(std::vector<double>(rounds)).confidence);
    std::printf("%-7s %-36s %-24s %s\n", "build", "recorded", "ms per step", "ratio to none");
    const Series* unrecorded = nullptr;
    for (const Series& series : all) {
        if (!unrecorded || unrecorded->build != series.build)
            unrecorded = &series;
        reportSteps(series, *unrecorded);
    }
    for (const Series& series : all) {
        if (unrecorded->build != series.build || series.record == "none")
            unrecorded = &series;
        reportEvents(series, *unrecorded, all);
    }
}

/// What an event takes alone, by processes in turn too.
bool reportSingleEvents(const Build& build, int rounds) {
    const std::string program =
        (std::filesystem::path(build.commandLine).parent_path() / "warpglass_recording_bench").string();
    for (const std::string kind : {"op", "memory", "module", "phase"}) {
        std::vector<double> costs;
        for (int round = 0; round < rounds; ++round) {
            double with = 0, without = 0;
            for (const bool recorded : {round % 2 == 0, round % 2 != 0}) {
                const auto output =
                    outputOf({program, "--event", kind, "--record", recorded ? "all" : "none"});
                if (!output) {
                    std::fprintf(stderr, "%s\n", output.message().c_str());
                    return false;
                }
                (recorded ? with : without) = std::stod(*output);
            }
            costs.push_back(with - without);
        }
        std::printf("%-7s %-36s alone %s ns\n", build.name.c_str(), kind.c_str(),
                    text(medianInterval(costs), 0).c_str());
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    options.commandLine = (ownFolder() / "warpglass-cli").string();
    CLI::App app("What recording costs, by processes that record and processes that do not");
    app.add_option("--cli", options.commandLine, "the command line that is measured");
    app.add_option("--before", options.before, "another build's, measured in the same turns");
    app.add_option("--record", options.record, "what is recorded in turn, `none` first, with ; between")
        ->delimiter(';');
    app.add_option("--rounds", options.rounds)->check(CLI::PositiveNumber);
    app.add_flag("--events", options.events, "also what one event takes alone");
    app.add_option("run", options.run, "options of `warpglass-cli run`, after --");
    CLI11_PARSE(app, argc, argv);

    const Build now{options.before.empty() ? "" : "now", options.commandLine},
        before{"before", options.before};
    std::vector<Series> all;
    for (const Build* build : {&before, &now}) {
        for (const std::string& record : options.record) {
            if (!build->commandLine.empty())
                all.push_back({build, record, {}});
        }
    }
    if (!options.run.empty()) {
        if (!measure(all, options))
            return 1;
        reportAll(all);
    }
    for (const Build* build : {&before, &now}) {
        if (options.events && !build->commandLine.empty() && !reportSingleEvents(*build, options.rounds))
            return 1;
    }
    return 0;
}
