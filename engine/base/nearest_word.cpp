#include "engine/base/nearest_word.h"

#include <algorithm>
#include <vector>

namespace warpglass {

namespace {

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// How many slips turn `a` into `b`. Row i of the table has the slips between the first i letters of `a` and
/// each beginning of `b`; an exchange of neighbors looks two rows back.
std::size_t slips(std::string_view a, std::string_view b) {
    std::vector<std::size_t> beforeLast(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        beforeLast.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            const bool exchanged =
                i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (exchanged)
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
    }
    return row[b.size()];
}

}  // namespace

std::string_view nearestWord(std::string_view word, std::span<const std::string_view> known) {
    std::string_view nearest;
    // A third of the letters, and one slip in a short word: "op" is near "ops".
    std::size_t fewest = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const std::string_view candidate : known) {
        // No nearer than the difference in length: a paste by mistake is not compared letter by letter.
        const std::size_t longer = std::max(candidate.size(), word.size());
        if (longer - std::min(candidate.size(), word.size()) >= fewest)
            continue;
        const std::size_t count = slips(word, candidate);
        // A word that has no letter of the other is none that was meant.
        if (count < fewest && count < longer) {
            fewest = count;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string didYouMean(std::string_view word, std::span<const std::string_view> known) {
    const std::string_view nearest = nearestWord(word, known);
    return nearest.empty() ? std::string() : " Did you mean " + std::string(nearest) + "?";
}

}  // namespace warpglass
