#include "engine/tables/table_shape.h"

#include <algorithm>
#include <cstddef>

namespace warpglass {

ReportTable recordOf(std::string key, std::string title, const std::vector<RecordColumn>& columns) {
    ReportTable table{std::move(title), {}, {{}}, std::move(key)};
    for (const RecordColumn& column : columns) {
        table.columns.push_back(column);
        table.rows.front().push_back(column.value);
    }
    return table;
}

ReportTable pairsTable(std::string key, std::string title, ReportColumn first, ReportColumn second,
                       const std::vector<std::pair<std::string, std::string>>& pairs) {
    ReportTable table{std::move(title), {std::move(first), std::move(second)}, {}, std::move(key)};
    for (const auto& [one, other] : pairs)
        table.rows.push_back({one, other});
    return table;
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

namespace {

/// Without the columns of which `goes(index)` is true.
template <class Goes>
ReportTable without(ReportTable table, const Goes& goes) {
    for (std::size_t c = table.columns.size(); c-- > 0;) {
        if (!goes(table, c))
            continue;
        table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(c));
        for (auto& row : table.rows)
            row.erase(row.begin() + static_cast<std::ptrdiff_t>(c));
    }
    return table;
}

}  // namespace

ReportTable withoutAbsent(ReportTable table) {
    return without(std::move(table), [](const ReportTable& of, std::size_t c) {
        return std::ranges::all_of(of.rows, [c](const auto& row) { return row[c] == Cell(); });
    });
}

ReportTable withoutColumns(ReportTable table, const std::vector<std::string_view>& keys) {
    return without(std::move(table), [&](const ReportTable& of, std::size_t c) {
        return std::ranges::find(keys, of.columns[c].key) != keys.end();
    });
}

ReportTable onlyColumns(const ReportTable& table, std::initializer_list<std::string_view> keys) {
    ReportTable kept{table.title, {}, std::vector<std::vector<Cell>>(table.rows.size()), table.key};
    for (const std::string_view key : keys) {
        const auto column = std::ranges::find(table.columns, key, &ReportColumn::key);
        if (column == table.columns.end())
            continue;
        const auto c = static_cast<std::size_t>(column - table.columns.begin());
        kept.columns.push_back(*column);
        for (std::size_t r = 0; r < table.rows.size(); ++r)
            kept.rows[r].push_back(c < table.rows[r].size() ? table.rows[r][c] : Cell());
    }
    return kept;
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

}  // namespace warpglass
