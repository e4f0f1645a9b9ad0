// SQLite with RAII and sentences: every error names the file and the cause as a person would say it.
//
// One thread at a time uses a Database and its statements. A Statement must not outlive its Database.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace warpglass::run_file {

/// In every sentence about a file for which the disk was too full.
inline constexpr std::string_view kDiskIsFull = "no space is left on the disk";

/// A failure, and whether the file's content is at fault (others may go away: a lock, a full disk).
struct DatabaseError {
    int code = 0;  // SQLite's extended result code
    std::string cause;
};

class Statement {
public:
    Statement() = default;

    // Parameters count from 1, columns from 0, as in SQLite.
    Statement& bind(int parameter, std::int64_t value);
    Statement& bind(int parameter, double value);
    /// The bytes must stay as they are until the next reset().
    Statement& bind(int parameter, std::string_view text);
    Statement& bind(int parameter, std::span<const std::uint8_t> blob);
    Statement& bindNull(int parameter);

    enum class Row { kYes, kDone, kFailed };
    Row step();
    /// Ready to be bound and stepped again; releases the read lock.
    void reset();
    /// Steps a statement that returns no rows, and resets it. False on failure.
    bool run();

    enum class Type { kNull, kInteger, kReal, kText, kBlob };
    Type type(int column) const;
    int columnCount() const;
    bool isNull(int column) const;
    bool isInteger(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    /// Valid until the next step() or reset().
    std::string_view text(int column) const;
    std::span<const std::uint8_t> blob(int column) const;

private:
    friend class Database;
    struct Finalizer {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalizer> m_statement;
    bool m_bound = true;  // false once a bind has failed (out of memory, too large)
};

class Database {
public:
    enum class Mode {
        kExisting,   // opens an existing file to write it; for reading only where it is write-protected
        kTemporary,  // the same of a file that this process has made, under a path without links
        kReadOnly,   // reads under SQLite's locks; fails where a journal would have to be rolled back
        kImmutable,  // reads without locks and without looking at a journal
    };
    /// Errors speak of `shownAs`: a temporary's own name means nothing to a person.
    static Result<Database> open(const std::filesystem::path& path, Mode mode,
                                 const std::filesystem::path& shownAs);
    ~Database();
    Database(Database&&) noexcept = default;
    Database& operator=(Database&&) noexcept = default;

    /// False on failure, as in all below; lastError() then says why.
    bool execute(const char* sql);
    bool prepare(Statement& statement, std::string_view sql);
    /// The latest failure.
    DatabaseError lastError() const;
    /// "cannot write /a/b.wgrun: no space is left on the disk".
    Error error(std::string_view doing) const;

    const std::filesystem::path& shownAs() const { return m_shownAs; }
    /// Where SQLite really reads, with links resolved, and what it would take for the file's own beside it.
    std::filesystem::path path() const;
    std::filesystem::path journalPath() const;
    std::filesystem::path walPath() const;
    /// Whether a connection, of this process or another, is in the midst of a write.
    bool isBeingWritten() const;
    /// Whether another file, or none, has the name that this one was opened by.
    bool hasMoved() const;

    /// The file as it lies on disk, past SQLite's reading of it; short at the end of the file.
    std::string rawBytes(std::int64_t offset, int count) const;
    std::int64_t fileSize() const;
    /// The greatest size of one value or row that is read.
    void limitValueSize(int bytes);
    /// From now on a statement fails once all of them together have taken far more steps than reading a file
    /// of that size can take; negative lifts the limit.
    void limitWork(std::int64_t fileSize);
    /// Before writing to a file from outside: its triggers don't run, and its schema can't be written.
    void runNoTriggers();

private:
    struct Closer {
        void operator()(sqlite3* database) const;
    };
    Database(std::filesystem::path shownAs, sqlite3* database);

    std::filesystem::path m_shownAs;
    std::unique_ptr<sqlite3, Closer> m_database;
    std::unique_ptr<std::int64_t> m_ticksLeft;  // at one address, which SQLite's callback keeps
};

}  // namespace warpglass::run_file
