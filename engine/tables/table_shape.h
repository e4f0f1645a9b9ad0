// What tables for people are made of those for scripts by: turned on their side, shortened, without what is
// not there.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/tables/report_table.h"

namespace warpglass {

/// A column of a table of one row, beside its value: anything that cellOf() takes.
struct RecordColumn : ReportColumn {
    template <class Value>
    RecordColumn(std::string ofKey, std::string ofTitle, Unit ofUnit, const Value& of)
        : ReportColumn{std::move(ofTitle), std::move(ofKey), ofUnit}, value(cellOf(of)) {}

    Cell value;
};
ReportTable recordOf(std::string key, std::string title, const std::vector<RecordColumn>& columns);

/// Rows of two texts.
ReportTable pairsTable(std::string key, std::string title, ReportColumn first, ReportColumn second,
                       const std::vector<std::pair<std::string, std::string>>& pairs);

/// A table of one row, which people read better as one line a quantity: turned on its side for the text and
/// Markdown forms, as it is for scripts.
ReportTable asRecord(ReportTable oneRow, TableFormat format);

/// The table without the columns of which every cell is absent, for people.
ReportTable withoutAbsent(ReportTable table);
ReportTable withoutColumns(ReportTable table, const std::vector<std::string_view>& keys);
/// The columns of these keys, in this order, where there is less room than for all; keys of none are ignored.
ReportTable onlyColumns(const ReportTable& table, std::initializer_list<std::string_view> keys);
/// A form that rounds and adds units.
bool isForPeople(TableFormat format);

/// Puts sentences behind a title, which need not end with a full stop.
void addSentences(std::string& title, const std::vector<std::string>& sentences);

/// Keeps the first `limit` rows; 0 keeps all.
void keepFirst(ReportTable& table, std::int64_t limit);

}  // namespace warpglass
