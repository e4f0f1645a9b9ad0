#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "engine/io/run_file.h"
#include "engine/io/run_file_appender.h"
#include "engine/io/sqlite_database.h"

namespace warpglass {

using run_file::Database;
using run_file::RunFileAppender;
namespace fs = std::filesystem;

namespace {

std::string causeOf(std::error_code error) {
    return std::generic_category().message(error.value());
}

/// A name beside the target that no other writer uses.
fs::path temporaryBeside(const fs::path& target) {
    static std::atomic<unsigned> counter{0};
    fs::path path = target;
    path += ".part-" + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1));
    return path;
}

void removeDatabase(const fs::path& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
    fs::remove(fs::path(path) += "-journal", ignored);
}

std::optional<Error> targetProblem(const fs::path& path) {
    std::error_code error;
    if (path.empty() || !path.has_filename())
        return Error{"cannot write \"" + path.string() + "\": it is not a file name"};
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status))
        return Error{"cannot write " + path.string() + ": it is a folder"};
    if (fs::exists(status) && !fs::is_regular_file(status))
        return Error{"cannot write " + path.string() + ": it is not a regular file"};
    // SQLite opens a write-protected file for reading; replacing one is not what its owner wants.
    if (fs::exists(status) && ::access(path.c_str(), W_OK) != 0)
        return Error{"cannot write " + path.string() + ": " + std::generic_category().message(errno)};
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::is_directory(fs::status(folder, error)))
        return Error{"cannot write " + path.string() + ": the folder " + folder.string() + " does not exist"};
    // The journal and the temporary go there too. SQLite's own error would be that of its second try, for
    // reading.
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return Error{"cannot write " + path.string() + ": no file can be made in " + folder.string() + ": " +
                     std::generic_category().message(errno)};
    return std::nullopt;
}

/// Puts a closed database in the target's place.
std::optional<Error> moveOver(const fs::path& from, const fs::path& target) {
    // A journal that a killed run left for the old file must not be rolled back into the new one.
    std::error_code error;
    fs::remove(fs::path(target) += "-journal", error);
    fs::rename(from, target, error);
    if (!error)
        return std::nullopt;
    return Error{"cannot write " + target.string() + ": " + causeOf(error)};
}

class Writer final : public RunFileWriter {
public:
    /// `path` is `target` itself, or a temporary beside an existing target.
    Writer(fs::path target, fs::path path) : m_target(std::move(target)), m_path(std::move(path)) {}

    ~Writer() override {
        m_database.reset();
        if (!m_written)
            removeDatabase(m_path);
    }

    Status open() {
        auto opened = Database::open(m_path, Database::Mode::kCreate, m_target);
        if (!opened)
            return opened.error();
        m_database.emplace(std::move(*opened));
        // SQLite makes the file at the first write. An unwritable folder or a full disk should show now.
        if (!m_database->execute("PRAGMA journal_mode=DELETE; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE;") ||
            !run_file::createTables(*m_database) || !m_database->execute("ROLLBACK"))
            return m_database->error("write");
        return {};
    }

    Status write(const Snapshot& snapshot) override { return write(snapshot, false); }
    Status finish(const Snapshot& snapshot) override {
        const Status written = write(snapshot, true);
        m_database.reset();
        if (written && !m_error)
            m_error = Error{"cannot write " + m_target.string() + ": it is finished"};
        return written;
    }

private:
    Status write(const Snapshot& snapshot, bool last) {
        if (m_error)
            return *m_error;
        if (auto error = transaction(snapshot, last)) {
            // What cannot be written now is not tried again: the file keeps what it held, and the run goes on
            // in memory.
            m_error = std::move(error);
            m_database.reset();
            return *m_error;
        }
        return {};
    }

    std::optional<Error> transaction(const Snapshot& snapshot, bool last) {
        const bool first = !m_written;
        const bool done =
            m_database->execute("BEGIN IMMEDIATE") && (!first || run_file::createTables(*m_database)) &&
            m_appender.append(*m_database, snapshot) == RunFileAppender::Outcome::kDone &&
            (!last || m_appender.writeStatistics(*m_database, snapshot)) && m_database->execute("COMMIT");
        if (!done) {
            Error error = m_database->error("write");
            m_database->execute("ROLLBACK");
            return error;
        }
        if (first && m_path != m_target) {
            if (auto error = takeTarget())
                return error;
        }
        m_written = true;
        return std::nullopt;
    }

    /// After the first write the temporary becomes the target. SQLite finds a journal by its database's name,
    /// so the file must be opened again under the new one.
    std::optional<Error> takeTarget() {
        m_database.reset();
        if (auto error = moveOver(m_path, m_target))
            return error;
        m_path = m_target;
        m_written = true;
        auto opened = Database::open(m_target, Database::Mode::kExisting, m_target);
        if (!opened)
            return opened.error();
        m_database.emplace(std::move(*opened));
        if (!m_database->execute("PRAGMA synchronous=NORMAL"))
            return m_database->error("write");
        return std::nullopt;
    }

    fs::path m_target;
    fs::path m_path;
    bool m_written = false;
    std::optional<Database> m_database;
    RunFileAppender m_appender;
    std::optional<Error> m_error;
};

/// Writes everything in one transaction into a file that no one else sees yet.
std::optional<Error> saveInto(Database& database, const Snapshot& snapshot, const fs::path& target,
                              const std::function<bool(double)>& progress) {
    RunFileAppender appender;
    // No journal: the whole file is thrown away when anything fails. NORMAL still syncs before the rename.
    bool done = database.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE;") &&
                run_file::createTables(database);
    if (done) {
        const RunFileAppender::Outcome outcome = appender.append(database, snapshot, progress);
        if (outcome == RunFileAppender::Outcome::kCancelled)
            return Error{"saving " + target.string() + " was cancelled"};
        done = outcome == RunFileAppender::Outcome::kDone;
    }
    if (done && appender.writeStatistics(database, snapshot) && database.execute("COMMIT"))
        return std::nullopt;
    return database.error("write");
}

}  // namespace

Result<std::unique_ptr<RunFileWriter>> RunFileWriter::create(const fs::path& path) {
    if (auto problem = targetProblem(path))
        return *problem;
    std::error_code error;
    const bool exists = fs::exists(path, error);
    auto writer = std::make_unique<Writer>(path, exists ? temporaryBeside(path) : path);
    if (const Status opened = writer->open(); !opened)
        return opened.error();
    return std::unique_ptr<RunFileWriter>(std::move(writer));
}

Status saveRun(const Snapshot& snapshot, const fs::path& path, const std::function<bool(double)>& progress) {
    if (auto problem = targetProblem(path))
        return *problem;
    const fs::path temporary = temporaryBeside(path);
    std::optional<Error> error;
    {
        auto opened = Database::open(temporary, Database::Mode::kCreate, path);
        error = opened ? saveInto(*opened, snapshot, path, progress) : opened.error();
    }
    if (!error)
        error = moveOver(temporary, path);
    if (!error)
        return {};
    removeDatabase(temporary);
    return *error;
}

}  // namespace warpglass
