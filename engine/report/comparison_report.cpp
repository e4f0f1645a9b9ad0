// What a report says of two runs side by side.
#include "engine/query/compare/comparison.h"
#include "engine/report/comparison_tables.h"
#include "engine/report/repeat_commands.h"
#include "engine/report/report_sections.h"

namespace warpglass {

ReportSection comparisonSection(const std::vector<ReportInput>& inputs, ReportRunPair pair,
                                ReportParts parts) {
    const ReportInput &inputA = inputs[pair.a], &inputB = inputs[pair.b];
    const std::shared_ptr<const Snapshot>&a = inputA.run()->snapshot, &b = inputB.run()->snapshot;
    const ComparisonScope scope;
    const RunComparison comparison = compareRuns(a, b, scope);
    const ComparisonIntroduction said = introductionOf(comparison, scope, a, b);

    ReportSection section{{}, "Comparison of " + inputA.name + " and " + inputB.name, {}, {}};
    section.say("A is " + inputA.name + ", B is " + inputB.name + ".", ReportParagraph::Tone::kQuiet);
    for (const std::string& caution : said.cautions)
        section.say(caution, ReportParagraph::Tone::kCaution);
    ReportList answers;
    for (const std::string& answer : said.answers)
        answers.items.push_back({answer, {}});
    if (!answers.items.empty())
        section.blocks.emplace_back(std::move(answers));
    for (const std::string& note : said.notes)
        section.say(note, ReportParagraph::Tone::kQuiet);
    // The first is the headline, which says what the figure shows.
    const std::string finding = said.answers.empty() ? std::string() : said.answers.front() + ".";
    if (parts.has(ReportPart::kFigures))
        section.blocks.emplace_back(ReportFigure{
            {},
            pair,
            "Comparison",
            finding,
            "Two runs side by side: what differs in time and memory, and both timelines. " + finding,
            "A: " + inputA.name + ", B: " + inputB.name,
            {}});
    if (parts.has(ReportPart::kTables)) {
        for (ReportTable& table : comparisonTables(comparison, *a, *b, scope, true)) {
            keepLargest(table, kMostReportRows, false);
            addTable(section.blocks, std::move(table));
        }
    }
    if (parts.has(ReportPart::kCommands))
        section.blocks.emplace_back(
            ReportCommands{shellLines("warpglass-cli compare " + shellWord(inputA.path.string()) + " " +
                                      shellWord(inputB.path.string()) + " --all")});
    return section;
}

}  // namespace warpglass
