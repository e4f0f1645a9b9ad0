#include "engine/io/journal_judgment.h"

#include <memory>
#include <utility>

#include "engine/io/run_file_reader.h"
#include "engine/io/run_states.h"

namespace warpglass::run_file {

namespace {

/// The run in a database that is read without its journal; null where there is none to be read.
std::shared_ptr<RunFileReader> runIn(Result<Database> database) {
    if (!database)
        return nullptr;
    const std::filesystem::path shownAs = database->shownAs();
    auto reader = RunFileReader::open(shownAs, RunSource{std::move(*database), {}, false, false});
    return reader ? std::move(*reader) : nullptr;
}

bool isWhole(RunFileReader& run) {
    return run.verify().empty();
}

/// Why the journal is of no use to a file that is whole as it lies; "" where the file is a later state of the
/// run that the journal restores, as a write leaves it that was killed at its very beginning or end.
std::string whyNotNeeded(const RunFileReader& asItLies, RunFileReader* restored) {
    const bool isOwn = restored && continues(asItLies.tables(), restored->tables()) && isWhole(*restored);
    return isOwn ? std::string() : "the file is whole without it";
}

/// Why a damaged file's journal is not its own; "" where it may be. A write that was killed has damaged no
/// more than its journal restores, and belongs to the same run.
std::string whyNotItsOwn(RunFileReader& asItLies, RunFileReader* restored) {
    if (!restored)
        return "nothing of the file could be read with it";
    if (contradict(asItLies.tables(), restored->tables()))
        return "it does not fit the run that the file holds";
    const std::size_t without = asItLies.verify().size(), with = restored->verify().size();
    if (with > without || restored->lostRecords() > asItLies.lostRecords())
        return "more of the file would be missing with it";
    return {};
}

}  // namespace

JournalCheck judgeJournal(const Database& file) {
    JournalCheck journal = checkJournal(file);
    if (journal.state != JournalState::kOurs)
        return journal;
    const auto asItLies = [&] {
        return runIn(Database::open(file.path(), Database::Mode::kImmutable, file.shownAs()));
    };
    const auto without = asItLies();
    if (!without)
        return journal;
    const bool whole = isWhole(*without);
    auto copy = recoverOnCopy(file, journal);
    if (!copy && !whole)
        return journal;  // whoever recovers it next learns why it could not be copied
    const auto restored = runIn(std::move(copy));
    // Comparing needs the tables as they are before the check for wholeness takes them.
    const auto now = asItLies();
    if (!now)
        return journal;
    journal.why = whole ? whyNotNeeded(*now, restored.get()) : whyNotItsOwn(*now, restored.get());
    if (!journal.why.empty())
        journal.state = JournalState::kUnneeded;
    return journal;
}

}  // namespace warpglass::run_file
