#include "app/cli/stats_options.h"

#include "app/cli/command.h"
#include "app/cli/number_option.h"
#include "app/cli/saved_run.h"

namespace warpglass::cli {
namespace {

void addAtOption(CLI::App& command, StatsOptions& options) {
    const auto take = [&options](const std::string& text) {
        const Result<Nanoseconds> time = parseTime(text);
        if (!time)
            throw CLI::ValidationError("--at", time.message());
        options.at = *time;
    };
    command
        .add_option_function<std::string>("--at", take,
                                          "Show this moment, such as 1.5ms, instead of the peak")
        ->type_name("TIME");
}

ExitStatus runStatistic(const StatsOptions& options) {
    const std::shared_ptr<const Snapshot> run = openSaved(options.path);
    return run ? options.work(run, options) : ExitStatus::kWorkFailed;
}

}  // namespace

void addStatistics(CLI::App& stats, Work& chosen, std::span<const Statistic> statistics) {
    for (const Statistic& each : statistics) {
        auto [command, options] = addCommand(stats, chosen, each.name, each.what, runStatistic, each.footer);
        options.work = each.work;
        options.limit = each.limit;
        addFileArgument(command, options.path);
        if (each.ofRanges)
            addRangeOption(command, options.range);
        addLimitOption(command, options.limit);
        addFormatOption(command, options.format);
        if (each.takesAll)
            command.add_flag("--all", options.all, "Also count warm-up steps, set-up and teardown");
        if (each.takesMoment)
            addAtOption(command, options);
        if (each.addMore)
            each.addMore(command, options);
    }
}

ExitStatus printFirst(ReportTable table, const StatsOptions& options) {
    keepFirst(table, options.limit);
    return printFigures(table, options.format);
}

}  // namespace warpglass::cli
