// What a report says of one sweep.
#include <algorithm>
#include <map>
#include <utility>

#include "engine/plan/settings.h"
#include "engine/report/repeat_commands.h"
#include "engine/report/report_sections.h"
#include "engine/report/sweep_tables.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_chart.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

/// What is looked at of a sweep: the time that it shows first, and its memory.
std::vector<Chart> chartsOf(const Sweep& sweep) {
    SweepView view = usualView(sweep);
    std::vector<Chart> charts = {sweepChart(sweep, view)};
    if (view.measure != "peak_bytes") {
        view.measure = "peak_bytes";
        charts.push_back(sweepChart(sweep, view));
    }
    std::erase_if(charts, [](const Chart& chart) { return chart.series.empty(); });
    return charts;
}

/// Which cells a sentence is about: the values that the chart keeps fixed, and what all runs have in common.
std::string whatOf(const Chart& chart) {
    return chart.title + (chart.setup.empty() ? "." : " · " + chart.setup + ".");
}

std::vector<ReportBlock> configurationOf(const Sweep& sweep) {
    std::vector<ReportBlock> blocks;
    for (const std::string& warning : sweep.warnings)
        blocks.emplace_back(ReportParagraph{warning, ReportParagraph::Tone::kCaution});
    std::vector<std::pair<std::string, std::string>> axes;
    for (const SweepAxis& axis : sweep.plan.axes) {
        const Setting* setting = findSetting(axis.key);
        std::string values;
        for (const std::string& value : axis.values)
            values += (values.empty() ? "" : ", ") + value;
        axes.emplace_back(setting ? setting->columnTitle() : axis.key, std::move(values));
    }
    addTable(blocks,
             pairsTable("axes", "What the sweep varies", {"Setting", "setting"}, {"Values", "values"}, axes));
    if (const std::string common = settingsInCommon(sweep.plan); !common.empty())
        blocks.emplace_back(ReportParagraph{"All of its runs have in common: " + common + "."});
    addTable(blocks, environmentTable(sweep.information));
    return blocks;
}

/// "fp32 · flash": of the values that vary over the sweep, those that all of these cells have; "" for none.
std::string valuesInCommon(const SweepPlan& plan, const std::vector<const SweepCell*>& cells) {
    SweepPlan shared;
    SweepCell cell;
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
        const std::uint32_t value = cells.front()->values[i];
        const bool isCommon =
            std::ranges::all_of(cells, [&](const SweepCell* of) { return of->values[i] == value; });
        if (!isCommon || plan.axes[i].values.size() == 1)
            continue;
        shared.axes.push_back(plan.axes[i]);
        cell.values.push_back(value);
    }
    return cellTitle(shared, cell);
}

/// What became of cells with something to say: " were not run".
std::string_view fateOf(CellState state, bool isOne) {
    switch (state) {
        case CellState::kSkipped:
            return isOne ? " was not run" : " were not run";
        case CellState::kFailed:
            return " failed";
        case CellState::kOutOfMemory:
            return " ran out of memory";
        case CellState::kOk:
            return " ran";
        default:
            return {};
    }
}

/// "12 cells (fp32 · flash) were not run: …", one for each reason, in the order of the cells.
ReportList reasonsOf(const Sweep& sweep, const std::filesystem::path& path) {
    using Cells = std::vector<const SweepCell*>;
    std::vector<std::pair<std::string, Cells>> reasons;
    std::map<std::pair<CellState, std::string_view>, std::size_t> known;
    for (const SweepCell& cell : sweep.cells) {
        if (cell.message.empty() || !cell.isDone())
            continue;
        const auto [at, isNew] = known.try_emplace({cell.state, cell.message}, reasons.size());
        if (isNew)
            reasons.push_back({cell.message, {}});
        reasons[at->second].second.push_back(&cell);
    }
    ReportList list;
    std::size_t left = 0;
    for (const auto& [message, cells] : reasons) {
        if (list.items.size() == static_cast<std::size_t>(kMostReportRows)) {
            left += cells.size();
            continue;
        }
        const std::string common = valuesInCommon(sweep.plan, cells);
        const bool isOne = cells.size() == 1;
        std::string text = std::to_string(cells.size()) + (isOne ? " cell" : " cells");
        text.append(common.empty() ? "" : " (" + common + ")").append(fateOf(cells.front()->state, isOne));
        list.items.push_back({text + ": " + message, {}});
    }
    if (left > 0)
        list.items.push_back({std::to_string(left) + (left == 1 ? " more cell has" : " more cells have") +
                                  " reasons too. This prints them all: warpglass-cli sweep-info " +
                                  shellWord(path.string()),
                              {}});
    return list;
}

}  // namespace

std::vector<ReportSection> sweepSections(const ReportInput& input, ReportParts parts) {
    const Sweep& sweep = std::get<ReportSweep>(input.content).sweep;
    std::vector<ReportSection> sections;
    addPart(sections, ReportPart::kConfiguration, parts, configurationOf(sweep));
    const std::vector<Chart> charts = chartsOf(sweep);
    const std::size_t cells = sweep.cells.size();
    const std::string counted = std::to_string(cells) + (cells == 1 ? " cell: " : " cells: ");
    ReportList answers{{{counted + countsInWords(sweep) + ".", {}}}};
    std::vector<ReportBlock> figures;
    for (const Chart& chart : charts) {
        if (!chart.sentence.empty())
            answers.items.push_back({chart.sentence, {whatOf(chart)}});
        figures.emplace_back(figureOf(chart));
    }
    addPart(sections, ReportPart::kAnswers, parts, {std::move(answers)});
    std::vector<ReportBlock> tables;
    addTable(tables, cellsForPage(sweep));
    if (ReportList reasons = reasonsOf(sweep, input.path); !reasons.items.empty())
        tables.emplace_back(std::move(reasons));
    addPart(sections, ReportPart::kTables, parts, std::move(tables));
    addPart(sections, ReportPart::kFigures, parts, std::move(figures));
    addPart(sections, ReportPart::kCommands, parts,
            {ReportCommands{shellLines(sweepCommand(sweep.plan, repeatedName(input.path)))}});
    return sections;
}

}  // namespace warpglass
