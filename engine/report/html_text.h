// Text of files as text of HTML.
#pragma once

#include <string>
#include <string_view>

namespace warpglass {

/// Well-formed UTF-8 without control characters, with &, <, > and quotes escaped: safe within an element and
/// an attribute. A thin space at which no line is broken stays one.
std::string htmlText(std::string_view text);

}  // namespace warpglass
