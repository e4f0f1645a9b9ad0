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
    return 1 + static_cast<int>(std::count(table.columns.begin(), table.columns.end(), ','));
}

int coveredColumns(const FileTable& table) {
    return table.covered > 0 ? table.covered : columnCount(table);
}

std::string creation(const FileTable& table) {
    return "CREATE TABLE " + std::string(table.name) + "(" + std::string(table.columns) +
           (table.withoutRowid ? ") WITHOUT ROWID;" : ");");
}

}  // namespace warpglass::run_file
