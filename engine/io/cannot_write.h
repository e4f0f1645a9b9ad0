// The one sentence of a run file that cannot be written. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "engine/base/result.h"

namespace warpglass {

/// "cannot write /a/b.wgrun: it is a folder".
inline Error cannotWrite(const std::filesystem::path& path, const std::string& cause) {
    return Error{"cannot write " + path.string() + ": " + cause};
}

}  // namespace warpglass
