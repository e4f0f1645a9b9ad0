// Landmarks against a plain search through all spans of random runs, and from one precision to another in
// runs recorded on a GPU.
#include "engine/query/compare/landmark.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::landmark_test {

Landmark module(Phase phase, const std::string& path) {
    return {.kind = Landmark::Kind::kModule, .phase = phase, .module = path};
}

bool isLike(const Landmark& landmark, const NaiveSpan& span) {
    switch (landmark.kind) {
        case Landmark::Kind::kPhase:
            return span.kind == TrackKind::kPhase && span.name == phaseName(landmark.phase);
        case Landmark::Kind::kModule:
            return span.kind == TrackKind::kModule && span.name == landmark.module &&
                   !span.place.part.valid() && span.place.phase == landmark.phase;
        default:
            return span.kind == TrackKind::kCpuThread && span.name == landmark.op &&
                   span.place.phase == landmark.phase && span.module == landmark.module;
    }
}

/// The starts of the spans that are so, in order of time.
std::vector<std::int64_t> startsOf(const std::vector<NaiveSpan>& spans, std::int32_t step,
                                   const Landmark& landmark) {
    std::vector<std::int64_t> starts;
    for (const NaiveSpan& span : spans) {
        if (span.row.step == step && isLike(landmark, span))
            starts.push_back(span.row.start);
    }
    std::ranges::sort(starts);
    return starts;
}

TEST(Landmark, IsFoundWhereAPlainSearchFindsIt) {
    for (const std::uint64_t seed : {3u, 4u}) {
        const RandomRun random({.seed = seed});
        const Snapshot& run = *random.snapshot();
        const std::vector<NaiveSpan> spans = allSpans(run);
        for (const StepSpan& step : endedSteps(run)) {
            const std::vector<Landmark> landmarks = landmarksOf(run, step);
            ASSERT_GT(landmarks.size(), 10u);
            EXPECT_EQ(findLandmark(run, step, landmarks[0])->range, step.range);
            for (std::size_t i = 1; i < landmarks.size(); ++i) {
                const auto found = findLandmark(run, step, landmarks[i]);
                ASSERT_TRUE(found) << landmarks[i].text();
                const auto starts = startsOf(spans, step.step, landmarks[i]);
                ASSERT_FALSE(starts.empty()) << landmarks[i].text();
                EXPECT_EQ(found->range.begin.value, starts.front()) << landmarks[i].text();
            }
            EXPECT_FALSE(findLandmark(run, step, module(Phase::kForward, "no.such")));
        }
    }
}

TEST(Landmark, OfASpanLeadsBackToIt) {
    const RandomRun random({.seed = 9});
    const Snapshot& run = *random.snapshot();
    int checked = 0;
    for (std::size_t l = 0; l < run.laneCount(); ++l) {
        const SpanLane lane = run.lane(LaneId(l));
        for (std::uint64_t row = 0; row < lane.rows(); row += 7) {
            const auto landmark = landmarkAt(run, {lane.id(), row});
            if (!landmark || landmark->kind == Landmark::Kind::kStep)
                continue;
            const std::int32_t number = lane.row(row)->step;
            for (const StepSpan& step : endedSteps(run)) {
                if (step.step != number)
                    continue;
                const auto found = must(findLandmark(run, step, *landmark));
                ASSERT_TRUE(found.span) << landmark->text();
                EXPECT_EQ(*found.span, (SpanRef{lane.id(), row})) << landmark->text();
                ++checked;
            }
        }
    }
    EXPECT_GT(checked, 100);
}

struct LandmarkOfSamples : testing::Test {
    void SetUp() override {
        a = openSampleRun("small-fp32-naive");
        b = openSampleRun("small-bf16-naive");
    }
    std::shared_ptr<const Snapshot> a, b;
};

