// What a report says of one experiment.
#include <algorithm>

#include "engine/report/repeat_commands.h"
#include "engine/report/report_sections.h"

namespace warpglass {
namespace {

std::vector<ReportBlock> configurationOf(const ExperimentResult& result) {
    std::vector<ReportBlock> blocks;
    blocks.emplace_back(ReportParagraph{result.lookFor});
    ReportList measured;
    for (const std::string& settings : result.measured)
        measured.items.push_back({settings, {}});
    if (!measured.items.empty()) {
        blocks.emplace_back(ReportParagraph{"Measured:"});
        blocks.emplace_back(std::move(measured));
    }
    addTable(blocks, environmentTable(result.information));
    return blocks;
}

std::vector<ReportBlock> answersOf(const ExperimentResult& result) {
    std::vector<ReportBlock> blocks;
    ReportList answers;
    for (const std::string& answer : result.answers)
        answers.items.push_back({answer, {}});
    if (!answers.items.empty())
        blocks.emplace_back(std::move(answers));
    for (const std::string& note : result.notes)
        blocks.emplace_back(ReportParagraph{note, ReportParagraph::Tone::kQuiet});
    if (blocks.empty())
        blocks.emplace_back(
            ReportParagraph{"The experiment has no answer.", ReportParagraph::Tone::kCaution});
    return blocks;
}

/// What a row is about stands first, where a phone shows it; only a terminal has long names last.
ReportTable nameFirst(ReportTable table) {
    const auto column = std::ranges::find(table.columns, "name", &ReportColumn::key);
    if (column == table.columns.end())
        return table;
    const auto c = column - table.columns.begin();
    std::rotate(table.columns.begin(), column, column + 1);
    for (std::vector<Cell>& row : table.rows) {
        row.resize(std::max(row.size(), table.columns.size()));
        std::rotate(row.begin(), row.begin() + c, row.begin() + c + 1);
    }
    return table;
}

}  // namespace

std::vector<ReportSection> experimentSections(const ReportInput& input, ReportParts parts) {
    const auto& [result, request] = std::get<ReportExperiment>(input.content);
    std::vector<ReportSection> sections;
    addPart(sections, ReportPart::kConfiguration, parts, configurationOf(result));
    addPart(sections, ReportPart::kAnswers, parts, answersOf(result));
    std::vector<ReportBlock> tables, figures;
    for (const ReportTable& table : result.tables)
        addTable(tables, nameFirst(table));
    for (const Chart& chart : result.charts)
        figures.emplace_back(figureOf(chart));
    addPart(sections, ReportPart::kTables, parts, std::move(tables));
    addPart(sections, ReportPart::kFigures, parts, std::move(figures));
    if (request)
        addPart(sections, ReportPart::kCommands, parts,
                {ReportCommands{shellLines(experimentCommand(*request, repeatedName(input.path)))}});
    return sections;
}

}  // namespace warpglass
