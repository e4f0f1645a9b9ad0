// What a mistyped word was probably meant to be: commands, options, and the words that an option takes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpglass {

/// The word of `known` that `word` is nearest to, or an empty one where none is near: at most one slip in
/// every three letters, counting one letter too many, too few, another one, or two neighbours exchanged as a
/// slip (Damerau's distance in its restricted form), and upper and lower case as the same. Of equally near
/// words the first. The time grows with the product of the words' lengths.
std::string_view nearestWord(std::string_view word, std::span<const std::string_view> known);

/// " Did you mean WORD?", to be put behind a sentence that refuses `word`; empty where no known word is near.
std::string didYouMean(std::string_view word, std::span<const std::string_view> known);

}  // namespace warpglass
