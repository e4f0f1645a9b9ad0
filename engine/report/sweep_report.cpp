// What a report says of one sweep.
#include <iterator>

#include "engine/plan/settings.h"
#include "engine/report/repeat_commands.h"
#include "engine/report/report_sections.h"
#include "engine/report/sweep_tables.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_chart.h"

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
    ReportTable axes{"What the sweep varies", {{"Setting", "setting"}, {"Values", "values"}}, {}, "axes"};
    for (const SweepAxis& axis : sweep.plan.axes) {
        std::string values;
        for (const std::string& value : axis.values)
            values += (values.empty() ? "" : ", ") + value;
        const Setting* setting = findSetting(axis.key);
        axes.rows.push_back({setting ? settingTitle(*setting) : axis.key, values});
    }
    addTable(blocks, std::move(axes));
    if (const std::string common = settingsInCommon(sweep.plan); !common.empty())
        blocks.emplace_back(ReportParagraph{"All of its runs have in common: " + common + "."});
    addTable(blocks, environmentTable(sweep.information));
    return blocks;
}

}  // namespace

std::vector<ReportSection> sweepSections(const ReportInput& input, ReportParts parts) {
    const Sweep& sweep = std::get<ReportSweep>(input.content).sweep;
    std::vector<ReportSection> sections;
    addPart(sections, ReportPart::kConfiguration, parts, configurationOf(sweep));
    const std::vector<Chart> charts = chartsOf(sweep);
    ReportList answers{{{std::to_string(sweep.cells.size()) + " cells: " + countsInWords(sweep) + ".", {}}}};
    std::vector<ReportBlock> figures;
    for (const Chart& chart : charts) {
        if (!chart.sentence.empty())
            answers.items.push_back({chart.sentence, {whatOf(chart)}});
        figures.emplace_back(figureOf(chart));
    }
    addPart(sections, ReportPart::kAnswers, parts, {std::move(answers)});
    std::vector<ReportBlock> tables;
    for (ReportTable& table : sweepTables(input.path, sweep, {}, TableFormat::kMarkdown)) {
        if (table.key == "cells")
            addTable(tables, std::move(table));
    }
    addPart(sections, ReportPart::kTables, parts, std::move(tables));
    addPart(sections, ReportPart::kFigures, parts, std::move(figures));
    addPart(sections, ReportPart::kCommands, parts,
            {ReportCommands{shellLines(sweepCommand(sweep.plan, repeatedName(input.path)))}});
    return sections;
}

}  // namespace warpglass
