#include "engine/io/run_file_schema.h"

#include <algorithm>
#include <iterator>

#include "engine/base/check.h"

namespace warpglass::run_file {

const FileTable& fileTable(std::string_view name) {
    const auto* found = std::find_if(std::begin(kTables), std::end(kTables),
                                     [name](const FileTable& table) { return table.name == name; });
    WG_CHECK(found != std::end(kTables));
    return *found;
}

int columnCount(const FileTable& table) {
    return 1 + static_cast<int>(std::ranges::count(table.columns, ','));
}

int coveredColumns(const FileTable& table) {
    return table.covered > 0 ? table.covered : columnCount(table);
}

std::string creation(const FileTable& table) {
    return "CREATE TABLE " + std::string(table.name) + "(" + std::string(table.columns) +
           (table.withoutRowid ? ") WITHOUT ROWID;" : ");");
}

std::string schemaProblem(Database& database, std::string_view table) {
    // What a column is computed from, or has where a row says nothing, may be any size and take any time.
    Statement columns;
    if (!database.prepare(columns, "PRAGMA table_xinfo(" + std::string(table) + ")"))
        return {};
    constexpr int kDefault = 4, kHidden = 6;
    while (columns.step() == Statement::Row::kYes) {
        if (columns.integer(kHidden) != 0 || !columns.isNull(kDefault))
            return "its table \"" + std::string(table) + "\" has computed values, as no run file does";
    }
    return {};
}

}  // namespace warpglass::run_file
