#include "engine/io/journal_judgement.h"

#include <memory>
#include <utility>

#include "engine/io/run_file_reader.h"

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

}  // namespace

JournalCheck judgeJournal(const Database& file) {
    JournalCheck journal = checkJournal(file);
    if (journal.state != JournalState::kOurs)
        return journal;
    const auto asItLies = [&] {
        return runIn(Database::open(file.path(), Database::Mode::kImmutable, file.shownAs()));
    };
    const auto without = asItLies();
    if (!without || !isWhole(*without))
        return journal;
    // A write that was killed at its very beginning or end leaves a whole file as well.
    const auto with = runIn(recoverOnCopy(file, journal));
    if (with) {
        const auto now = asItLies();
        if (now && now->continues(*with) && isWhole(*with))
            return journal;
    }
    journal.state = JournalState::kUnneeded;
    journal.why = "the file is whole without it";
    return journal;
}

}  // namespace warpglass::run_file
