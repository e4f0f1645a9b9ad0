// Names come from files, and a control character in one must not steer a terminal.
#pragma once

#include <string>
#include <string_view>

namespace warpglass {

/// U+0000 … U+001F, U+007F … U+009F as \x1b; all else as it is.
std::string withoutControls(std::string_view text);

}  // namespace warpglass
