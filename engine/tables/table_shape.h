// What tables for people are made of those for scripts by: turned on their side, shortened, without what is
// not there.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tables/report_table.h"

namespace warpglass {

/// A table of one row, which people read better as one line a quantity: turned on its side for the text and
/// Markdown forms, as it is for scripts.
ReportTable asRecord(ReportTable oneRow, TableFormat format);

/// The table without the columns of which every cell is absent, for people.
ReportTable withoutAbsent(ReportTable table);
/// The columns of these keys, in this order, where there is less room than for all; keys of none are ignored.
ReportTable onlyColumns(const ReportTable& table, std::initializer_list<std::string_view> keys);
/// A form that rounds and adds units.
bool isForPeople(TableFormat format);

/// Puts sentences behind a title, which need not end with a full stop.
void addSentences(std::string& title, const std::vector<std::string>& sentences);

/// Keeps the first `limit` rows; 0 keeps all.
void keepFirst(ReportTable& table, std::int64_t limit);

}  // namespace warpglass
