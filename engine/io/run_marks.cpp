#include "engine/io/run_marks.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>

#include "engine/base/format.h"
#include "engine/base/system_error.h"
#include "engine/io/cannot_write.h"
#include "engine/io/mark_table.h"
#include "engine/io/run_file_format.h"
#include "engine/io/run_file_schema.h"
#include "engine/io/run_file_source.h"
#include "engine/io/run_file_tables.h"
#include "engine/io/sqlite_database.h"
#include "engine/io/table_checksum.h"
#include "engine/io/utf8.h"

namespace warpglass {

using run_file::Database;
using run_file::MarkTable;
using run_file::readMarkTable;
using run_file::Statement;
namespace fs = std::filesystem;

namespace {

/// At most so many bytes, and no character in two.
std::string_view shortened(std::string_view text) {
    if (text.size() <= kLongestMark)
        return text;
    std::size_t size = kLongestMark;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
        --size;
    return text.substr(0, size);
}

/// A row, and each line of the schema, has to fit; and a crafted file could make SQLite search for ever.
void limit(Database& database) {
    database.limitValueSize(8 * static_cast<int>(kLongestMark));
    database.limitWork(database.fileSize());
}

/// Opens nothing but a run file; to be called before anything is written.
std::optional<Error> openToWrite(const fs::path& path, std::optional<Database>& database) {
    std::error_code error;
    if (!fs::exists(path, error))
        return cannotWrite(path, "the file does not exist");
    // SQLite would open a write-protected file for reading, and fail later with other words.
    if (::access(path.c_str(), W_OK) != 0)
        return cannotWrite(path, lastSystemCause());
    auto opened = run_file::openToChange(path);
    if (!opened)
        return opened.error();
    database.emplace(std::move(*opened));
    limit(*database);
    database->runNoTriggers();
    // Another program may be writing. A worker waits for it, and a window that closes for the worker.
    database->execute("PRAGMA busy_timeout = 5000");
    Statement statement;
    if (!database->prepare(statement, "PRAGMA application_id") || statement.step() != Statement::Row::kYes)
        return database->error("write");
    if (statement.integer(0) != run_file::kApplicationId)
        return cannotWrite(path, "it is not a run file");
    return std::nullopt;
}

/// Why the file's marks are better left as they are; nothing when they may be replaced.
std::optional<Error> whyNotToReplace(Database& database, const fs::path& path) {
    // Triggers and views are SQL that a write would run, and run files have none. What a line of the schema
    // does is told by its text alone; its type may lie.
    Statement foreign;
    if (!database.prepare(
            foreign,
            "SELECT count(*) FROM sqlite_master WHERE sql IS NOT NULL AND sql NOT LIKE 'CREATE "
            "TABLE%' AND sql NOT LIKE 'CREATE INDEX%' AND sql NOT LIKE 'CREATE UNIQUE INDEX%'") ||
        foreign.step() != Statement::Row::kYes)
        return database.error("write");
    if (foreign.integer(0) != 0)
        return cannotWrite(path, "it holds triggers or views, as no run file does");
    if (const std::string problem = readMarkTable(database).problem; !problem.empty())
        return cannotWrite(path, "the marks in it cannot be read whole, and would be lost (" + problem + ")");
    return std::nullopt;
}

using run_file::ChecksumLedger;
using run_file::hasChecksums;
using run_file::RowWriter;

bool replaceAll(Database& database, const std::vector<RunMark>& marks) {
    ChecksumLedger checksums;
    std::string make = run_file::creation(run_file::fileTable("marks"));
    make.insert(std::string_view("CREATE TABLE ").size(), "IF NOT EXISTS ");
    if (!database.execute(make.c_str()) || !checksums.clear(database, "marks"))
        return false;
    RowWriter insert(database, checksums, "marks");
    if (!insert)
        return false;
    const std::size_t count = std::min(marks.size(), kMostMarks);
    for (std::size_t i = 0; i < count; ++i) {
        insert.bind(1, static_cast<std::int64_t>(i))
            .bind(2, marks[i].time.value)
            .bind(3, shortened(marks[i].text));
        if (!insert.run())
            return false;
    }
    return (!hasChecksums(database) || checksums.store(database)) && database.execute("COMMIT");
}

}  // namespace

namespace run_file {

bool hasChecksums(Database& database) {
    Statement find;
    return database.prepare(find,
                            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'checksums'") &&
           find.step() == Statement::Row::kYes;
}

/// "marks" may also be the name of a view, which would read anything.
MarkTable readMarkTable(Database& database) {
    limit(database);
    MarkTable table;
    Statement find;
    if (!database.prepare(
            find, "SELECT max(type = 'table') FROM sqlite_master WHERE name = 'marks' COLLATE NOCASE") ||
        find.step() != Statement::Row::kYes)
        return {{}, database.lastError().cause};
    const bool isChecked = hasChecksums(database);
    if (find.isNull(0)) {
        if (const auto sum = storedSum(database, "marks"); sum && sum->rows > 0)
            table.problem = "their table is gone";
        return table;
    }
    if (find.integer(0) == 0)
        return {{}, "they are not in a table"};
    if (!schemaProblem(database, "marks").empty())
        return {{}, "they are computed"};
    Statement select;
    if (!database.prepare(select, "SELECT id, time_ns, text FROM marks ORDER BY id"))
        return {{}, database.lastError().cause};
    TableSum sum;
    Statement::Row row = select.step();
    for (; row == Statement::Row::kYes && table.marks.size() < kMostMarks; row = select.step()) {
        RowHash hash("marks");
        hash.addRow(select, 3);
        sum.add(hash.value());
        const std::int64_t time = select.isInteger(1) ? select.integer(1) : -1;
        if (time >= 0 && time <= kMaxTime)
            table.marks.push_back({Nanoseconds(time), validUtf8(select.text(2))});
        else
            table.problem = "a mark is at no moment of a run";
    }
    if (row == Statement::Row::kFailed)
        table.problem = database.lastError().cause;
    else if (row == Statement::Row::kYes)
        table.problem = "there are more than " + formatGrouped(static_cast<std::int64_t>(kMostMarks));
    else if (table.problem.empty() && isChecked && storedSum(database, "marks") != sum)
        table.problem = "they do not match their checksum";
    std::ranges::stable_sort(table.marks, {}, &RunMark::time);
    return table;
}

}  // namespace run_file

Result<std::vector<RunMark>> readMarks(const fs::path& path, std::string* problem) {
    auto source = run_file::openToRead(path);
    if (!source)
        return source.error();
    MarkTable table = readMarkTable(source->database);
    if (problem && !table.problem.empty())
        *problem = table.sentence();
    return std::move(table.marks);
}

Status writeMarks(const fs::path& path, const std::vector<RunMark>& marks) {
    std::optional<Database> database;
    if (auto error = openToWrite(path, database))
        return *error;
    if (!database->execute("BEGIN IMMEDIATE"))
        return database->error("write");
    std::optional<Error> problem = whyNotToReplace(*database, path);
    if (!problem && replaceAll(*database, marks))
        return {};
    if (!problem)
        problem = database->error("write");
    database->execute("ROLLBACK");
    return *problem;
}

}  // namespace warpglass
