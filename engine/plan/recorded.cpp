#include "engine/plan/recorded.h"

#include <algorithm>

#include "engine/base/nearest_word.h"

namespace warpglass {

std::string recordedText(Recorded recorded) {
    std::string text;
    for (std::size_t i = 0; i < kFeatureNames.size(); ++i) {
        if (recorded.has(static_cast<Feature>(i)))
            text.append(text.empty() ? "" : ",").append(kFeatureNames[i]);
    }
    return text.empty() ? "none" : text;
}

Result<Recorded> parseRecorded(std::string_view text) {
    if (text == "all")
        return Recorded();
    if (text == "all,shapes") {
        Recorded everything;
        everything.set(Feature::kShapes, true);
        return everything;
    }
    Recorded recorded = Recorded::none();
    if (text == "none")
        return recorded;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::string_view word = text.substr(begin, end - begin);
        // People put a blank after a comma.
        word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
        word = word.substr(0, word.find_last_not_of(' ') + 1);
        const auto name = std::find(kFeatureNames.begin(), kFeatureNames.end(), word);
        if (word == "all" || word == "none")
            return Error{"\"" + std::string(word) +
                         "\" stands alone: write it without other words beside it."};
        if (name == kFeatureNames.end())
            return Error{
                "There is nothing called \"" + std::string(word) +
                "\" to record: choose from ops, memory, kernels, calls, waits and shapes with commas between "
                "them, or all, or none." +
                didYouMean(word, kFeatureNames)};
        recorded.set(static_cast<Feature>(name - kFeatureNames.begin()), true);
        begin = end + 1;
    }
    return recorded;
}

}  // namespace warpglass
