// Which regions of the address space never change, against looking at every allocation, and where the map has
// places beside them.
#include "ui/memory/place_folds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/query/spans/step_spans.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "ui/memory/allocation_geometry.h"

namespace warpglass::ui::place_folds_test {

struct PlaceFolds : testing::Test {
    PlaceFolds() {
        const std::vector<StepSpan> counted = averagedSteps(*run);
        steps = {counted.front().range.begin, counted.back().range.end};
        folds = constantFolds(map, steps);
    }
    bool isConstant(std::size_t row) const {
        return map.begin(row) <= steps.begin.value && map.end(row) >= steps.end.value;
    }
    MapViewport viewport(double low, double high) const {
        MapViewport view{run->range(), low, high, 800, 400};
        view.fold(folds);
        return view;
    }

    std::shared_ptr<const Snapshot> run = test::openSampleRun("xl-bf16-step");
    MemoryTimeline memory = test::timelineOf(run);
    AllocationMap map{memory};
    TimeRange steps;
    std::vector<PlaceFold> folds;
};

TEST_F(PlaceFolds, HoldNothingButWhatLivesThroughAllSteps) {
    ASSERT_FALSE(folds.empty());
    for (const PlaceFold& fold : folds) {
        AllocationMap::Sum sum;
        for (std::size_t row = 0; row < map.size(); ++row) {
            const auto place = static_cast<double>(map.place(row));
            const bool within = fold.from <= place && place < fold.to;
            if (!within || !isConstant(row) || map.category(row) != fold.category)
                continue;
            EXPECT_LE(map.begin(row), fold.lives.begin.value);
            EXPECT_GE(map.end(row), fold.lives.end.value);
            ++sum.count;
            sum.bytes += map.bytes(row);
        }
        EXPECT_EQ(sum, fold.sum);
        EXPECT_LE(static_cast<double>(sum.bytes), fold.to - fold.from);
        EXPECT_LE(fold.between(), kMostBetween * (fold.to - fold.from));
        EXPECT_GE(fold.to - fold.from, static_cast<double>(map.placeEnd()) / 30);
    }
    // Weights and the state of their optimizer are what a step leaves alone.
    for (const Category category : {Category::kWeights, Category::kOptimizerState})
        EXPECT_TRUE(std::ranges::any_of(folds, [&](const PlaceFold& fold) {
            return fold.category == category;
        })) << categoryName(category);
    for (std::size_t i = 1; i < folds.size(); ++i)
        EXPECT_GE(folds[i].from, folds[i - 1].to);
}

TEST_F(PlaceFolds, NothingIsConstantWithoutStepsOrPlaces) {
    EXPECT_TRUE(constantFolds(map, {}).empty());
    const MemoryTimeline onCpu = test::timelineOf(test::makeSyntheticRun());
    const AllocationMap stacked{onCpu};
    EXPECT_TRUE(constantFolds(stacked, {Nanoseconds(0), Nanoseconds(1'000'000'000)}).empty());
}

TEST_F(PlaceFolds, TakeALineOfTextEachAndTheRestTheHeight) {
    const auto end = static_cast<double>(map.placeEnd());
    const MapViewport view = viewport(0, end);
    ASSERT_EQ(view.folds.size(), folds.size());
    EXPECT_NEAR(view.yOf(end), 0, 1e-6);
    EXPECT_NEAR(view.yOf(0), view.height, 1e-6);
    for (const PlaceFold& fold : folds)
        EXPECT_NEAR(view.yOf(fold.from) - view.yOf(fold.to), kFoldHeight, 1e-6);
    double before = view.height + 1;
    for (double place = 0; place <= end; place += end / 997) {
        EXPECT_LT(view.yOf(place), before) << "higher places are higher up";
        before = view.yOf(place);
        EXPECT_NEAR(view.bytesAt(before), place, end * 1e-9);
    }
}

TEST_F(PlaceFolds, AreOpenWhereThereIsNothingElseOrNoRoom) {
    const PlaceFold& fold = folds.front();
    EXPECT_TRUE(viewport(fold.from, fold.to).folds.empty());
    MapViewport low{run->range(), 0, static_cast<double>(map.placeEnd()), 800, 1.2 * kFoldHeight};
    low.fold(folds);
    EXPECT_TRUE(low.folds.empty());
    EXPECT_NEAR(low.yOf(low.high / 4), low.height * 3 / 4, 1e-6);
}

TEST_F(PlaceFolds, WhatIsInThemIsNotDrawn) {
    const MapViewport folded = viewport(0, static_cast<double>(map.placeEnd()));
    MapViewport open = folded;
    open.fold({});
    // Well inside, and during the steps.
    const auto drawnIn = [&](const MapViewport& shown, const PlaceFold& fold) {
        const MapGeometry geometry = addressGeometry(map, shown);
        const double top = shown.yOf(fold.to) + kCell, bottom = shown.yOf(fold.from) - kCell;
        const double middle = shown.xOf((steps.begin.value + steps.end.value) / 2);
        const auto isInside = [&](const MapRect& rect) {
            return static_cast<double>(rect.top) >= top && static_cast<double>(rect.bottom) <= bottom &&
                   static_cast<double>(rect.left) <= middle && middle < static_cast<double>(rect.right);
        };
        return std::ranges::count_if(geometry.merged, isInside) +
               std::ranges::count_if(geometry.blocks, isInside);
    };
    for (const PlaceFold& fold : folds) {
        EXPECT_EQ(drawnIn(folded, fold), 0);
        EXPECT_GT(drawnIn(open, fold), 0);
    }
}

}  // namespace warpglass::ui::place_folds_test
