// Checksums of the plain tables of a run file (run_file_format.h has the definition). A table's is the sum of
// its rows', so that it is kept up to date at the cost of the rows that change. It tells chance from intent
// in nothing: it finds what a disk, a copy or a tool has changed, and an attacker can compute it as well.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/run_file_schema.h"
#include "engine/io/sqlite_database.h"

namespace warpglass::run_file {

/// FNV-1a over the bytes, from `seed`, with the finalizer of MurmurHash3 so that sums of such numbers mix
/// too. Any one byte that changes changes it.
std::uint64_t hashOf(std::span<const std::uint8_t> bytes, std::uint64_t seed = 0);

/// The checksum of one row, in whatever order its cells come. Columns count from 1.
class RowHash {
public:
    explicit RowHash(std::string_view table);
    void addNull(int column) { add(column, 'n', {}); }
    void addInteger(int column, std::int64_t value);
    /// One with an integral value counts as that integer: SQLite keeps it as one or the other.
    void addReal(int column, double value);
    void addText(int column, std::string_view text);
    void addBlob(int column, std::span<const std::uint8_t> blob) { add(column, 'b', blob); }
    /// The first `columns` cells of a row that was read.
    void addRow(const Statement& row, int columns);
    /// Never 0.
    std::uint64_t value() const;

private:
    void add(int column, char type, std::span<const std::uint8_t> bytes);

    std::uint64_t m_table;
    std::uint64_t m_sum = 0;
};

/// What the table `checksums` says of one.
struct TableSum {
    std::uint64_t rows = 0;
    std::uint64_t sum = 0;

    void add(std::uint64_t row) {
        ++rows;
        sum += row;
    }
    void remove(std::uint64_t row) {
        --rows;
        sum -= row;
    }
    bool operator==(const TableSum&) const = default;
};

/// What the table `checksums` says of one; nothing where it says nothing, or there is none.
std::optional<TableSum> storedSum(Database& database, std::string_view table);

/// The sums of the tables that are being written. One thread at a time.
class ChecksumLedger {
public:
    /// Every table that is made with a file, without rows.
    void beginFile();
    /// Takes every row out of a table, and out of its sum.
    bool clear(Database& database, std::string_view table);
    /// Puts what has changed since the last time into the table `checksums`, in the caller's transaction.
    bool store(Database& database);

private:
    friend class RowWriter;
    struct Table {
        TableSum sum;
        /// By id; 0 where there is none.
        std::vector<std::uint64_t> rows;
        bool changed = true;
        void set(std::size_t id, std::uint64_t row);
    };
    Table& table(std::string_view name);
    std::map<std::string, Table, std::less<>> m_tables;
};

/// Writes whole rows of one table, in place of those that have the same id, and counts them in its checksum.
/// Must not outlive the database and the ledger.
class RowWriter {
public:
    RowWriter(Database& database, ChecksumLedger& ledger, std::string_view table);
    /// False when the table cannot be written; the database knows why.
    explicit operator bool() const { return m_ready; }

    // As in Statement: parameters count from 1, in any order; bytes must stay until run().
    RowWriter& bind(int parameter, std::int64_t value);
    RowWriter& bind(int parameter, double value);
    RowWriter& bind(int parameter, std::string_view text);
    RowWriter& bind(int parameter, std::span<const std::uint8_t> blob);
    RowWriter& bindNull(int parameter);
    /// Writes the row; false on failure.
    bool run();

private:
    bool covers(int parameter) const { return parameter <= m_covered; }

    Statement m_insert;
    ChecksumLedger::Table& m_sums;
    std::string_view m_table;
    int m_covered;
    bool m_ready;
    std::int64_t m_id = -1;  // −1 of a table whose rows have none
    RowHash m_row;
};

}  // namespace warpglass::run_file
