#include "engine/sweep/sweep_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "engine/base/descriptor.h"
#include "engine/io/cannot_write.h"
#include "engine/io/exclusive_file.h"
#include "engine/io/run_file_source.h"
#include "engine/io/target_file.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/run_folder.h"
#include "engine/sweep/sweep_file_tables.h"

namespace warpglass {

namespace fs = std::filesystem;
using run_file::Database;
using run_file::Statement;

namespace {

/// A reader holds the file for some milliseconds. Each try waits five seconds (Database::open()).
constexpr int kTries = 12;

Error cannotOpenSweep(const fs::path& path, const std::string& cause) {
    return Error{"cannot open " + path.string() + ": " + cause};
}

std::string creation(const sweep_file::Table& table, std::int32_t version) {
    return "CREATE TABLE " + std::string(table.name) + "(" + std::string(table.columns) +
           std::string(version > 1 ? table.added : "") + (table.withoutRowid ? ") WITHOUT ROWID;" : ");");
}

bool createTables(Database& database, const SweepPlan& plan) {
    const std::int32_t version = sweep_file::versionOf(plan);
    std::string sql = "PRAGMA application_id=" + std::to_string(sweep_file::kApplicationId) +
                      "; PRAGMA user_version=" + std::to_string(version) + ";";
    for (const sweep_file::Table& table : sweep_file::kTables)
        sql += creation(table, version);
    return database.execute((sql + "INSERT INTO totals VALUES('done',0);").c_str());
}

bool writePlan(Database& database, const sweep_file::Pairs& pairs, const std::vector<SweepAxis>& axes,
               const std::string& suffix) {
    Statement row;
    if (!database.prepare(row, "INSERT INTO plan" + suffix + " VALUES(?,?,?)"))
        return false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        row.bind(1, static_cast<std::int64_t>(i));
        row.bind(2, std::string_view(pairs[i].first)).bind(3, std::string_view(pairs[i].second));
        if (!row.run())
            return false;
    }
    if (!database.prepare(row, "INSERT INTO axes" + suffix + " VALUES(?,?,?,?,?)"))
        return false;
    std::int64_t id = 0;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        for (std::size_t i = 0; i < axes[axis].values.size(); ++i) {
            row.bind(1, id++).bind(2, static_cast<std::int64_t>(axis)).bind(3, static_cast<std::int64_t>(i));
            row.bind(4, std::string_view(axes[axis].key)).bind(5, std::string_view(axes[axis].values[i]));
            if (!row.run())
                return false;
        }
    }
    return true;
}

bool writePlan(Database& database, const SweepPlan& plan) {
    sweep_file::Pairs pairs = sweep_file::planPairs(plan);
    pairs.emplace_back("checksum", sweep_file::planChecksum(pairs, plan.axes));
    return writePlan(database, pairs, plan.axes, "") && writePlan(database, pairs, plan.axes, "_copy");
}

bool writeCell(Database& database, const SweepPlan& plan, const SweepCell& cell) {
    Statement row;
    const bool hasSnapshots = sweep_file::versionOf(plan) > 1;
    if (!database.prepare(row, hasSnapshots ? "INSERT OR REPLACE INTO cells VALUES(?,?,?,?,?,?,?,?)"
                                            : "INSERT OR REPLACE INTO cells VALUES(?,?,?,?,?,?,?)"))
        return false;
    const std::string runFile = cell.runFile.string(), snapshot = cell.memorySnapshot.string();
    row.bind(1, cell.index).bind(2, cellStateName(cell.state)).bind(3, std::string_view(cell.message));
    row.bind(4, std::string_view(cell.started)).bind(5, cell.took.value);
    row.bind(6, std::string_view(runFile));
    row.bind(7, static_cast<std::int64_t>(sweep_file::checksumOf(cell)));
    if (hasSnapshots)
        row.bind(8, std::string_view(snapshot));
    if (!row.run() || !database.prepare(row, "DELETE FROM figures WHERE cell=?") ||
        !row.bind(1, cell.index).run() || !database.prepare(row, "INSERT INTO figures VALUES(?,?,?)"))
        return false;
    for (const auto& [key, value] : cell.figures) {
        row.bind(1, cell.index).bind(2, std::string_view(key)).bind(3, value);
        if (!row.run())
            return false;
    }
    return true;
}

bool writeInformation(Database& database, std::int64_t id, std::string_view key, std::string_view value) {
    Statement row;
    if (!database.prepare(row, "INSERT OR REPLACE INTO information VALUES(?,?,?,?)"))
        return false;
    row.bind(1, id).bind(2, key).bind(3, value);
    return row.bind(4, static_cast<std::int64_t>(sweep_file::checksumOf(id, key, value))).run();
}

