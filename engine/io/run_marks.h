// What a person has noted in a run: moments with a few words each, kept in the run's file in a table of their
// own
// ("marks", engine/io/run_file_format.h). Readers that don't know the table pass it over, and a file without
// it has no marks.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"

namespace warpglass {

struct RunMark {
    Nanoseconds time;
    std::string text;
    bool operator==(const RunMark&) const = default;
};

/// No file has more, or longer ones: what is beyond is not read, and not written.
inline constexpr std::size_t kMostMarks = 10'000;
inline constexpr std::size_t kLongestMark = 1'000;  // bytes

/// In order of time. The marks that can be read: none of a file without any. Where there may be more, as in a
/// damaged table, `problem` says so in one sentence. The error is that of a file that can't be opened.
Result<std::vector<RunMark>> readMarks(const std::filesystem::path& path, std::string* problem = nullptr);

/// Replaces the file's marks, in one transaction. Not while the file is being recorded. A table that cannot
/// be read whole is not replaced, since what is left in it would be lost, and nothing is written to a file
/// that would run SQL of its own. The error names the path and the cause, and the file holds what it held.
Status writeMarks(const std::filesystem::path& path, const std::vector<RunMark>& marks);

}  // namespace warpglass
