// Whose journal it is that lies beside a run file. A whole file that was copied over one whose write was
// killed finds that one's journal beside it, which looks like its own: only the runs' checksums tell.
#pragma once

#include "engine/io/run_journal.h"
#include "engine/io/sqlite_database.h"

namespace warpglass::run_file {

/// checkJournal(), and of a journal that could be the file's own whether it is: where the file is whole
/// without it, and is damaged or another run with it, it is not needed. Where there is a journal this reads
/// the whole file, and a copy of it; nothing is written beside it. Sound only while nobody writes the file.
JournalCheck judgeJournal(const Database& file);

}  // namespace warpglass::run_file
