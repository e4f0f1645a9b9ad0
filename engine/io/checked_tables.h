// The rows of a run file's tables as far as they can be read, each table against the checksum that the file
// has of it. A damaged page costs the rows on it, and nothing here is trusted: tables that would compute what
// is read are refused, and no more rows and text are taken than a file of this size can hold.
//
// What the rows mean is for run_file_tables.h. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/sqlite_database.h"
#include "engine/io/table_checksum.h"

namespace warpglass::run_file {

class CheckedTables {
public:
    /// `version` is the format version that the file states. The database outlives it.
    CheckedTables(Database& database, int version);

    /// The version that the file is read as: one with checksums is none from before them.
    int version() const { return m_version; }
    bool hasSums() const;
    /// Why the file is not to be read: one of its tables is none that a run file has. Mostly empty.
    const std::string& refusal() const { return m_refusal; }
    /// False when not one row of any table could be read.
    bool readAnything() const { return m_readAnything; }

    /// Something is wrong with a table; the first that is said of it counts.
    void problem(std::string_view table, std::string why);
    /// False where a file of this size cannot hold so much text.
    bool takeText(std::string_view table, std::string_view text);

    /// Takes a row, whose first column is its id, and says whether it is sound.
    using TakeRow = std::function<bool(const Statement& row, std::uint64_t id)>;
    /// Reads a table whose ids are dense from `first`, in order of id. Past a damaged page the rows up to
    /// `expected` are tried one by one. Returns how many rows were sound.
    std::uint64_t readDense(const char* table, const char* columns, std::uint64_t first,
                            std::optional<std::uint64_t> expected, std::uint64_t limit, const TakeRow& take);
    /// Reads a small table with keys, up to the first unreadable row. `take` says whether a row is sound.
    void readKeys(const char* table, const char* columns,
                  const std::function<bool(const Statement& row)>& take);

    /// Once all that matters has been read: each table's rows against its checksum, and one sentence for each
    /// of which something is wrong.
    std::vector<std::string> check();

private:
    /// What is known of a table once it has been read.
    struct Seen {
        TableSum sum;
        std::string problem;  // the first
    };

    /// Whether the table can be read; one that should be there and is not is damage.
    bool isThere(std::string_view table);
    /// In a sentence that says already that the table is damaged.
    std::string lastCause() const;
    /// A table of which nothing but its checksum matters here.
    void countRows(std::string_view table);
    void noteRow(std::string_view table, const Statement& row, int covered);
    std::map<std::string, TableSum, std::less<>> readSums();

    Database& m_database;
    int m_version;
    std::uint64_t m_fileSize = 0;
    std::uint64_t m_textLeft = 0;  // bytes of text that may still be read
    bool m_readAnything = false;
    std::string m_refusal;
    std::set<std::string, std::less<>> m_present;
    std::set<std::string, std::less<>> m_read;
    std::map<std::string, Seen, std::less<>> m_seen;
};

}  // namespace warpglass::run_file
