// What the commands' tables have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tables/report_table.h"

namespace CLI {
class App;
}

namespace warpglass::cli {

/// Adds --format; `format` must outlive the parse.
void addFormatOption(CLI::App& command, TableFormat& format);
/// Adds --limit, 0 standing for no limit.
void addLimitOption(CLI::App& command, std::int64_t& limit);

/// A table of one row, which people read better as one line a quantity: turned on its side for the text and
/// Markdown forms, as it is for scripts.
ReportTable asRecord(ReportTable oneRow, TableFormat format);

/// The table without the columns of which every cell is absent, for people.
ReportTable withoutAbsent(ReportTable table);
/// A form that rounds and adds units.
bool isForPeople(TableFormat format);

/// Puts sentences behind a title, which need not end with a full stop.
void addSentences(std::string& title, const std::vector<std::string>& sentences);

/// Keeps the first `limit` rows; 0 keeps all.
void keepFirst(ReportTable& table, std::int64_t limit);

}  // namespace warpglass::cli