TEST_F(LandmarkOfSamples, ListsPhasesAndModulesOfBothClocks) {
    std::vector<std::string> texts;
    for (const Landmark& landmark : landmarksOf(*a, averagedSteps(*a).front()))
        texts.push_back(landmark.text());
    EXPECT_THAT(
        texts, testing::IsSupersetOf({"step start", "forward", "backward", "optimizer", "backward on the GPU",
                                      "blocks.3.attn, forward", "blocks.3.attn, backward",
                                      "blocks.3.attn, forward on the GPU"}));
    EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size()) << "each once";
}

TEST_F(LandmarkOfSamples, KernelsStandForWhatTheSameOpLaunchedThere) {
    // A product of a block's attention, whatever its kernel is called in the other precision.
    const StepSpan stepA = averagedSteps(*a).front(), stepB = averagedSteps(*b).front();
    Landmark product{.kind = Landmark::Kind::kKernel,
                     .phase = Phase::kForward,
                     .module = "blocks.3.attn.q_proj",
                     .op = "aten::mm"};
    const auto inA = must(findLandmark(*a, stepA, product)), inB = must(findLandmark(*b, stepB, product));
    ASSERT_TRUE(inA.span && inB.span);
    const auto nameOf = [](const Snapshot& run, SpanRef span) {
        return std::string(run.name(run.lane(span.lane).row(span.row)->name));
    };
    EXPECT_NE(nameOf(*a, *inA.span), nameOf(*b, *inB.span));
    const auto landmark = must(landmarkAt(*a, *inA.span));
    EXPECT_EQ(landmark.nth, 0u);
    EXPECT_EQ(findLandmark(*b, stepB, landmark)->span, inB.span);
}

TEST_F(LandmarkOfSamples, TheCostOfASearchIsKnownBefore) {
    for (const StepSpan& step : endedSteps(*a)) {
        std::uint64_t most = 0, within = 0;
        for (const NaiveSpan& span : allSpans(*a)) {
            const bool searched = span.kind == TrackKind::kModule || span.kind == TrackKind::kCpuThread ||
                                  span.kind == TrackKind::kApiThread || span.kind == TrackKind::kGpuStream ||
                                  span.kind == TrackKind::kGpuCopies;
            const std::int64_t behind = span.row.start - step.range.begin.value;
            most += searched && behind >= 0 && behind < 2 * step.range.duration().value;
            within += searched && behind >= 0 && behind < step.range.duration().value;
        }
        EXPECT_EQ(spansToSearch(*a, step), most);
        EXPECT_GE(spansToSearch(*a, step), within);
        EXPECT_GT(within, 1000u);
    }
}

TEST_F(LandmarkOfSamples, AModulesWorkOnTheGpuEndsWithItsLastKernel) {
    const StepSpan step = averagedSteps(*a).front();
    Landmark block = module(Phase::kForward, "blocks.3");
    block.onGpu = true;
    const auto found = must(findLandmark(*a, step, block));
    std::int64_t first = INT64_MAX, last = 0;
    for (const NaiveSpan& span : allSpans(*a)) {
        const bool onGpu = span.kind == TrackKind::kGpuStream || span.kind == TrackKind::kGpuCopies;
        const bool within = span.module == "blocks.3" || span.module.starts_with("blocks.3.");
        if (!onGpu || !within || span.row.step != step.step || span.place.phase != Phase::kForward)
            continue;
        first = std::min(first, span.row.start);
        last = std::max(last, span.row.start + span.row.duration);
    }
    EXPECT_EQ(found.range.begin.value, first);
    EXPECT_EQ(found.range.end.value, last);
}

