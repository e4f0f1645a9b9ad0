#include "engine/report/report.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/base/format.h"
#include "engine/base/nearest_word.h"
#include "engine/plan/run_config.h"
#include "engine/report/repeat_commands.h"
#include "engine/report/report_sections.h"

namespace warpglass {
namespace {

std::vector<ReportSection> sectionsOf(const ReportInput& input, std::size_t index, ReportParts parts) {
    if (input.run())
        return runSections(input, index, parts);
    return std::holds_alternative<ReportSweep>(input.content) ? sweepSections(input, parts)
                                                              : experimentSections(input, parts);
}

/// What a chapter is called: an experiment by its title, all else by its name.
std::string chapterTitle(const ReportInput& input) {
    const auto* experiment = std::get_if<ReportExperiment>(&input.content);
    return experiment && !experiment->result.title.empty() ? experiment->result.title : input.name;
}

std::string titleOf(const std::vector<ReportInput>& inputs) {
    if (inputs.size() == 1)
        return chapterTitle(inputs.front());
    if (inputs.size() == 2)
        return chapterTitle(inputs[0]) + " and " + chapterTitle(inputs[1]);
    return "Report of " + std::to_string(inputs.size()) + " inputs";
}

std::string countsInWords(const std::vector<ReportInput>& inputs) {
    const auto count = [&](std::size_t kind) {
        return std::ranges::count_if(
            inputs, [kind](const ReportInput& input) { return input.content.index() == kind; });
    };
    std::string text;
    for (const auto& [kind, one, many] :
         {std::tuple(0, "run", "runs"), {1, "sweep", "sweeps"}, {2, "experiment", "experiments"}}) {
        if (const auto of = count(static_cast<std::size_t>(kind)); of > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(of) + " " + (of == 1 ? one : many);
    }
    return text;
}

/// The index of the run that is called so.
Result<std::size_t> runNamed(const std::vector<ReportInput>& inputs, const std::string& name) {
    std::vector<std::string_view> names;
    std::vector<std::string> called;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        // Inputs of one name are told apart by their folders.
        if (std::filesystem::path(inputs[i].name).filename() == name)
            called.push_back(inputs[i].name);
        const bool isIt = inputs[i].name == name || inputs[i].path == name;
        if (isIt && !inputs[i].run())
            return Error{name + " is no run: only runs are compared."};
        if (isIt)
            return i;
        names.push_back(inputs[i].name);
    }
    if (called.size() > 1)
        return Error{name + " is the name of several inputs: choose " + listed(called) + "."};
    return Error{name + " is not among the report's inputs." + didYouMean(name, names)};
}

/// What is compared; nothing where nothing is to be.
Result<std::optional<ReportRunPair>> pairOf(const std::vector<ReportInput>& inputs,
                                            const ReportOptions& options) {
    if (!options.compareA.empty() || !options.compareB.empty()) {
        const auto a = runNamed(inputs, options.compareA), b = runNamed(inputs, options.compareB);
        if (!a)
            return a.error();
        if (!b)
            return b.error();
        return std::optional(ReportRunPair{*a, *b});
    }
    std::vector<std::size_t> runs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].run())
            runs.push_back(i);
    }
    ReportParts comparison;
    comparison.set(ReportPart::kComparison);
    if (runs.size() != 2 && options.parts == comparison)
        return Error{
            "There is nothing to compare: give two runs, or name two with --compare-a and --compare-b."};
    return runs.size() == 2 ? std::optional(ReportRunPair{runs[0], runs[1]}) : std::nullopt;
}

/// The runs of several at a glance.
void addOverview(ReportDocument& document, const std::vector<ReportInput>& inputs, ReportParts parts) {
    ReportTable runs = runsTable(inputs);
    if (runs.rows.size() < 2 || !parts.has(ReportPart::kTables))
        return;
    ReportSection overview{{}, "At a glance", {}, {}};
    addTable(overview.blocks, std::move(runs));
    document.sections.push_back(std::move(overview));
}

void addCommand(ReportDocument& document, const ReportOptions& options) {
    if (options.command.empty() || !options.parts.has(ReportPart::kCommands))
        return;
    ReportSection section{{}, "This report", {}, {}};
    section.say("The command that made this report:");
    section.blocks.emplace_back(ReportCommands{shellLines(options.command)});
    document.sections.push_back(std::move(section));
}

}  // namespace

Status checkCompared(const ReportInputs& inputs, const ReportOptions& options) {
    const auto pair = pairOf(inputs.inputs, options);
    return pair ? Status() : Status(pair.error());
}

Result<ReportDocument> makeReport(const ReportInputs& given, const ReportOptions& options) {
    const std::vector<ReportInput>& inputs = given.inputs;
    const auto pair = pairOf(inputs, options);
    if (!pair)
        return pair.error();
    ReportDocument document;
    document.title = options.title.empty() ? titleOf(inputs) : options.title;
    document.subtitle = countsInWords(inputs);
    if (!options.made.empty())
        document.subtitle += " · " + options.made;
    document.notes = given.problems;
    if (inputs.size() == 1) {
        document.sections = sectionsOf(inputs.front(), 0, options.parts);
    } else {
        addOverview(document, inputs, options.parts);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            document.sections.push_back(
                {{}, chapterTitle(inputs[i]), {}, sectionsOf(inputs[i], i, options.parts)});
    }
    if (*pair && options.parts.has(ReportPart::kComparison))
        document.sections.push_back(comparisonSection(inputs, **pair, options.parts));
    addCommand(document, options);
    nameAll(document);
    return document;
}

}  // namespace warpglass
