// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/base/result.h"

namespace warpglass {

/// Replaces what is there; a reader never sees a half. An error is "Cannot write FILE: cause.", and what was
/// there is still there then.
Status writeWholeFile(const std::filesystem::path& path, std::string_view bytes);

/// Removes it, with what a write that was killed has left beside it. Nothing happens where there is none.
void removeWholeFile(const std::filesystem::path& path);

}  // namespace warpglass
