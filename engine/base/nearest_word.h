// What a mistyped word was probably meant to be: commands, options, and the words that an option takes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpglass {

/// The word of `known` that is nearest to `word`, or an empty one if none is near. Near means at most one
/// slip in every three letters. A slip is an extra letter, a missing letter, a wrong letter, or two
/// neighbors exchanged (Damerau's distance in its restricted form); upper and lower case are the same. Among
/// equally near words the first one is returned. The time grows with the product of the words' lengths.
std::string_view nearestWord(std::string_view word, std::span<const std::string_view> known);

/// " Did you mean WORD?", to be put behind a sentence that refuses `word`; empty where no known word is near.
std::string didYouMean(std::string_view word, std::span<const std::string_view> known);

}  // namespace warpglass
