#include "engine/base/whole_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

namespace warpglass {

namespace fs = std::filesystem;

namespace {

fs::path partOf(const fs::path& path) {
    return fs::path(path) += ".part";
}

}  // namespace

Status writeWholeFile(const fs::path& path, std::string_view bytes) {
    const fs::path part = partOf(path);
    const auto fail = [&](const std::error_code& cause) {
        std::error_code ignored;
        fs::remove(part, ignored);
        return Error{"Cannot write " + path.string() + ": " + cause.message() + "."};
    };
    errno = 0;
    {
        std::ofstream file(part, std::ios::binary | std::ios::trunc);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        file.flush();
        if (!file)
            return fail({errno != 0 ? errno : EIO, std::generic_category()});
    }
    std::error_code error;
    fs::rename(part, path, error);
    if (error)
        return fail(error);
    return {};
}

void removeWholeFile(const fs::path& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
    fs::remove(partOf(path), ignored);
}

}  // namespace warpglass