bool addToDone(Database& database, std::int64_t more) {
    Statement row;
    return more == 0 || (database.prepare(row, "UPDATE totals SET value=value+? WHERE key='done'") &&
                         row.bind(1, more).run());
}

/// A new file beside `path` that holds all of the sweep.
Result<fs::path> writeBeside(const fs::path& path, const Sweep& sweep) {
    auto made = makeFileBeside(path);
    if (!made)
        return cannotWrite(path, made.message());
    std::optional<Error> error;
    {
        auto database = Database::open(*made, Database::Mode::kTemporary, path);
        const auto writeAll = [&] {
            bool done = database->execute("PRAGMA synchronous=EXTRA; BEGIN IMMEDIATE;") &&
                        createTables(*database, sweep.plan) && writePlan(*database, sweep.plan);
            std::int64_t count = 0;
            for (const SweepCell& cell : sweep.cells) {
                if (done && cell.isDone()) {
                    done = writeCell(*database, sweep.plan, cell);
                    ++count;
                }
            }
            for (std::size_t i = 0; done && i < sweep.information.size(); ++i)
                done = writeInformation(*database, static_cast<std::int64_t>(i), sweep.information[i].first,
                                        sweep.information[i].second);
            return done && addToDone(*database, count) && database->execute("COMMIT");
        };
        if (!database)
            error = database.error();
        else if (!writeAll())
            error = database->error("write");
    }
    if (!error)
        return made;
    run_file::removeDatabase(*made);
    return *error;
}

/// Which file has a name, whatever becomes of the name.
struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    bool operator==(const FileIdentity&) const = default;
};

FileIdentity identityOf(const fs::path& path) {
    struct stat now {};
    return ::stat(path.c_str(), &now) == 0 ? FileIdentity{now.st_dev, now.st_ino} : FileIdentity();
}

/// "sweep.wgsweep.damaged", or with a number where that is taken.
fs::path freeNameFor(const fs::path& path) {
    std::error_code error;
    fs::path name = fs::path(path) += ".damaged";
    for (int i = 2; fs::exists(fs::symlink_status(name, error)); ++i)
        name = fs::path(path) += ".damaged-" + std::to_string(i);
    return name;
}

/// SQLite's lock of a writer on a file that SQLite may not be able to read, or that is to get another name.
/// As others see it, the file is being written; it ends with this.
class WriterLock {
public:
    explicit WriterLock(const fs::path& path)
        : m_file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW)) {
        // The lock is the open file's, unlike SQLite's own: another descriptor of this process that is closed
        // does not end it.
        struct flock lock {};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = kReservedByte;
        lock.l_len = 1;
        m_isHeld = m_file.get() >= 0 && ::fcntl(m_file.get(), F_OFD_SETLK, &lock) == 0;
    }

    /// It is held, and the file is the one that is meant.
    bool holds(const FileIdentity& file) const {
        struct stat now {};
        return m_isHeld && ::fstat(m_file.get(), &now) == 0 && FileIdentity{now.st_dev, now.st_ino} == file;
    }
    bool isHeld() const { return m_isHeld; }

private:
    /// https://www.sqlite.org/src/file?name=src/os.h: RESERVED_BYTE.
    static constexpr off_t kReservedByte = 0x40000001;

    Descriptor m_file;
    bool m_isHeld = false;
};

/// Nobody can write safely to a damaged file: what can be read of it goes into a new one of its name. `read`:
/// the file that `sweep` was read from.
std::optional<Error> replaceDamaged(const fs::path& path, const FileIdentity& read, Sweep& sweep) {
    // Until the new one is in place: two that did this together would each lose what the other goes on to do.
    std::error_code error;
    const WriterLock lock(fs::canonical(path, error));
    if (!lock.holds(read) || identityOf(path) != read)
        return cannotWrite(path, "another process is writing it");
    const fs::path kept = freeNameFor(path);
    fs::copy_file(path, kept, error);
    if (error)
        return cannotWrite(kept, error.message());
    const auto whole = writeBeside(path, sweep);
    if (!whole)
        return whole.error();
    // Nobody may begin a journal of the new file before that of the old one is gone.
    const WriterLock ofNew(*whole);
    if (!ofNew.isHeld())
        error = std::make_error_code(std::errc::no_lock_available);
    else
        fs::rename(*whole, path, error);
    if (error) {
        run_file::removeDatabase(*whole);
        return cannotWrite(path, error.message());
    }
    // It was the damaged file's, and has been read with it.
    fs::remove(fs::path(path) += "-journal", error);
    sweep.warnings.push_back("The damaged file is kept as " + kept.string() + ".");
    return std::nullopt;
}

