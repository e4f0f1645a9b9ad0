#include "engine/io/checked_tables.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "engine/io/run_file_schema.h"

namespace warpglass::run_file {

namespace {

/// No row takes fewer bytes of its file: two for its place on the page, two for its sizes, two for its cells.
constexpr std::uint64_t kLeastRow = 6;
/// The most keys read from the tables of totals and of checksums; they have a few fewer.
constexpr int kMostKeys = 100;

}  // namespace

CheckedTables::CheckedTables(Database& database, int version)
    : m_database(database),
      m_version(version),
      m_fileSize(static_cast<std::uint64_t>(database.fileSize())),
      m_textLeft(m_fileSize) {
    Statement schema;
    // Views and virtual tables have no root page; only plain tables are read.
    if (!m_database.prepare(schema, "SELECT name FROM sqlite_schema WHERE type='table' AND rootpage>1"))
        return;
    while (schema.step() == Statement::Row::kYes)
        m_present.emplace(schema.text(0));
    if (m_present.contains("checksums"))
        m_version = std::max(m_version, kFirstCheckedVersion);  // whatever became of the number
    for (const FileTable& table : kTables) {
        if (m_refusal.empty() && m_present.contains(table.name))
            m_refusal = schemaProblem(m_database, table.name);
    }
}

bool CheckedTables::hasSums() const {
    return m_version >= kFirstCheckedVersion;
}

bool CheckedTables::isThere(std::string_view table) {
    const FileTable& known = fileTable(table);
    if (m_present.contains(table))
        return true;
    if (known.always && known.since <= m_version)
        problem(table, "it is missing");
    return false;
}

void CheckedTables::problem(std::string_view table, std::string why) {
    Seen& seen = m_seen[std::string(table)];
    if (seen.problem.empty())
        seen.problem = std::move(why);
}

std::string CheckedTables::lastCause() const {
    const DatabaseError error = m_database.lastError();
    return (error.code & 0xff) == SQLITE_CORRUPT ? "pages of it cannot be read" : error.cause;
}

bool CheckedTables::takeText(std::string_view table, std::string_view text) {
    if (text.size() > m_textLeft) {
        problem(table, "it holds more text than the file has bytes");
        m_textLeft = 0;
        return false;
    }
    m_textLeft -= text.size();
    return true;
}

void CheckedTables::noteRow(std::string_view table, const Statement& row, int covered) {
    if (!hasSums())
        return;
    RowHash hash(table);
    hash.addRow(row, covered);
    m_seen[std::string(table)].sum.add(hash.value());
}

std::uint64_t CheckedTables::readDense(const char* table, const char* columns, std::uint64_t first,
                                       std::optional<std::uint64_t> expected, std::uint64_t limit,
                                       const TakeRow& takeRow) {
    m_read.emplace(table);
    if (!isThere(table))
        return 0;
    const std::string select = std::string("SELECT id,") + columns + " FROM " + table;
    Statement from, one;
    if (!m_database.prepare(from, select + " WHERE id>=? ORDER BY id") ||
        !m_database.prepare(one, select + " WHERE id=?")) {
        problem(table, lastCause());
        return 0;
    }
    const int covered = std::min(coveredColumns(fileTable(table)), from.columnCount());
    const std::uint64_t end = first + std::min(limit, m_fileSize / kLeastRow);
    const std::uint64_t last = expected ? std::min(first + *expected, end) : end;
    std::uint64_t sound = 0;
    std::uint64_t next = first;
    const auto take = [&](const Statement& row) {
        const std::int64_t id = row.isInteger(0) ? row.integer(0) : -1;
        if (id < 0 || static_cast<std::uint64_t>(id) < next || static_cast<std::uint64_t>(id) >= end)
            return false;
        noteRow(table, row, covered);
        sound += takeRow(row, static_cast<std::uint64_t>(id)) ? 1 : 0;
        next = static_cast<std::uint64_t>(id) + 1;
        return true;
    };
    while (true) {
        from.bind(1, static_cast<std::int64_t>(next));
        Statement::Row row = from.step();
        while (row == Statement::Row::kYes && take(from))
            row = from.step();
        if (row == Statement::Row::kFailed)
            problem(table, lastCause());
        else if (row == Statement::Row::kYes)
            problem(table, "it has rows that no run has");
        from.reset();
        if (row != Statement::Row::kFailed || !expected)
            break;
        // Beyond the damage: the first row that can be found again by itself.
        bool found = false;
        for (++next; next < last && !found;) {
            one.bind(1, static_cast<std::int64_t>(next));
            found = one.step() == Statement::Row::kYes && take(one);
            one.reset();
            next += found ? 0 : 1;
        }
        if (!found)
            break;
    }
    m_readAnything = m_readAnything || sound > 0;
    if (expected && sound > *expected)
        problem(table, "it has more rows than it should");
    return sound;
}

void CheckedTables::readKeys(const char* table, const char* columns,
                             const std::function<bool(const Statement& row)>& take) {
    m_read.emplace(table);
    if (!isThere(table))
        return;
    Statement select;
    bool good = m_database.prepare(select, std::string("SELECT ") + columns + " FROM " + table);
    for (int i = 0; good && i < kMostKeys; ++i) {
        const Statement::Row row = select.step();
        if (row == Statement::Row::kDone)
            return;
        good = row == Statement::Row::kYes;
        if (!good)
            break;
        noteRow(table, select, select.columnCount());
        const bool sound = take(select);
        m_readAnything = m_readAnything || sound;
    }
    problem(table, good ? "it has too many rows" : lastCause());
}

void CheckedTables::countRows(std::string_view table) {
    if (!isThere(table))
        return;
    Statement select;
    if (!m_database.prepare(select, "SELECT * FROM " + std::string(table)))
        return problem(table, lastCause());
    const int covered = coveredColumns(fileTable(table));
    if (select.columnCount() < covered)
        return problem(table, "columns are missing");
    Statement::Row row = select.step();
    for (; row == Statement::Row::kYes; row = select.step())
        noteRow(table, select, covered);
    if (row == Statement::Row::kFailed)
        problem(table, lastCause());
}

std::vector<std::string> CheckedTables::check() {
    for (const FileTable& table : kTables) {
        if (table.always && table.name != "checksums" && !m_seen.contains(table.name) &&
            !m_read.contains(table.name))
            countRows(table.name);
    }
    std::vector<std::string> sentences;
    std::map<std::string, TableSum, std::less<>> sums;
    if (hasSums() && isThere("checksums"))
        sums = readSums();
    for (const FileTable& table : kTables) {
        // One that a file may lack is checked where it was asked for, and is there or has left its checksum.
        const bool optional = !table.always;
        if (table.since > m_version || (optional && !m_read.contains(table.name)))
            continue;
        if (optional && !m_present.contains(table.name)) {
            if (const auto sum = sums.find(table.name); sum != sums.end() && sum->second.rows > 0)
                problem(table.name, "it is missing");
            if (m_seen[std::string(table.name)].problem.empty())
                continue;
        }
        if (hasSums() && table.name != "checksums") {
            const auto expected = sums.find(table.name);
            if (expected == sums.end())
                problem(table.name, "its checksum is missing");
            else if (expected->second != m_seen[std::string(table.name)].sum)
                problem(table.name, "its rows do not match their checksum");
        }
        if (const std::string& why = m_seen[std::string(table.name)].problem; !why.empty())
            sentences.push_back("The table \"" + std::string(table.name) +
                                "\" of the file is damaged: " + why + ".");
    }
    return sentences;
}

std::map<std::string, TableSum, std::less<>> CheckedTables::readSums() {
    std::map<std::string, TableSum, std::less<>> sums;
    Statement select;
    bool good = m_database.prepare(select, "SELECT table_name,rows,checksum FROM checksums");
    for (int i = 0; good && i < kMostKeys; ++i) {
        const Statement::Row row = select.step();
        if (row == Statement::Row::kDone)
            return sums;
        good = row == Statement::Row::kYes;
        if (good && select.isInteger(1) && select.isInteger(2))
            sums[std::string(select.text(0))] = {static_cast<std::uint64_t>(select.integer(1)),
                                                 static_cast<std::uint64_t>(select.integer(2))};
    }
    problem("checksums", good ? "it has too many rows" : lastCause());
    return sums;
}

}  // namespace warpglass::run_file
