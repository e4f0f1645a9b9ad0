// Whether two run files, or two states of one, can be of the same run: by what their tables hold. For telling
// whose journal lies beside a file (journal_judgment.h). Pure; any thread.
#pragma once

#include "engine/io/run_file_tables.h"

namespace warpglass::run_file {

/// Whether `now` may be a later state of the same run: of what only grows, it holds what `earlier` holds, and
/// `earlier` holds something where it does.
bool continues(const FileTables& now, const FileTables& earlier);
/// Whether the two cannot be states of one run, though either may be damaged: they began at different times
/// or with other settings, or most of the chunks that both have differ.
bool contradict(const FileTables& a, const FileTables& b);

}  // namespace warpglass::run_file
