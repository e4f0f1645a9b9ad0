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

namespace {

Error allIsAlone() {
    return Error{"\"all\" stands alone, or first with what it leaves out: shapes and kernel-clocks."};
}

}  // namespace

Result<Recorded> parseRecorded(std::string_view text) {
    constexpr std::string_view kAll = "all";
    const bool fromAll = text == kAll || text.starts_with("all,");
    Recorded recorded = fromAll ? Recorded() : Recorded::none();
    if (text == kAll || text == "none")
        return recorded;
    for (std::size_t begin = fromAll ? kAll.size() + 1 : 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::string_view word = text.substr(begin, end - begin);
        // People put a blank after a comma.
        word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
        word = word.substr(0, word.find_last_not_of(' ') + 1);
        const auto name = std::ranges::find(kFeatureNames, word);
        if (word == "none")
            return Error{"\"none\" stands alone: write it without other words beside it."};
        if (word == kAll)
            return allIsAlone();
        const bool isInAll =
            name != kFeatureNames.end() && Recorded().has(static_cast<Feature>(name - kFeatureNames.begin()));
        if (fromAll && isInAll)
            return allIsAlone();
        if (name == kFeatureNames.end())
            return Error{"There is nothing called \"" + std::string(word) +
                         "\" to record: choose from ops, memory, kernels, calls, waits, shapes and "
                         "kernel-clocks with commas between them, or all, or none." +
                         didYouMean(word, kFeatureNames)};
        recorded.set(static_cast<Feature>(name - kFeatureNames.begin()), true);
        begin = end + 1;
    }
    return recorded;
}

}  // namespace warpglass