/// Every product of fp32 has its counterpart in bf16, of the same call in the same place: cuBLAS splits some
/// of fp32's in two kernels, and those of bf16 are one.
TEST_F(LandmarkOfSamples, EveryProductHasItsCounterpartInTheOtherPrecision) {
    const StepSpan stepA = averagedSteps(*a).front(), stepB = averagedSteps(*b).front();
    std::size_t products = 0, reductions = 0;
    std::optional<SpanRef> before;
    for (const TrackId track : a->tracksOfKind(TrackKind::kGpuStream)) {
        for (const SpanLane& lane : a->lanesOf(track)) {
            for (std::uint64_t i = lane.firstStartingAt(stepA.range.begin); i < lane.rows(); ++i) {
                const auto row = lane.row(i);
                const auto detail = row ? a->detail(row->detail) : std::nullopt;
                if (!detail || row->step != stepA.step || a->name(detail->op) != "aten::mm")
                    continue;
                const auto landmark = must(landmarkAt(*a, {lane.id(), i}));
                EXPECT_EQ(findLandmark(*a, stepA, landmark)->span, (SpanRef{lane.id(), i}));
                const auto found = findLandmark(*b, stepB, landmark);
                ASSERT_TRUE(found && found->span) << landmark.text() << " " << landmark.nth;
                ++products;
                // The second half of a product is the same product's.
                if (a->name(row->name) == "splitKreduce_kernel") {
                    ++reductions;
                    EXPECT_EQ(found->span, before) << landmark.text();
                } else {
                    EXPECT_NE(found->span, before) << landmark.text();
                }
                before = found->span;
            }
        }
    }
    EXPECT_EQ(products, 303u);
    EXPECT_GE(reductions, 24u);
}

/// Nobody knows which call of which op launched what in a graph: then the order counts.
TEST_F(LandmarkOfSamples, AGraphsKernelsHaveTheirCounterpartsInOrder) {
    const auto graph = openSampleRun("small-bf16-graph");
    const Snapshot& run = *graph;
    const StepSpan stepA = averagedSteps(run).front(), stepB = averagedSteps(*b).front();
    std::set<std::pair<std::uint32_t, std::uint64_t>> met;
    std::size_t kernels = 0;
    for (const NaiveSpan& span : allSpans(run)) {
        const auto detail = run.detail(span.row.detail);
        if (span.kind != TrackKind::kGpuStream || span.row.step != stepA.step || !detail ||
            run.name(detail->op).find("attention") != std::string_view::npos)
            continue;
        for (std::size_t l = 0; l < run.laneCount(); ++l) {
            const SpanLane lane = run.lane(LaneId(l));
            const std::uint64_t row = lane.firstStartingAt(Nanoseconds(span.row.start));
            if (lane.track() != span.track || row >= lane.rows() || lane.row(row) != span.row)
                continue;
            const auto landmark = must(landmarkAt(run, {lane.id(), row}));
            EXPECT_FALSE(landmark.call);
            const auto found = findLandmark(*b, stepB, landmark);
            ASSERT_TRUE(found && found->span) << landmark.text() << " " << landmark.nth;
            EXPECT_TRUE(met.emplace(found->span->lane.value, found->span->row).second)
                << landmark.text() << " is one of its own";
            ++kernels;
        }
    }
    EXPECT_GT(kernels, 900u);
}

TEST_F(LandmarkOfSamples, WhatIsAddedAnewThereIsAddedInPlaceHere) {
    // fp32 sums a gradient's two parts into a third, bf16 into the first.
    const StepSpan stepA = averagedSteps(*a).front(), stepB = averagedSteps(*b).front();
    for (const auto& [run, step, op] :
         {std::tuple{a.get(), &stepA, "aten::add_"}, {b.get(), &stepB, "aten::add"}}) {
        Landmark sum{.kind = Landmark::Kind::kKernel,
                     .phase = Phase::kBackward,
                     .module = "blocks.5.ffn.w1",
                     .op = op};
        const auto found = findLandmark(*run, *step, sum);
        ASSERT_TRUE(found && found->span) << op;
        const auto row = run->lane(found->span->lane).row(found->span->row);
        EXPECT_NE(run->name(run->detail(row->detail)->op), op);
        sum.nth = 1;
        EXPECT_FALSE(findLandmark(*run, *step, sum)) << "there is one";
    }
}

}  // namespace warpglass::test::landmark_test
