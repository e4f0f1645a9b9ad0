#include "engine/io/run_marks.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "engine/io/run_file_format.h"
#include "engine/io/sqlite_database.h"
#include "engine/io/utf8.h"

namespace warpglass {

using run_file::Database;
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

/// Of a run file only, and before anything is written.
std::optional<Error> openToWrite(const fs::path& path, std::optional<Database>& database) {
    std::error_code error;
    if (!fs::exists(path, error))
        return Error{"cannot write " + path.string() + ": the file does not exist"};
    // SQLite would open a write-protected file for reading, and fail later with other words.
    if (::access(path.c_str(), W_OK) != 0)
        return Error{"cannot write " + path.string() + ": " + std::generic_category().message(errno)};
    auto opened = Database::open(path, Database::Mode::kExisting, path);
    if (!opened)
        return opened.error();
    database.emplace(std::move(*opened));
    Statement statement;
    if (!database->prepare(statement, "PRAGMA application_id") || statement.step() != Statement::Row::kYes)
        return database->error("write");
    if (statement.integer(0) != run_file::kApplicationId)
        return Error{"cannot write " + path.string() + ": it is not a run file"};
    return std::nullopt;
}

bool replaceAll(Database& database, const std::vector<RunMark>& marks) {
    if (!database.execute("BEGIN IMMEDIATE") ||
        !database.execute(
            "CREATE TABLE IF NOT EXISTS marks(id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL, "
            "text TEXT NOT NULL)") ||
        !database.execute("DELETE FROM marks"))
        return false;
    Statement insert;
    if (!database.prepare(insert, "INSERT INTO marks VALUES (?, ?, ?)"))
        return false;
    const std::size_t count = std::min(marks.size(), kMostMarks);
    for (std::size_t i = 0; i < count; ++i) {
        insert.bind(1, static_cast<std::int64_t>(i))
            .bind(2, marks[i].time.value)
            .bind(3, shortened(marks[i].text));
        if (!insert.run())
            return false;
    }
    return database.execute("COMMIT");
}

}  // namespace

Result<std::vector<RunMark>> readMarks(const fs::path& path) {
    auto database = Database::open(path, Database::Mode::kExisting, path);
    if (!database)
        return database.error();
    // A row, and each line of the schema, has to fit.
    database->limitValueSize(8 * static_cast<int>(kLongestMark));
    database->limitWork(database->fileSize());
    std::vector<RunMark> marks;
    Statement select;
    if (!database->prepare(select, "SELECT time_ns, text FROM marks ORDER BY id"))
        return marks;
    while (marks.size() < kMostMarks && select.step() == Statement::Row::kYes) {
        const std::int64_t time = select.isInteger(0) ? select.integer(0) : -1;
        if (time >= 0 && time <= run_file::kMaxTime)
            marks.push_back({Nanoseconds(time), validUtf8(select.text(1))});
    }
    std::stable_sort(marks.begin(), marks.end(),
                     [](const RunMark& a, const RunMark& b) { return a.time < b.time; });
    return marks;
}

Status writeMarks(const fs::path& path, const std::vector<RunMark>& marks) {
    std::optional<Database> database;
    if (auto error = openToWrite(path, database))
        return *error;
    if (replaceAll(*database, marks))
        return {};
    Error error = database->error("write");
    database->execute("ROLLBACK");
    return error;
}

}  // namespace warpglass
