// Text for LaTeX: what LaTeX would take for commands is escaped, and the signs that our words use are written
// as commands that every engine and every font knows.
#pragma once

#include <string>
#include <string_view>

namespace warpglass {

/// `text` is UTF-8; characters that are neither ASCII nor one of ours stay as they are.
std::string latexText(std::string_view text);

}  // namespace warpglass
