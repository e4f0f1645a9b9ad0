#include "app/cli/report.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/number_option.h"
#include "engine/plan/settings.h"

namespace warpglass::cli {

void addFormatOption(CLI::App& command, TableFormat& format) {
    const auto take = [&format](const std::string& word) {
        const Result<TableFormat> parsed = parseTableFormat(word);
        if (!parsed)
            throw CLI::ValidationError("--format", parsed.message());
        format = *parsed;
    };
    command.add_option_function<std::string>("--format", take, listedWords(kTableFormatNames))
        ->type_name("WORD")
        ->default_str("table")
        ->group("Output");
}

void addLimitOption(CLI::App& command, std::int64_t& limit) {
    addNumberOption(command, "--limit", limit, "Print only the first N rows of each table; 0 prints all")
        ->group("Output");
}

ReportTable asRecord(ReportTable oneRow, TableFormat format) {
    if (!isForPeople(format) || oneRow.rows.empty())
        return oneRow;
    ReportTable record{oneRow.title, {{"Quantity", "quantity"}, {"Value", "value"}}, {}, oneRow.key};
    for (std::size_t c = 0; c < oneRow.columns.size(); ++c)
        record.rows.push_back(
            {oneRow.columns[c].title, readableCell(oneRow.rows.front()[c], oneRow.columns[c].unit)});
    return record;
}

ReportTable withoutAbsent(ReportTable table) {
    for (std::size_t c = table.columns.size(); c-- > 0;) {
        const bool absent = std::all_of(table.rows.begin(), table.rows.end(), [c](const auto& row) {
            return std::holds_alternative<std::monostate>(row[c]);
        });
        if (!absent)
            continue;
        table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(c));
        for (auto& row : table.rows)
            row.erase(row.begin() + static_cast<std::ptrdiff_t>(c));
    }
    return table;
}

bool isForPeople(TableFormat format) {
    return format != TableFormat::kCsv && format != TableFormat::kJson;
}

void addSentences(std::string& title, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences)
        title += (title.ends_with('.') ? " " : ". ") + sentence;
}

void keepFirst(ReportTable& table, std::int64_t limit) {
    if (limit > 0 && table.rows.size() > static_cast<std::size_t>(limit))
        table.rows.resize(static_cast<std::size_t>(limit));
}

}  // namespace warpglass::cli
