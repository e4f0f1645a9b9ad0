// What lies beside a run file and would change how SQLite reads it: the journal of a write that was killed. A
// journal that is not the file's own can make SQLite delete any file of the user's (it may name another
// journal, which is deleted after a rollback), so it is looked at before SQLite may see it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/io/sqlite_database.h"

namespace warpglass::run_file {

enum class JournalState {
    kNone,      // none, or one that means nothing: the file is whole without it
    kOurs,      // of a write to this file that did not end: reading it needs a rollback
    kUnneeded,  // undoing it would not mend the file: most likely it is of another run
    kForeign    // not one that Warpglass leaves
};

struct JournalCheck {
    JournalState state = JournalState::kNone;
    std::filesystem::path path;
    /// What is wrong with a journal that is not to be used.
    std::string why{};
};

/// Reads the journal's ends, and writes nothing; it tells no other run's journal from the file's own, as
/// judgeJournal() does (journal_judgment.h). Sound only while nobody is writing the file: a writer's journal
/// looks like one that was left.
JournalCheck checkJournal(const Database& database);

/// What would be taken for part of a new file at `path`: the journal or the write-ahead log of one that had
/// the name before. A sentence's end ("… is no journal") where it is something else, which is not ours to
/// remove. Nothing is opened by SQLite.
std::optional<std::string> leftoverProblem(const std::filesystem::path& path);
/// Removes them, so that SQLite does not undo or repeat in the new file what was begun in the old one. Only
/// after leftoverProblem() had nothing to say.
void removeLeftovers(const std::filesystem::path& path);

/// The file as it was before the write that did not end, recovered on a copy that only this process has and
/// that is gone with the database. `file` is the file itself, opened for reading. The error names the cause.
Result<Database> recoverOnCopy(const Database& file, const JournalCheck& journal);

}  // namespace warpglass::run_file
