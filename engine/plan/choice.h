// One of the things that a setting may be: its word, and all that is said of it where it is offered. What
// offers choices (an enumeration here, a list of implementations elsewhere) has them in an array, in the
// order of their numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warpglass {

enum class Devices : std::uint8_t { kAll, kCpu, kGpu };

constexpr bool includes(Devices devices, bool gpu) {
    return devices == Devices::kAll || (devices == Devices::kGpu) == gpu;
}

struct Choice {
    /// As the command line, the run file and the names of files have it; a promise, as scripts rely on it.
    std::string_view word;
    /// What it is, with no full stop.
    std::string_view toolTip;
    /// Where it can be chosen.
    Devices devices = Devices::kAll;
    /// As people read it in titles, captions and tables.
    std::string_view title = word;
    /// On the run panel, where the word may be too long.
    std::string_view label = word;
    /// Its word in files of earlier versions, which is still taken; empty for none.
    std::string_view formerly = {};
};

template <std::size_t N>
constexpr std::array<std::string_view, N> wordsOf(const std::array<Choice, N>& choices) {
    std::array<std::string_view, N> words;
    for (std::size_t i = 0; i < N; ++i)
        words[i] = choices[i].word;
    return words;
}

}  // namespace warpglass
