#include "engine/io/journal_judgment.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "engine/io/run_file_reader.h"
#include "engine/io/run_file_tables.h"

namespace warpglass::run_file {

namespace {

/// Whether `now` may be a later state of the same run: of what only grows, it holds what `earlier` holds, and
/// `earlier` holds something where it does.
bool continues(const FileTables& now, const FileTables& earlier) {
    if (earlier.chunks.empty() != now.chunks.empty() || earlier.names.size() > now.names.size() ||
        !std::equal(earlier.names.begin(), earlier.names.end(), now.names.begin()))
        return false;
    std::map<std::int64_t, const ChunkHeader*> chunks;
    for (const ChunkEntry& entry : now.chunks)
        chunks.emplace(entry.id, &entry.header);
    return std::ranges::all_of(earlier.chunks, [&](const ChunkEntry& entry) {
        const auto found = chunks.find(entry.id);
        if (found == chunks.end())
            return false;
        const ChunkHeader &then = entry.header, &later = *found->second;
        // Samples of counters do not come in order of time: an earlier one may have come since.
        const bool sameBegin = then.begin == later.begin || then.kind == ChunkKind::kCounters;
        return std::tie(then.kind, then.lane, then.chunk) == std::tie(later.kind, later.lane, later.chunk) &&
               sameBegin && then.rows <= later.rows;
    });
}

/// Whether the two cannot be states of one run, though either may be damaged: they began at different times
/// or with other settings, or most of the chunks that both have differ.
bool contradict(const FileTables& a, const FileTables& b) {
    for (const auto& [key, value] : a.info.pairs()) {
        // What a run states from its beginning to its end.
        if ((key == "time.started" || key.starts_with("config.")) && b.info.has(key) &&
            b.info.get(key) != value)
            return true;
    }
    std::map<std::int64_t, const ChunkHeader*> chunks;
    for (const ChunkEntry& entry : a.chunks)
        chunks.emplace(entry.id, &entry.header);
    // Damage may have changed some of them.
    std::size_t same = 0, different = 0;
    for (const ChunkEntry& entry : b.chunks) {
        const auto found = chunks.find(entry.id);
        if (found == chunks.end() || entry.header.kind == ChunkKind::kCounters)
            continue;  // samples of counters do not come in order of time
        const ChunkHeader &mine = *found->second, &its = entry.header;
        ++(std::tie(mine.kind, mine.lane, mine.chunk, mine.begin) ==
                   std::tie(its.kind, its.lane, its.chunk, its.begin)
               ? same
               : different);
    }
    return different > same;
}

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
