// A run file opened to be read, and nothing else: whatever lies beside it, nothing is written, made or
// deleted there. A write that was killed is undone on a private copy; a journal that is not the file's own is
// passed over, and said. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/io/journal_judgment.h"
#include "engine/io/run_journal.h"
#include "engine/io/sqlite_database.h"

namespace warpglass::run_file {

/// Why there is nothing to open at this path: "cannot open /a/b.wgrun: it is a folder".
std::optional<Error> fileProblem(const std::filesystem::path& path);

struct RunSource {
    Database database;
    /// A sentence about what lies beside the file and was not used; mostly empty.
    std::string warning{};
    /// Something of the file may be missing for it.
    bool mayLack = false;
    /// The database is the file itself, not a copy or a moment of it: a recording may go on in it.
    bool isFile = true;
};

/// Whether a journal belongs to the file beside it: judgeJournal() of a run file (journal_judgment.h).
using JournalJudge = JournalCheck (*)(const Database& file);

/// The error is one sentence with the path and the cause. `judge`: for a file that holds something else than
/// a run.
Result<RunSource> openToRead(const std::filesystem::path& path, JournalJudge judge = &judgeJournal);

/// Whether another process, or another part of this one, holds the lock that a recording holds from its first
/// moment to its last. The kernel takes it back when the process ends, however it ends.
bool isBeingRecorded(const Database& database);

/// Opens an existing file to change it; refuses a journal not the file's own. The error is one sentence.
Result<Database> openToChange(const std::filesystem::path& path, JournalJudge judge = &judgeJournal);

}  // namespace warpglass::run_file
