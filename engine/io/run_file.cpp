#include "engine/io/run_file.h"

#include "engine/io/journal_judgment.h"
#include "engine/io/run_file_reader.h"

namespace warpglass {

Result<OpenedRun> openRun(const std::filesystem::path& path) {
    const auto reader = run_file::RunFileReader::open(path);
    if (!reader)
        return reader.error();
    OpenedRun run;
    run.snapshot = (*reader)->mount();
    run.warnings = (*reader)->warnings();
    // A copy that was saved of a damaged file is whole, and says what it never had.
    run.isIncomplete = !(*reader)->damage().empty() || statesMissing(run.snapshot->info()) ||
                       !run.snapshot->losses().empty() ||
                       run_state::isOpenEnded(run.snapshot->info().get("state"));
    run.isBeingRecorded = (*reader)->isBeingRecorded();
    run_file::MarkTable marks = (*reader)->readMarks();
    run.marks = std::move(marks.marks);
    if (!marks.problem.empty())
        run.warnings.push_back(marks.sentence());
    return run;
}

std::vector<std::string> verifyRun(const std::filesystem::path& path) {
    const auto reader = run_file::RunFileReader::open(path);
    if (!reader)
        return {reader.message()};
    return (*reader)->verify();
}

std::optional<std::filesystem::path> journalOf(const std::filesystem::path& path) {
    using run_file::Database;
    const auto database = Database::open(path, Database::Mode::kReadOnly, path);
    if (!database || database->isBeingWritten())
        return std::nullopt;
    run_file::JournalCheck journal = run_file::judgeJournal(*database);
    if (journal.state != run_file::JournalState::kOurs)
        return std::nullopt;
    return std::move(journal.path);
}

}  // namespace warpglass
