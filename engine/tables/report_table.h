// Tables as people and scripts read them: aligned text, CSV, JSON, Markdown, LaTeX. A cell keeps its plain
// value; only the text, Markdown and LaTeX forms round and add units. CSV and JSON columns are stable: keys
// with the unit as suffix (total_ns, peak_bytes), documented in docs/tables.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/tables/cell.h"

namespace warpglass {

enum class TableFormat : std::uint8_t { kTable, kCsv, kJson, kMarkdown, kLatex };
inline constexpr std::array<std::string_view, 5> kTableFormatNames = {"table", "csv", "json", "markdown",
                                                                      "latex"};
Result<TableFormat> parseTableFormat(std::string_view word);

struct ReportColumn {
    std::string title;  // "Total Time"
    std::string key;    // "total_ns"
    Unit unit = Unit::kText;
};

struct ReportTable {
    std::string title;  // a line above the text and Markdown forms, LaTeX's caption; none when empty
    std::vector<ReportColumn> columns;
    /// Each as long as columns; a missing cell is an absent value.
    std::vector<std::vector<Cell>> rows;
    /// The stable name for scripts, "ops": JSON's "table" and the CSV column "table". The title when empty.
    std::string key;
};

/// One sentence for each column of shares in which one is above a whole or below nothing, of the most absurd:
/// what a damaged run may give.
std::vector<std::string> implausibleShares(const ReportTable& table);

/// Every form ends with a newline. Control characters in text (names come from files) are shown as \x1b, so
/// that a file can't steer a terminal; CSV quotes as RFC 4180; JSON replaces what is not UTF-8; LaTeX is a
/// table environment that needs no package.
std::string renderTable(const ReportTable& table, TableFormat format);
/// Several tables as one document: text, Markdown and LaTeX one after another, CSV with a blank line between
/// tables and a leading "table" column, JSON one array.
std::string renderTables(const std::vector<ReportTable>& tables, TableFormat format);

}  // namespace warpglass
