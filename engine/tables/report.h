// A table of the command line, made of descriptions of its columns (engine/tables/column.h).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/tables/column.h"
#include "engine/tables/report_table.h"

namespace warpglass {

/// The columns in the order of scripts, or of people.
template <class Row, class Of>
std::vector<const Column<Row, Of>*> inReport(const std::vector<Column<Row, Of>>& columns, bool forPeople) {
    std::vector<const Column<Row, Of>*> shown;
    for (const Column<Row, Of>& column : columns) {
        if (column.seen == Seen::kWindow || (forPeople && column.seen == Seen::kScripts))
            continue;
        auto place = shown.end();
        if (forPeople && !column.after.empty())
            place =
                std::ranges::find_if(shown, [&](const auto* before) { return before->key == column.after; });
        const bool first = forPeople && column.after == kFirst;
        shown.insert(first ? shown.begin() : place == shown.end() ? place : place + 1, &column);
    }
    return shown;
}

/// The cells of a row: plain values for scripts; for people, what the window shows.
template <class Row, class Of>
std::vector<Cell> reportCells(const std::vector<const Column<Row, Of>*>& columns, const Row& row,
                              const Of& of, bool forPeople) {
    std::vector<Cell> cells;
    cells.reserve(columns.size());
    for (const Column<Row, Of>* column : columns) {
        auto text = forPeople && column->text ? column->text(row, of) : std::nullopt;
        cells.push_back(text ? Cell(*std::move(text)) : column->value(row, of));
    }
    return cells;
}

/// `rows`: a range of Row. `key`: what scripts call it where that is not the description's.
template <class Row, class Of, class Rows>
ReportTable reportOf(const TableDescription<Row, Of>& table, std::string title, const Rows& rows,
                     const std::type_identity_t<Of>& of, bool forPeople, const std::string& key = {}) {
    const auto columns = inReport(table.columns, forPeople);
    ReportTable report{std::move(title), {}, {}, key.empty() ? table.key : key};
    for (const Column<Row, Of>* column : columns)
        report.columns.push_back({column->title, column->key, column->unit});
    for (const Row& row : rows)
        report.rows.push_back(reportCells(columns, row, of, forPeople));
    return report;
}

/// A table whose columns are described where it is made: nothing else has them. The same for people and
/// scripts unless `forPeople` is given.
template <class Row, class Rows>
ReportTable tableOf(std::string key, std::string title, const Rows& rows, std::vector<Column<Row>> columns,
                    bool forPeople = false) {
    return reportOf(TableDescription<Row>{std::move(key), std::move(columns)}, std::move(title), rows, {},
                    forPeople);
}

/// The row of a table of one, or none. The object must outlive it.
template <class Row>
std::span<const Row> rowOf(const std::optional<Row>& row) {
    return row ? std::span<const Row>(&*row, 1) : std::span<const Row>();
}
template <class Row>
std::span<const Row> rowOf(const Row& row) {
    return {&row, 1};
}

}  // namespace warpglass
