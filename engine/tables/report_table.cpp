#include "engine/tables/report_table.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/base/format.h"
#include "engine/base/nearest_word.h"
#include "engine/plan/settings.h"
#include "engine/tables/control_characters.h"
#include "engine/tables/markdown.h"

namespace warpglass {
namespace {

// For LaTeX: what LaTeX would take for commands is escaped, and the signs that our words use are written as
// commands that every engine and every font knows.
using Sign = std::pair<std::string_view, std::string_view>;
constexpr auto kSigns = std::to_array<Sign>({
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
    {"\"", "''"},
    {"\u00a0", "~"},
    {"\u202f", "\\,"},
    {"\u2013", "--"},
    {"\u2014", "---"},
    {"\u2026", "\\ldots{}"},
    {"\u00b7", "$\\cdot$"},
    {"\u00d7", "$\\times$"},
    {"\u00b1", "$\\pm$"},
    {"\u00b2", "$^2$"},
    {"\u00b3", "$^3$"},
    {"\u00b5", "$\\mu$"},
    {"\u03bc", "$\\mu$"},
    {"\u2192", "$\\to$"},
    {"\u2212", "$-$"},
    {"\u221d", "$\\propto$"},
    {"\u221a", "$\\surd$"},
    {"\u2248", "$\\approx$"},
    {"\u2260", "$\\neq$"},
    {"\u2264", "$\\leq$"},
    {"\u2265", "$\\geq$"},
});

/// `text` is UTF-8; characters that are neither ASCII nor one of ours stay as they are.
std::string latexText(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::string_view from = text.substr(0, 1), to = from;
        for (const auto& [sign, command] : kSigns) {
            if (text.starts_with(sign)) {
                from = sign;
                to = command;
                break;
            }
        }
        out += to;
        text.remove_prefix(from.size());
    }
    return out;
}

bool isText(Unit unit) {
    return unit == Unit::kText || unit == Unit::kAddress;
}

const Cell& cellAt(const std::vector<Cell>& row, std::size_t column) {
    static const Cell absent;
    return column < row.size() ? row[column] : absent;
}

/// Columns on a terminal: code points, since none of the characters that we print is wide.
std::size_t displayWidth(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

void appendPadded(std::string& line, const std::string& text, std::size_t width, bool left) {
    const std::string padding(width - std::min(width, displayWidth(text)), ' ');
    line += left ? text + padding : padding + text;
}

std::string renderText(const ReportTable& table) {
    const std::size_t columns = table.columns.size();
    std::vector<std::size_t> widths(columns);
    for (std::size_t c = 0; c < columns; ++c)
        widths[c] = displayWidth(table.columns[c].title);
    std::vector<std::vector<std::string>> cells;
    cells.reserve(table.rows.size());
    for (const auto& row : table.rows) {
        std::vector<std::string>& line = cells.emplace_back();
        for (std::size_t c = 0; c < columns; ++c) {
            line.push_back(readableCell(cellAt(row, c), table.columns[c].unit));
            widths[c] = std::max(widths[c], displayWidth(line.back()));
        }
    }

    std::string out;
    const auto appendLine = [&](const auto& textOf) {
        std::string line;
        for (std::size_t c = 0; c < columns; ++c) {
            if (c > 0)
                line += "  ";
            appendPadded(line, textOf(c), widths[c], isText(table.columns[c].unit));
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    };
    if (!table.title.empty())
        out += withoutControls(table.title) + '\n';
    appendLine([&](std::size_t c) { return table.columns[c].title; });
    appendLine([&](std::size_t c) { return std::string(widths[c], '-'); });
    for (const auto& line : cells)
        appendLine([&](std::size_t c) { return line[c]; });
    if (cells.empty())
        out += "(none)\n";
    return out;
}

std::string renderMarkdown(const ReportTable& table) {
    std::string out;
    if (!table.title.empty())
        out += "### " + markdownText(withoutControls(table.title)) + "\n\n";
    out += '|';
    for (const ReportColumn& column : table.columns)
        out += ' ' + markdownText(column.title) + " |";
    out += "\n|";
    for (const ReportColumn& column : table.columns)
        out += isText(column.unit) ? " --- |" : " ---: |";
    out += '\n';
    for (const auto& row : table.rows) {
        out += '|';
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            out += ' ' + markdownText(readableCell(cellAt(row, c), table.columns[c].unit)) + " |";
        out += '\n';
    }
    return out;
}

std::string renderLatex(const ReportTable& table) {
    const auto line = [&](const auto& textOf) {
        std::string out;
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            out += (c > 0 ? " & " : "") + latexText(withoutControls(textOf(c)));
        return out + " \\\\\n";
    };
    std::string out = "\\begin{table}\n\\centering\n";
    if (!table.title.empty())
        out += "\\caption{" + latexText(withoutControls(table.title)) + "}\n";
    out += "\\begin{tabular}{";
    for (const ReportColumn& column : table.columns)
        out += isText(column.unit) ? 'l' : 'r';
    out += "}\n\\hline\n" + line([&](std::size_t c) { return table.columns[c].title; }) + "\\hline\n";
    for (const auto& row : table.rows)
        out += line([&](std::size_t c) { return readableCell(cellAt(row, c), table.columns[c].unit); });
    return out + "\\hline\n\\end{tabular}\n\\end{table}\n";
}

std::string quotedCsv(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + '"';
}

const std::string& keyOf(const ReportTable& table) {
    return table.key.empty() ? table.title : table.key;
}

std::string renderCsv(const ReportTable& table, bool named) {
    std::string out;
    const auto appendLine = [&](const std::string& first, const auto& textOf) {
        std::string line = named ? first : std::string();
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            line += (c > 0 || named ? "," : "") + quotedCsv(textOf(c));
        out += line + '\n';
    };
    appendLine("table", [&](std::size_t c) { return table.columns[c].key; });
    for (const auto& row : table.rows)
        appendLine(quotedCsv(keyOf(table)), [&](std::size_t c) { return plainCell(cellAt(row, c)); });
    return out;
}

nlohmann::ordered_json jsonCell(const Cell& cell) {
    if (isAbsent(cell))
        return nullptr;
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell))
        return *integer;
    return std::get<double>(cell);
}

nlohmann::ordered_json jsonTable(const ReportTable& table) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& row : table.rows) {
        nlohmann::ordered_json object = nlohmann::ordered_json::object();
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            object[table.columns[c].key] = jsonCell(cellAt(row, c));
        rows.push_back(std::move(object));
    }
    nlohmann::ordered_json object;
    object["table"] = keyOf(table);
    object["rows"] = std::move(rows);
    return object;
}

