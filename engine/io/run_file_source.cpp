#include "engine/io/run_file_source.h"

#include <unistd.h>

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/system_error.h"
#include "engine/io/cannot_write.h"
#include "engine/io/sqlite_header.h"

namespace warpglass::run_file {

namespace {

namespace fs = std::filesystem;

/// Between two writes a recording lets go of its lock for microseconds; a busy machine may make them more.
constexpr int kLooks = 4;
constexpr std::chrono::milliseconds kBetweenLooks(10);
/// Somebody may recover or write the file just as it is copied.
constexpr int kTries = 3;

/// SQLite would make or delete files beside one in this mode, which no run file is in.
bool wouldUseWal(const Database& database) {
    const std::string header = database.rawBytes(0, kHeaderSize);
    if (header.size() == static_cast<std::size_t>(kHeaderSize) &&
        (header[kWriteVersionOffset] != 1 || header[kReadVersionOffset] != 1))
        return true;
    std::error_code error;
    return fs::exists(fs::symlink_status(database.walPath(), error));
}

Result<RunSource> withoutWhatIsBeside(const fs::path& path, std::string warning) {
    auto immutable = Database::open(path, Database::Mode::kImmutable, path);
    if (!immutable)
        return immutable.error();
    return RunSource{std::move(*immutable), std::move(warning), false, false};
}

}  // namespace

std::optional<Error> fileProblem(const fs::path& path) {
    const auto cannotOpen = [](const fs::path& file, const std::string& cause) {
        return Error{"cannot open " + file.string() + ": " + cause};
    };
    if (path.empty())
        return Error{"cannot open a file without a name"};
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        return cannotOpen(path, "it does not exist");
    if (error)
        return cannotOpen(path, std::generic_category().message(error.value()));
    if (fs::is_directory(status))
        return cannotOpen(path, "it is a folder");
    if (!fs::is_regular_file(status))
        return cannotOpen(path, "it is not a regular file");
    if (::access(path.c_str(), R_OK) != 0)
        return cannotOpen(path, lastSystemCause());
    if (fs::file_size(path, error) == 0)
        return cannotOpen(path, "the file is empty");
    return std::nullopt;
}

bool isBeingRecorded(const Database& database) {
    for (int look = 0; look < kLooks; ++look) {
        if (look > 0)
            std::this_thread::sleep_for(kBetweenLooks);
        if (database.isBeingWritten())
            return true;
    }
    return false;
}

Result<RunSource> openToRead(const fs::path& path, JournalJudge judge) {
    std::string cause;
    for (int i = 0; i < kTries; ++i) {
        auto opened = Database::open(path, Database::Mode::kReadOnly, path);
        if (!opened)
            return opened.error();
        if (wouldUseWal(*opened)) {
            std::error_code error;
            const fs::path wal = opened->walPath();
            return withoutWhatIsBeside(path, fs::exists(fs::symlink_status(wal, error))
                                                 ? wal.string() + " is not of a run file, and is not read."
                                                 : std::string());
        }
        // While it is written, its journal is the writer's, and SQLite waits for the writer.
        if (opened->isBeingWritten())
            return RunSource{std::move(*opened)};
        const JournalCheck journal = judge(*opened);
        if (journal.state == JournalState::kNone)
            return RunSource{std::move(*opened)};
        if (journal.state == JournalState::kUnneeded) {
            if (opened->isBeingWritten())
                continue;  // what was judged is a moment of a write
            return withoutWhatIsBeside(path, journal.path.string() + " is not read: " + journal.why +
                                                 ", and it is most likely another run's.");
        }
        if (journal.state == JournalState::kForeign)
            return withoutWhatIsBeside(
                path,
                journal.path.string() + " is not this file's journal, and is not read: " + journal.why + ".");
        auto copy = recoverOnCopy(*opened, journal);
        if (copy)
            return RunSource{std::move(*copy), {}, false, false};
        cause = copy.message();
    }
    auto source = withoutWhatIsBeside(
        path, "The recording was cut off in the midst of a write, and no copy could be made to undo it on (" +
                  cause + "): some of its last part may be missing.");
    if (source)
        source->mayLack = true;
    return source;
}

Result<Database> openToChange(const fs::path& path, JournalJudge judge) {
    {
        auto opened = Database::open(path, Database::Mode::kReadOnly, path);
        if (!opened)
            return opened.error();
        if (wouldUseWal(*opened))
            return cannotWrite(path, "it is in a mode, or has a file beside it, that no run file has");
        if (!opened->isBeingWritten()) {
            const JournalCheck journal = judge(*opened);
            if (journal.state == JournalState::kForeign)
                return cannotWrite(path, journal.path.string() + " is not its journal (" + journal.why + ")");
            // SQLite would roll it back, and the file would be lost.
            if (journal.state == JournalState::kUnneeded)
                return cannotWrite(path, journal.path.string() + " is most likely another run's journal (" +
                                             journal.why + "), and has to be moved away first");
        }
    }
    return Database::open(path, Database::Mode::kExisting, path);
}

}  // namespace warpglass::run_file
