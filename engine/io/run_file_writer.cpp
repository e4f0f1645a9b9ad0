#include <optional>
#include <system_error>
#include <utility>

#include "engine/io/cannot_write.h"
#include "engine/io/exclusive_file.h"
#include "engine/io/run_file.h"
#include "engine/io/run_file_appender.h"
#include "engine/io/run_file_source.h"
#include "engine/io/run_journal.h"
#include "engine/io/sqlite_database.h"
#include "engine/io/target_file.h"
#include "engine/trace/trace_writer.h"

namespace warpglass {

using run_file::Database;
using run_file::moveToNew;
using run_file::recordingProblem;
using run_file::removeDatabase;
using run_file::RunFileAppender;
using run_file::targetProblem;
namespace fs = std::filesystem;

namespace {

/// Puts a closed database in the target's place.
std::optional<Error> moveOver(const fs::path& from, const fs::path& target) {
    if (auto problem = recordingProblem(target))
        return problem;
    if (auto problem = run_file::leftoverProblem(target))
        return cannotWrite(target, *problem);
    // A journal that a killed run left for the old file must not be rolled back into the new one.
    run_file::removeLeftovers(target);
    std::error_code error;
    fs::rename(from, target, error);
    if (!error)
        return std::nullopt;
    return cannotWrite(target, error.message());
}

/// A run of which nothing is known but that it has begun.
std::shared_ptr<const Snapshot> emptyRun() {
    TraceWriter trace;
    trace.setInfo("state", run_state::kRecording);
    trace.commit(Nanoseconds(0));
    return trace.feed()->latest();
}

/// The connection is in a transaction from the file's first moment to its last: SQLite's lock tells others
/// that it is being recorded, and the kernel takes it back if the process is killed.
class Writer final : public RunFileWriter {
public:
    explicit Writer(fs::path target) : m_target(std::move(target)) {}

    ~Writer() override {
        const bool isOurs = m_database && !m_database->hasMoved();
        m_database.reset();
        if (!m_written && isOurs)
            removeDatabase(m_path);
    }

    /// Makes the file, so that its name opens from now on.
    std::optional<Error> begin() {
        std::optional<Error> error = makeTemporary();
        if (!error) {
            const bool done =
                m_database->execute("BEGIN IMMEDIATE") && run_file::createTables(*m_database) &&
                m_appender.append(*m_database, *emptyRun()) == RunFileAppender::Outcome::kDone &&
                m_database->execute("COMMIT");
            error = done ? takeTarget(&moveToNew) : m_database->error("write");
        }
        if (error && !m_path.empty()) {
            // It has the target's name perhaps, which nothing had before.
            m_database.reset();
            removeDatabase(m_path);
        }
        return error;
    }

    Status write(const Snapshot& snapshot) override { return write(snapshot, nullptr); }
    Status finish(const Snapshot& snapshot, const StatisticsSource& statistics) override {
        const Status written = write(snapshot, &statistics);
        m_database.reset();
        if (written && !m_error)
            m_error = cannotWrite(m_target, "it is finished");
        return written;
    }

private:
    /// `last`: of the last write alone.
    Status write(const Snapshot& snapshot, const StatisticsSource* last) {
        if (m_error)
            return *m_error;
        auto error = m_database ? transaction(snapshot, last) : firstTransaction(snapshot, last);
        if (!error)
            return {};
        // What cannot be written now is not tried again: the file keeps what it held, and the run goes on in
        // memory.
        m_error = std::move(error);
        if (!m_written)
            dropTemporary();
        m_database.reset();
        if (m_path == m_target)
            undoHalfWrite();
        return *m_error;
    }

    std::optional<Error> makeTemporary() {
        auto made = makeFileBeside(m_target);
        if (!made)
            return cannotWrite(m_target, made.message());
        m_path = std::move(*made);
        auto opened = Database::open(m_path, Database::Mode::kTemporary, m_target);
        if (!opened)
            return opened.error();
        m_database.emplace(std::move(*opened));
        if (!m_database->execute("PRAGMA journal_mode=DELETE; PRAGMA synchronous=NORMAL;"))
            return m_database->error("write");
        return std::nullopt;
    }

    /// SQLite leaves a rollback that fails to the next who opens the file to write.
    void undoHalfWrite() const {
        if (auto database = run_file::openToChange(m_target))
            database->execute("SELECT count(*) FROM sqlite_schema");
    }

    void dropTemporary() {
        m_database.reset();
        if (!m_path.empty() && m_path != m_target)
            removeDatabase(m_path);
    }