/// Whether what lies beside the file is a journal that is not its own, which nobody may remove.
bool hasForeignJournal(const fs::path& path) {
    const auto database = Database::open(path, Database::Mode::kReadOnly, path);
    if (!database)
        return false;
    const run_file::JournalState state = sweep_file::judgeJournal(*database).state;
    return state == run_file::JournalState::kForeign || state == run_file::JournalState::kUnneeded;
}

}  // namespace

Result<Sweep> openSweep(const fs::path& path) {
    if (auto problem = run_file::fileProblem(path))
        return *problem;
    auto source = run_file::openToRead(path, &sweep_file::judgeJournal);
    if (!source)
        return source.error();
    Database& database = source->database;
    if (const std::string problem = sweep_file::headerProblem(database); !problem.empty())
        return cannotOpenSweep(path, problem);
    const bool wasWritten = source->isFile && database.isBeingWritten();
    // writable_schema lets SQLite read a file that is shorter than its header says. One transaction makes the
    // tables agree with one another while the sweep goes on.
    if (!database.execute("PRAGMA writable_schema=ON; PRAGMA query_only=ON; PRAGMA cell_size_check=ON; BEGIN;"
                          "SELECT count(*) FROM sqlite_schema;")) {
        const run_file::DatabaseError error = database.lastError();
        const int code = error.code & 0xff;
        return cannotOpenSweep(path, code == SQLITE_CORRUPT || code == SQLITE_NOTADB
                                         ? "it is damaged, and nothing in it can be read"
                                         : error.cause);
    }
    auto sweep = sweep_file::readSweep(database);
    if (!sweep)
        return cannotOpenSweep(path, sweep.message());
    database.execute("COMMIT");
    const bool isUnfinished =
        std::ranges::any_of(sweep->cells, [](const SweepCell& cell) { return !cell.isDone(); });
    sweep->isBeingRun =
        isUnfinished && (wasWritten || (source->isFile && run_file::isBeingRecorded(database)));
    if (!sweep->isBeingRun)
        sweep_file::letRunningWait(*sweep);
    if (!source->warning.empty())
        sweep->warnings.insert(sweep->warnings.begin(), source->warning);
    return sweep;
}

/// The connection is in a transaction from the file's first moment to its last: SQLite's lock tells others
/// that the sweep goes on, and the kernel takes it back if the process is killed.
struct SweepFile::State {
    fs::path path;
    Sweep sweep;
    std::optional<Database> database;
    std::optional<Error> error;
    /// Cells that a kill of an earlier process ended.
    std::set<std::int64_t> cutOff;

    std::optional<Error> take(Result<Database> opened) {
        if (!opened)
            return opened.error();
        database.emplace(std::move(*opened));
        database->runNoTriggers();
        if (!database->execute("PRAGMA synchronous=EXTRA; BEGIN IMMEDIATE;"))
            return database->error("write");
        return std::nullopt;
    }

    bool commit() {
        for (int i = 0; i < kTries; ++i) {
            if (database->execute("COMMIT"))
                return true;
            if ((database->lastError().code & 0xff) != SQLITE_BUSY)
                return false;
        }
        return false;  // a reader has held the file for a minute
    }

    /// One transaction: on an error the file holds what it held before.
    template <class Write>
    Status change(Write&& write) {
        if (error)
            return *error;
        bool done = write() && commit();
        if (done && database->execute("BEGIN IMMEDIATE"))
            return {};
        Error failed = database->error("write");
        database->execute("ROLLBACK");
        if (!done && database->execute("BEGIN IMMEDIATE"))
            return failed;  // the next change may find room again
        error = failed;
        return failed;
    }

    Status store(const SweepCell& cell) {
        SweepCell& known = sweep.cells.at(static_cast<std::size_t>(cell.index));
        const std::int64_t more = (cell.isDone() ? 1 : 0) - (known.isDone() ? 1 : 0);
        Status stored =
            change([&] { return writeCell(*database, sweep.plan, cell) && addToDone(*database, more); });
        if (stored)
            known = cell;
        return stored;
    }
};

SweepFile::SweepFile(std::unique_ptr<State> state) : m_state(std::move(state)) {}
SweepFile::~SweepFile() = default;

