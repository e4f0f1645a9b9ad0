#include "engine/report/report_sections.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/format.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

struct Known {
    std::string_view key, title;
};
/// In the order of reading.
constexpr std::array<Known, 13> kEnvironment = {{{"device.name", "Device"},
                                                 {"device.compute_capability", "Compute capability"},
                                                 {"device.multiprocessors", "Multiprocessors"},
                                                 {"host.cores_allowed", "Cores allowed"},
                                                 {"threads", "Threads"},
                                                 {"host.os", "Operating system"},
                                                 {"torch.version", "LibTorch"},
                                                 {"cuda.driver", "CUDA driver"},
                                                 {"cuda.runtime", "CUDA runtime"},
                                                 {"cupti.version", "CUPTI"},
                                                 {"attention.backend", "Attention that LibTorch ran"},
                                                 {"warpglass.version", "Warpglass"},
                                                 {"time.started", "Started (UTC)"}}};

/// By ChartKind.
constexpr auto kChartKindWords = std::to_array<std::string_view>(
    {"Line chart", "Bar chart", "Heat map", "Bars from one total to another"});
static_assert(kChartKindWords.size() == static_cast<std::size_t>(ChartKind::kBridge) + 1);

}  // namespace

void addPart(std::vector<ReportSection>& sections, ReportPart part, ReportParts parts,
             std::vector<ReportBlock> blocks) {
    if (parts.has(part) && !blocks.empty())
        sections.push_back(
            {{}, std::string(kReportPartTitles[static_cast<std::size_t>(part)]), std::move(blocks), {}});
}

ReportTable settingsTable(const RunConfig& config) {
    std::vector<std::pair<std::string, std::string>> values;
    for (const Setting& setting : settings()) {
        if (setting.applies(config))
            values.emplace_back(setting.columnTitle(), setting.wordsWithUnit(config));
    }
    return pairsTable("settings", "Settings", {"Setting", "setting"}, {"Value", "value"}, values);
}

ReportTable environmentTable(const std::vector<std::pair<std::string, std::string>>& information) {
    std::vector<std::pair<std::string, std::string>> known;
    for (const auto& [key, title] : kEnvironment) {
        for (const auto& [stated, value] : information) {
            if (stated == key && !value.empty())
                known.emplace_back(title, value);
        }
    }
    return pairsTable("environment", "Environment", {"What", "what"}, {"Value", "value"}, known);
}

void addTable(std::vector<ReportBlock>& blocks, ReportTable table, bool onItsSide) {
    // A dash says no more as a text than as a cell that is absent.
    const Cell dash = readableCell({}, Unit::kText);
    for (std::vector<Cell>& row : table.rows)
        std::ranges::replace(row, dash, Cell());
    if (!table.rows.empty())
        blocks.emplace_back(ReportTableBlock{{}, withoutAbsent(std::move(table)), onItsSide});
}

void addRanked(std::vector<ReportBlock>& blocks, ReportTable table, const std::string& command) {
    const std::size_t rows = table.rows.size();
    keepFirst(table, kMostReportRows);
    if (const std::size_t left = rows - table.rows.size(); left > 0)
        addSentences(table.title, {formatGrouped(static_cast<std::int64_t>(left)) +
                                   (left == 1 ? " more row is" : " more rows are") + " left out; " + command +
                                   " prints all."});
    addTable(blocks, std::move(table));
}

std::string chartInWords(const Chart& chart) {
    std::string text =
        std::string(kChartKindWords[static_cast<std::size_t>(chart.kind)]) + ": " + chart.title + ".";
    if (!chart.x.title.empty() && !chart.y.title.empty())
        text += " " + chart.y.title + " by " + chart.x.title + ".";
    std::vector<std::string> names;
    for (const ChartSeries& series : chart.series) {
        if (!series.name.empty())
            names.push_back(series.name);
    }
    constexpr std::size_t kMostNamed = 12;
    if (names.size() > kMostNamed)
        text += " " + std::to_string(names.size()) + " series.";
    else if (!names.empty())
        text += " Series: " + listed(names) + ".";
    if (!chart.sentence.empty())
        text += " " + chart.sentence;
    return text;
}

ReportFigure figureOf(const Chart& chart) {
    std::string sentence = chart.sentence;
    for (const std::string& note : chart.notes) {
        sentence += (sentence.empty() ? "" : " ") + capitalized(note);
        if (!sentence.ends_with('.'))
            sentence += '.';
    }
    return {{}, chart, chart.title, std::move(sentence), chartInWords(chart), chart.setup, {}};
}

}  // namespace warpglass
