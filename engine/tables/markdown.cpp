#include "engine/tables/markdown.h"

#include <cctype>
#include <cstddef>

namespace warpglass {

std::string markdownText(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        // An underscore within a word is plain text in every Markdown that has tables.
        const auto isWord = [&](std::size_t j) {
            return j < text.size() && std::isalnum(static_cast<unsigned char>(text[j]));
        };
        const bool emphasis = c == '_' && !(i > 0 && isWord(i - 1) && isWord(i + 1));
        if (emphasis || std::string_view("|\\*`<[").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

}  // namespace warpglass
