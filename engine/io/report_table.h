// Tables as people and scripts read them: aligned text, CSV, JSON, Markdown. A cell keeps its plain value;
// only the text and Markdown forms round and add units. CSV and JSON columns are stable: keys with the unit
// as suffix (total_ns, peak_bytes), documented in docs/tables.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"

namespace warpglass {

enum class TableFormat : std::uint8_t { kTable, kCsv, kJson, kMarkdown };
Result<TableFormat> parseTableFormat(std::string_view word);

enum class Unit : std::uint8_t { kText, kCount, kNanoseconds, kBytes, kFraction, kFlops, kNumber };

struct ReportColumn {
    std::string title;  // "Total Time"
    std::string key;    // "total_ns"
    Unit unit = Unit::kText;
};

/// monostate is an absent value: "–" in text, empty in CSV, null in JSON.
using ReportCell = std::variant<std::monostate, std::string, std::int64_t, double>;

struct ReportTable {
    std::string title;  // a line above the text form; the JSON object's "table"
    std::vector<ReportColumn> columns;
    std::vector<std::vector<ReportCell>> rows;
};

std::string renderTable(const ReportTable& table, TableFormat format);
/// Several tables as one document: text and Markdown one after another, CSV with a blank line and a leading
/// "table" column, JSON one array.
std::string renderTables(const std::vector<ReportTable>& tables, TableFormat format);

}  // namespace warpglass
