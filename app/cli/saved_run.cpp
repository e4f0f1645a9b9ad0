#include "app/cli/saved_run.h"

#include <CLI/CLI.hpp>

#include "engine/base/nearest_word.h"
#include "engine/io/run_file.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/statistics/statistics.h"

namespace warpglass::cli {

namespace {

struct OpenedFile {
    std::string path;
    std::shared_ptr<const Snapshot> run;
};

std::vector<OpenedFile>& openedFiles() {
    static std::vector<OpenedFile> files;
    return files;
}

void sayImplausible(const ReportTable& table) {
    for (const OpenedFile& file : openedFiles()) {
        if (Completeness(*file.run).isDamaged())
            sayOfFile(file.path, implausibleShares(table));
    }
}

}  // namespace

void addRangeOption(CLI::App& command, std::string& pattern) {
    command
        .add_option("--range", pattern,
                    "Count only what starts inside the ranges with this name: forward, \"step 3\", "
                    "blocks.7.attn; * and ? stand for any text and any character")
        ->type_name("PATTERN")
        ->check([](const std::string& text) { return text.empty() ? "give a name or a pattern" : ""; });
}

std::shared_ptr<const Snapshot> openSaved(const std::string& path) {
    Result<OpenedRun> opened = openRun(path);
    if (!opened) {
        say(opened.message());
        return nullptr;
    }
    sayOfFile(path, opened->warnings);
    openedFiles().push_back({path, opened->snapshot});
    return opened->snapshot;
}

ExitStatus printFigures(const ReportTable& table, TableFormat format) {
    sayImplausible(table);
    return print(renderTable(table, format));
}

ExitStatus printFigures(const std::vector<ReportTable>& tables, TableFormat format) {
    for (const ReportTable& table : tables)
        sayImplausible(table);
    return print(renderTables(tables, format));
}

void sayDamage() {
    for (const OpenedFile& file : openedFiles()) {
        const std::vector<std::string> damage = file.run->damage().sentences();
        sayOfFile(file.path, damage);
        if (!damage.empty())
            say(file.path + ": The figures above do not include what is lost.");
    }
}

namespace {

/// " Did you mean forward?", of the names of steps, phases, modules and their parts.
std::string didYouMeanRange(const Snapshot& run, const std::string& pattern) {
    const std::vector<StatisticsRow> ranges = rangeStatistics(run, {});
    std::vector<std::string_view> names;
    names.reserve(ranges.size());
    for (const StatisticsRow& row : ranges)
        names.push_back(row.name);
    return didYouMean(pattern, names);
}

}  // namespace

std::optional<std::vector<TimeRange>> findRanges(const Snapshot& run, const std::string& path,
                                                 const std::string& pattern) {
    if (pattern.empty())
        return std::vector<TimeRange>();
    std::vector<TimeRange> ranges = rangesMatching(run, pattern);
    if (!ranges.empty())
        return ranges;
    say("No range of " + path + " matches \"" + pattern +
        "\"; `warpglass-cli stats ranges --all` lists their names." + didYouMeanRange(run, pattern));
    return std::nullopt;
}

}  // namespace warpglass::cli