    /// The file that has the name stays until the new one is worth more.
    std::optional<Error> firstTransaction(const Snapshot& snapshot, const StatisticsSource* last) {
        if (auto error = makeTemporary())
            return error;
        if (!m_database->execute("BEGIN IMMEDIATE") || !run_file::createTables(*m_database))
            return m_database->error("write");
        if (auto error = commit(snapshot, last))
            return error;
        return takeTarget(&moveOver);
    }

    std::optional<Error> transaction(const Snapshot& snapshot, const StatisticsSource* last) {
        if (auto error = commit(snapshot, last))
            return error;
        m_written = true;
        return last ? std::nullopt : holdLock();
    }

    std::optional<Error> commit(const Snapshot& snapshot, const StatisticsSource* last) {
        const bool done = m_appender.append(*m_database, snapshot) == RunFileAppender::Outcome::kDone &&
                          (!last || m_appender.writeStatistics(*m_database, (*last)(snapshot))) &&
                          m_database->execute("COMMIT");
        if (done)
            return std::nullopt;
        Error error = m_database->error("write");
        m_database->execute("ROLLBACK");
        return error;
    }

    std::optional<Error> holdLock() {
        if (m_database->execute("BEGIN IMMEDIATE"))
            return std::nullopt;
        return m_database->error("write");
    }

    /// The temporary becomes the target. SQLite finds a journal by its database's name, so the file must be
    /// opened again under the new one.
    template <class Move>
    std::optional<Error> takeTarget(Move* move) {
        m_database.reset();
        if (auto error = move(m_path, m_target))
            return error;
        m_written = m_written || move == &moveOver;
        m_path = m_target;
        auto opened = Database::open(m_target, Database::Mode::kExisting, m_target);
        if (!opened)
            return opened.error();
        m_database.emplace(std::move(*opened));
        if (!m_database->execute("PRAGMA synchronous=NORMAL"))
            return m_database->error("write");
        return holdLock();
    }

    fs::path m_target;
    fs::path m_path;  // the target itself once the file has its name, a temporary beside it before
    bool m_written = false;
    std::optional<Database> m_database;  // in a transaction, between two writes too
    RunFileAppender m_appender;
    std::optional<Error> m_error;
};

/// Writes everything in one transaction into a file that no one else sees yet.
std::optional<Error> saveInto(Database& database, const Snapshot& snapshot, const fs::path& target,
                              const StatisticsSource& statistics,
                              const std::function<bool(double)>& progress) {
    RunFileAppender appender(RunFileAppender::Purpose::kCopy);
    // No journal: the whole file is thrown away when anything fails. NORMAL still syncs before the rename.
    bool done = database.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE;") &&
                run_file::createTables(database);
    if (done) {
        const RunFileAppender::Outcome outcome = appender.append(database, snapshot, progress);
        if (outcome == RunFileAppender::Outcome::kCanceled)
            return Error{"saving " + target.string() + " was canceled"};
        done = outcome == RunFileAppender::Outcome::kDone;
    }
    if (done && appender.writeStatistics(database, statistics(snapshot)) && database.execute("COMMIT"))
        return std::nullopt;
    return database.error("write");
}

}  // namespace

Result<std::unique_ptr<RunFileWriter>> RunFileWriter::create(const fs::path& path, Existing existing) {
    if (auto problem = targetProblem(path))
        return *problem;
    std::error_code error;
    auto writer = std::make_unique<Writer>(path);
    if (fs::exists(path, error)) {
        if (existing == Existing::kRefuse)
            return cannotWrite(path, "there is a file of this name");
        if (auto problem = recordingProblem(path))
            return *problem;
    } else if (auto problem = writer->begin()) {
        return *problem;
    }
    return std::unique_ptr<RunFileWriter>(std::move(writer));
}

Status writeRun(const Snapshot& snapshot, const fs::path& path, const StatisticsSource& statistics,
                const std::function<bool(double)>& progress) {
    if (auto problem = targetProblem(path))
        return *problem;
    std::error_code ignored;
    const bool existed = fs::exists(path, ignored);
    if (auto problem = existed ? recordingProblem(path) : std::nullopt)
        return *problem;
    const auto temporary = makeFileBeside(path);
    if (!temporary)
        return cannotWrite(path, temporary.message());
    std::optional<Error> error;
    {
        auto opened = Database::open(*temporary, Database::Mode::kTemporary, path);
        error = opened ? saveInto(*opened, snapshot, path, statistics, progress) : opened.error();
    }
    if (!error)
        error = existed ? moveOver(*temporary, path) : moveToNew(*temporary, path);
    if (!error)
        return {};
    removeDatabase(*temporary);
    return *error;
}

}  // namespace warpglass