Result<std::unique_ptr<SweepFile>> SweepFile::create(const fs::path& path, const SweepPlan& plan) {
    if (auto problem = run_file::targetProblem(path))
        return *problem;
    std::error_code error;
    if (fs::exists(fs::symlink_status(path, error))) {
        if (auto problem = run_file::recordingProblem(path))
            return *problem;
        return cannotWrite(path, "there is a file of this name");
    }
    auto state = std::make_unique<State>();
    state->path = path;
    state->sweep.plan = plan;
    state->sweep.cells = cellsOf(plan);
    if (auto problem = runFolderProblem(path, state->sweep))
        return *problem;
    const auto made = writeBeside(path, state->sweep);
    if (!made)
        return made.error();
    if (auto problem = run_file::moveToNew(*made, path)) {
        run_file::removeDatabase(*made);
        return *problem;
    }
    if (auto problem = state->take(Database::open(path, Database::Mode::kExisting, path)))
        return *problem;
    return std::unique_ptr<SweepFile>(new SweepFile(std::move(state)));
}

Result<std::unique_ptr<SweepFile>> SweepFile::resume(const fs::path& path) {
    const FileIdentity identity = identityOf(path);
    Result<Sweep> read = openSweep(path);
    if (!read)
        return read.error();
    if (auto problem = run_file::targetProblem(path))
        return *problem;
    if (auto problem = run_file::recordingProblem(path))
        return *problem;
    if (!read->warnings.empty() && !hasForeignJournal(path)) {
        if (auto problem = replaceDamaged(path, identity, *read))
            return *problem;
    }
    auto state = std::make_unique<State>();
    state->path = path;
    if (auto problem = state->take(run_file::openToChange(path, &sweep_file::judgeJournal)))
        return *problem;
    // Another process may have gone on with it until this moment.
    auto now = sweep_file::readSweep(*state->database);
    if (!now)
        return cannotOpenSweep(path, now.message());
    if (auto problem = runFolderProblem(path, *now))
        return *problem;
    for (const SweepCell& cell : now->cells) {
        if (cell.state == CellState::kRunning)
            state->cutOff.insert(cell.index);
    }
    sweep_file::letRunningWait(*now);
    state->sweep = std::move(*now);
    state->sweep.warnings = std::move(read->warnings);
    return std::unique_ptr<SweepFile>(new SweepFile(std::move(state)));
}

const Sweep& SweepFile::sweep() const {
    return m_state->sweep;
}

const fs::path& SweepFile::path() const {
    return m_state->path;
}

bool SweepFile::hasRunOf(std::int64_t index) const {
    const Sweep& sweep = m_state->sweep;
    return m_state->cutOff.contains(index) ||
           isKeptRunOf(sweep.plan, index, sweep.cells.at(static_cast<std::size_t>(index)).runFile);
}

bool SweepFile::hasSnapshotOf(std::int64_t index) const {
    const Sweep& sweep = m_state->sweep;
    return m_state->cutOff.contains(index) ||
           isKeptSnapshotOf(sweep.plan, index,
                            sweep.cells.at(static_cast<std::size_t>(index)).memorySnapshot);
}

Status SweepFile::beginCell(std::int64_t index, std::string_view startedUtc) {
    SweepCell cell = m_state->sweep.cells.at(static_cast<std::size_t>(index)).waitingAgain();
    cell.state = CellState::kRunning;
    cell.started = startedUtc;
    return m_state->store(cell);
}

Status SweepFile::finishCell(const SweepCell& cell) {
    SweepCell finite = cell;
    std::erase_if(finite.figures, [](const auto& pair) { return !std::isfinite(pair.second); });
    return m_state->store(finite);
}

Status SweepFile::resetCell(std::int64_t index) {
    SweepCell& known = m_state->sweep.cells.at(static_cast<std::size_t>(index));
    const std::int64_t fewer = known.isDone() ? -1 : 0;
    Status done = m_state->change([&] {
        Database& database = *m_state->database;
        Statement row;
        return database.prepare(row, "DELETE FROM figures WHERE cell=?") && row.bind(1, index).run() &&
               database.prepare(row, "DELETE FROM cells WHERE cell=?") && row.bind(1, index).run() &&
               addToDone(database, fewer);
    });
    if (done)
        known = known.waitingAgain();
    return done;
}

Status SweepFile::setInformation(std::string_view key, std::string_view value) {
    auto& information = m_state->sweep.information;
    std::size_t at = 0;
    while (at < information.size() && information[at].first != key)
        ++at;
    Status done = m_state->change(
        [&] { return writeInformation(*m_state->database, static_cast<std::int64_t>(at), key, value); });
    if (!done)
        return done;
    if (at == information.size())
        information.emplace_back(key, value);
    else
        information[at].second = value;
    return done;
}

}  // namespace warpglass
