// Temporary files that nobody else can have put there: names that cannot be guessed, made exclusively and not
// followed through links, and moved to the name they are for once they are whole. Any thread.
#pragma once

#include <filesystem>
#include <system_error>

#include "engine/base/result.h"

namespace warpglass {

/// Makes an empty file in the folder of `target`, readable as any new file is. The path has no link in it.
/// The error is the cause alone.
Result<std::filesystem::path> makeFileBeside(const std::filesystem::path& target);

/// Makes an empty folder that only this user may enter, for temporary files. The error is the cause alone.
Result<std::filesystem::path> makePrivateFolder();

/// Gives `from` the name `to` only where nothing has it: std::errc::file_exists otherwise.
std::error_code moveToNewName(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace warpglass
