// Text as Markdown that shows it as it is.
#pragma once

#include <string>
#include <string_view>

namespace warpglass {

/// Escapes what Markdown would take for markup, also within a cell of a table.
std::string markdownText(std::string_view text);

}  // namespace warpglass
