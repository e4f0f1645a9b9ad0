// A list of words, such as those of a command line, written as one text.
#pragma once

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace warpglass::test {

/// Those between the blanks.
inline std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

}  // namespace warpglass::test
