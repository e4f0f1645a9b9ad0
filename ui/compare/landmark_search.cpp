#include "ui/compare/landmark_search.h"

#include <algorithm>
#include <string>

#include "ui/models/deferred_query.h"

namespace warpglass::ui {

std::optional<FoundPlace> findPlace(const SearchedStep& searched, const Landmark& landmark) {
    if (!searched.step)
        return std::nullopt;
    if (const auto found = findLandmark(*searched.run, *searched.step, landmark))
        return FoundPlace{*found, false};
    if (!landmark.onGpu)
        return std::nullopt;
    // An old file has no phases of the GPU, and work of none is on the host alone.
    Landmark onHost = landmark;
    onHost.onGpu = false;
    const auto found = findLandmark(*searched.run, *searched.step, onHost);
    return found ? std::optional(FoundPlace{*found, true}) : std::nullopt;
}

std::vector<Landmark> commonLandmarks(const SearchedStep& a, const SearchedStep& b) {
    if (!a.step || !b.step)
        return {Landmark()};
    std::vector<Landmark> common = landmarksOf(*a.run, *a.step);
    std::vector<std::string> inB;
    for (const Landmark& landmark : landmarksOf(*b.run, *b.step))
        inB.push_back(landmark.text());
    std::sort(inB.begin(), inB.end());
    std::erase_if(common, [&inB](const Landmark& landmark) {
        return !std::binary_search(inB.begin(), inB.end(), landmark.text());
    });
    return common;
}

bool takesLong(const SearchedStep& a, const SearchedStep& b) {
    std::uint64_t spans = 0;
    for (const SearchedStep* searched : {&a, &b}) {
        if (searched->step)
            spans += spansToSearch(*searched->run, *searched->step);
    }
    return spans > DeferredQuery::kHeavySpans;
}

}  // namespace warpglass::ui
