// Text from outside made safe to show and to write as JSON.
#pragma once

#include <string>
#include <string_view>

namespace warpglass {

/// The text with every byte that is not part of well-formed UTF-8 (RFC 3629: no overlong forms, surrogates,
/// or code points above U+10FFFF) replaced by U+FFFD.
std::string validUtf8(std::string_view text);

}  // namespace warpglass
