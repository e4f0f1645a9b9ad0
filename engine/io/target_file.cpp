#include "engine/io/target_file.h"

#include <unistd.h>

#include <system_error>

#include "engine/base/system_error.h"
#include "engine/io/cannot_write.h"
#include "engine/io/exclusive_file.h"
#include "engine/io/run_file_source.h"
#include "engine/io/run_journal.h"
#include "engine/io/sqlite_database.h"

namespace warpglass::run_file {

namespace fs = std::filesystem;

void removeDatabase(const fs::path& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
    fs::remove(fs::path(path) += "-journal", ignored);
}

std::optional<Error> targetProblem(const fs::path& path) {
    std::error_code error;
    if (path.empty() || !path.has_filename())
        return Error{"cannot write \"" + path.string() + "\": it is not a file name"};
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status))
        return cannotWrite(path, "it is a folder");
    if (fs::exists(status) && !fs::is_regular_file(status))
        return cannotWrite(path, "it is not a regular file");
    // SQLite opens a write-protected file for reading; replacing one is not what its owner wants.
    if (fs::exists(status) && ::access(path.c_str(), W_OK) != 0)
        return cannotWrite(path, lastSystemCause());
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::is_directory(fs::status(folder, error)))
        return cannotWrite(path, "the folder " + folder.string() + " does not exist");
    // The journal and the temporary go there too. SQLite's own error would be of its second try, for reading.
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return cannotWrite(path, "no file can be made in " + folder.string() + ": " + lastSystemCause());
    return std::nullopt;
}

std::optional<Error> recordingProblem(const fs::path& target) {
    std::error_code error;
    if (!fs::is_regular_file(target, error) || fs::file_size(target, error) == 0)
        return std::nullopt;
    const auto existing = Database::open(target, Database::Mode::kReadOnly, target);
    if (!existing || !isBeingRecorded(*existing))
        return std::nullopt;
    return cannotWrite(target, "another process is writing it");
}

std::optional<Error> moveToNew(const fs::path& from, const fs::path& target) {
    if (auto problem = leftoverProblem(target))
        return cannotWrite(target, *problem);
    // A deleted run of this name may have left some: SQLite would undo that one's last write in this one.
    removeLeftovers(target);
    const std::error_code error = moveToNewName(from, target);
    if (!error)
        return std::nullopt;
    if (error != std::errc::file_exists)
        return cannotWrite(target, error.message());
    if (auto problem = recordingProblem(target))
        return problem;
    return cannotWrite(target, "another process has made a file of this name meanwhile");
}

}  // namespace warpglass::run_file