std::string dumped(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace

Result<TableFormat> parseTableFormat(std::string_view word) {
    const auto found = std::ranges::find(kTableFormatNames, word);
    if (found == kTableFormatNames.end())
        return Error{"There is no format \"" + std::string(word) + "\": choose " +
                     listedWords(kTableFormatNames) + "." + didYouMean(word, kTableFormatNames)};
    return static_cast<TableFormat>(found - kTableFormatNames.begin());
}

std::vector<std::string> implausibleShares(const ReportTable& table) {
    // Sums of rounded parts may be a little more than their whole.
    constexpr double kTolerance = 1e-6;
    std::vector<std::string> sentences;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].unit != Unit::kFraction)
            continue;
        double worst = 0;
        double excess = kTolerance;
        for (const std::vector<Cell>& row : table.rows) {
            const auto* share = c < row.size() ? std::get_if<double>(&row[c]) : nullptr;
            if (!share || std::max(*share - 1, -*share) <= excess)
                continue;
            excess = std::max(*share - 1, -*share);
            worst = *share;
        }
        if (excess > kTolerance)
            sentences.push_back("Implausible: " + formatPercent(worst) + " in the column \"" +
                                table.columns[c].title + "\" of " +
                                (table.key.empty() ? table.title : table.key) +
                                ", where 100% is all there can be.");
    }
    return sentences;
}

std::string renderTable(const ReportTable& table, TableFormat format) {
    switch (format) {
        case TableFormat::kCsv:
            return renderCsv(table, false);
        case TableFormat::kJson:
            return dumped(jsonTable(table));
        case TableFormat::kMarkdown:
            return renderMarkdown(table);
        case TableFormat::kLatex:
            return renderLatex(table);
        case TableFormat::kTable:
            break;
    }
    return renderText(table);
}

std::string renderTables(const std::vector<ReportTable>& tables, TableFormat format) {
    if (format == TableFormat::kJson) {
        nlohmann::ordered_json array = nlohmann::ordered_json::array();
        for (const ReportTable& table : tables)
            array.push_back(jsonTable(table));
        return dumped(array);
    }
    std::string out;
    for (const ReportTable& table : tables) {
        if (!out.empty())
            out += '\n';
        out += format == TableFormat::kCsv ? renderCsv(table, true) : renderTable(table, format);
    }
    return out;
}

}  // namespace warpglass
