// Whose journal it is that lies beside a run file. A file that was copied over one whose write was killed
// finds that one's journal beside it, which looks like its own: only what the file holds without it and with
// it tells, by the runs' checksums where the file is whole, and by comparing the two where it is damaged.
#pragma once

#include "engine/io/run_journal.h"
#include "engine/io/sqlite_database.h"

namespace warpglass::run_file {

/// checkJournal(), and of a journal that could be the file's own whether it is. It is not needed where the
/// file would be another run with it, or would lack more than without it. Where there is a journal this reads
/// the whole file, and a copy of it; nothing is written beside it. Sound only while nobody writes the file.
JournalCheck judgeJournal(const Database& file);

}  // namespace warpglass::run_file
