#include "engine/io/exclusive_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "engine/base/system_error.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;

/// Bytes of the given name that are kept: with what is added, it fits the 255 that file systems allow.
constexpr std::size_t kLongestStem = 200;
/// 64 random bits never meet; more tries mean that something else is wrong.
constexpr int kTries = 4;

std::string randomLetters() {
    std::random_device device;
    char text[17] = "";
    std::snprintf(text, sizeof text, "%08x%08x", device(), device());
    return text;
}

}  // namespace

Result<fs::path> makeFileBeside(const fs::path& target) {
    std::error_code error;
    const fs::path folder = fs::canonical(target.has_parent_path() ? target.parent_path() : ".", error);
    if (error)
        return Error{error.message()};
    const std::string stem = target.filename().string().substr(0, kLongestStem) + ".part-";
    for (int i = 0; i < kTries; ++i) {
        fs::path path = folder / (stem + randomLetters());
        // The mode that SQLite gives its files.
        const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0644);
        if (file >= 0) {
            ::close(file);
            return path;
        }
        error = lastSystemError();
        if (error != std::errc::file_exists)
            break;
    }
    return Error{error.message()};
}

Result<fs::path> makePrivateFolder() {
    std::error_code error;
    const fs::path temporary = fs::temp_directory_path(error);
    const fs::path folder = error ? fs::path() : fs::canonical(temporary, error);
    if (error)
        return Error{error.message()};
    std::string name = (folder / "warpglass-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        return Error{lastSystemError().message()};
    return fs::path(name);
}

std::error_code moveToNewName(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
        return {};
    if (errno != EINVAL && errno != ENOSYS)
        return lastSystemError();
    // A file system without that: a second name can't be given where there is one, either.
    if (::link(from.c_str(), to.c_str()) == 0) {
        ::unlink(from.c_str());
        return {};
    }
    if (errno != EPERM && errno != EOPNOTSUPP)
        return lastSystemError();
    std::error_code error;
    if (fs::exists(fs::symlink_status(to, error)))
        return std::make_error_code(std::errc::file_exists);
    fs::rename(from, to, error);
    return error;
}

}  // namespace warpglass
