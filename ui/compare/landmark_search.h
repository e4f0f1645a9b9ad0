// Where a landmark is in the chosen step of a run, and which landmarks two steps share.
//
// Pure functions over snapshots; any thread. Linear in the spans of the step: takesLong() says when that is
// no work for the window's thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/query/compare/landmark.h"

namespace warpglass::ui {

/// A run, and the step that is looked through; none of a run without steps, where nothing is found.
struct SearchedStep {
    std::shared_ptr<const Snapshot> run;
    std::optional<StepSpan> step;
};

struct FoundPlace : FoundLandmark {
    /// For a landmark on the GPU: the run has no phases there.
    bool hostInstead = false;
};
std::optional<FoundPlace> findPlace(const SearchedStep& searched, const Landmark& landmark);

/// The landmarks of A that B has too, in A's order; at least the step's start.
std::vector<Landmark> commonLandmarks(const SearchedStep& a, const SearchedStep& b);

/// More than a frame's time in the two together.
bool takesLong(const SearchedStep& a, const SearchedStep& b);

}  // namespace warpglass::ui
