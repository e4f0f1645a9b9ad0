#include "engine/query/completeness/completeness.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "engine/plan/flops.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/model/layers.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/model/roofline.h"
#include "engine/query/spans/work_times.h"
#include "engine/query/statistics/flame.h"
#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::unfinished_step_test {

using End = UnfinishedStep::End;

std::shared_ptr<const Snapshot> runThatEnded(std::string_view state, bool outOfMemory) {
    return traceOf(filled("step 0 10-60\ninfo state \"%\" steps.completed 0 %\nend 100", state,
                          outOfMemory ? "allocator.out_of_memory 1" : ""));
}

TEST(UnfinishedStep, SaysWhereARunEndedAndWhy) {
    const auto of = [](std::string_view state, bool outOfMemory = false) {
        const auto step = must(Completeness(*runThatEnded(state, outOfMemory)).unfinishedStep());
        EXPECT_EQ(step.step, 0);
        return step.end;
    };
    EXPECT_EQ(of(run_state::kFailed, true), End::kOutOfMemory);
    EXPECT_EQ(of(run_state::kFailed), End::kFailed);
    EXPECT_EQ(of(run_state::kStopped), End::kStopped);
    EXPECT_EQ(of(run_state::kRecording), End::kRuns);
    EXPECT_EQ(of(run_state::kCutOff), End::kCutOff);
    EXPECT_EQ(of(run_state::kFinished), End::kNotRead);
    EXPECT_EQ((UnfinishedStep{3, End::kCutOff}).inWords(), "step 3 until the recording was cut off");
    EXPECT_EQ((UnfinishedStep{3, End::kOutOfMemory}).inWords(), "step 3 until memory ran out");
    EXPECT_EQ((UnfinishedStep{3, End::kStopped}).reasonInWords(), "the run was stopped in step 3");
    EXPECT_EQ((UnfinishedStep{0, End::kRuns}).reasonInWords(), "step 0 still runs")
        << "a recording that goes on has no end";
    EXPECT_FALSE(Completeness(*traceOf()).unfinishedStep()) << "no step has begun";
}

TEST(UnfinishedStep, IsNoneWhereAStepWasCompleted) {
    EXPECT_FALSE(Completeness(*openSampleRun("small-bf16-flash")).unfinishedStep());
}

TEST(UnfinishedStep, OfTheSampleThatRanOutOfMemoryThereIsWorkToShow) {
    const auto opened = openSampleRun("large-fp32-out-of-memory");
    const Snapshot& run = *opened;
    const auto step = must(Completeness(run).unfinishedStep());
    EXPECT_EQ(step.inWords(), "step 0 until memory ran out");
    EXPECT_TRUE(workTimes(run).rows.empty());
    WorkScope scope;
    scope.filter.step = step.step;
    std::int64_t time = 0;
    for (const WorkRow& row : workTimes(run, scope).rows)
        time += row.time;
    EXPECT_GT(time, 0);
    EXPECT_EQ(timeFlame(run, scope, true).nodes.front().value, time);
    // A product that ran is known; what was never reached is not there.
    const auto points = roofline(run, scope);
    ASSERT_FALSE(points.empty());
    for (const RooflinePoint& point : points) {
        EXPECT_EQ(point.phase, PlanPhase::kForward) << point.name;
        ASSERT_TRUE(point.share()) << point.name;
        EXPECT_GT(*point.share(), 0.01) << point.name;
        EXPECT_LT(*point.share(), 1.2) << point.name;
    }
}

TEST(UnfinishedStep, OfTheSampleThatRanOutOfMemoryNoArithmeticIsCountedThatDidNotRun) {
    const auto run = openSampleRun("large-fp32-out-of-memory");
    WorkScope scope;
    scope.filter.step = Completeness(*run).unfinishedStep()->step;
    std::set<std::pair<Phase, std::string>> ran;  // with the module
    std::set<std::string> softmax;
    for (const WorkRow& work : workTimes(*run, scope).rows) {
        const Place place = run->place(work.place);
        ran.emplace(place.phase, run->name(place.module));
        if (run->name(place.part) == "softmax")
            softmax.emplace(run->name(place.module));
    }
    std::map<std::string, std::int64_t> byLayer;
    std::int64_t ofSoftmax = 0;
    for (const FlopsEntry& entry : countFlops(*configOfRun(*run)).entries) {
        if (!ran.contains({tracePhase(entry.phase), entry.module}))
            continue;
        EXPECT_EQ(entry.phase, PlanPhase::kForward) << entry.module;
        const std::size_t dot = entry.module.find('.');
        byLayer[dot == std::string::npos ? entry.module
                                         : entry.module.substr(0, entry.module.find('.', dot + 1))] +=
            entry.matmul.value + entry.elementwise.value;
        if (entry.part == "softmax" && softmax.contains(entry.module))
            ofSoftmax += entry.elementwise.value;
    }
    const Layers layers = layersOf(*run, {}, scope);
    EXPECT_TRUE(layers.unfinished);
    std::size_t counted = 0;
    for (const LayerRow& row : layers.rows) {
        EXPECT_EQ(row.flops().value, byLayer[row.name]) << row.name;
        EXPECT_EQ(row.backwardFlops.value, 0) << row.name;
        counted += row.flops().value > 0 ? 1 : 0;
    }
    EXPECT_GT(counted, 10u);
    EXPECT_LT(counted, 25u) << "of 36 blocks";

    const AttentionParts parts = attentionParts(*run, scope);
    EXPECT_TRUE(parts.unfinished);
    EXPECT_EQ(parts.blocks, std::ssize(softmax) + 1) << "memory ran out in the last one's";
    for (const AttentionPartRow& row : parts.rows) {
        if (row.part == AttentionPart::kSoftmax) {
            EXPECT_EQ(row.flops.value, ofSoftmax);
        }
    }
    EXPECT_GT(ofSoftmax, 0);
    EXPECT_THAT(parts.note, testing::Not(testing::HasSubstr("more FLOPs")));
    // All counts of a run whose steps were completed.
    EXPECT_FALSE(attentionParts(*openSampleRun("small-bf16-naive")).unfinished);
}

/// The CPU counts its steps under no module, and updates the modules one by one.
TEST(UnfinishedStep, OfTheCpusUpdatesThoseCountThatWereMade) {
    RunConfig config{
        .model = "small", .shape = *presetShape("small"), .device = "cpu", .warmup = 0, .steps = 2};
    const auto run = traceOf(R"(
        info state stopped steps.completed 1
        repeat 2 every 1000
          step 0 0-900 | in phase optimizer
            op aten::add_ 0-100
            op aten::_fused_adamw_ 200-300 module blocks.0.attn.q_proj
        op aten::_fused_adamw_ 400-500 step 0 phase optimizer module blocks.1.attn.q_proj
        end 2000
    )",
                             toPairs(config));
    std::int64_t planned = 0;
    for (const FlopsEntry& entry : countFlops(*configOfRun(*run)).entries) {
        if (entry.phase == PlanPhase::kOptimizer && entry.module == "blocks.0.attn.q_proj")
            planned += entry.matmul.value + entry.elementwise.value;
    }
    ASSERT_GT(planned, 0);
    WorkScope scope;
    scope.filter.step = 1;
    const Layers layers = layersOf(*run, {}, scope);
    EXPECT_TRUE(layers.unfinished);
    ASSERT_EQ(layers.rows.size(), 2u);
    EXPECT_EQ(layers.rows[0].name, "blocks.0");
    EXPECT_EQ(layers.rows[0].flops().value, planned);
    EXPECT_EQ(layers.rows[1].name, "rest");
    EXPECT_EQ(layers.rows[1].flops().value, 0);
}

TEST(UnfinishedStep, OfWhatRanOfAttentionTheOpsThatTheScopeNamesDoNoMore) {
    const auto run = openSampleRun("large-fp32-out-of-memory");
    WorkScope scope;
    scope.filter.step = Completeness(*run).unfinishedStep()->step;
    const AttentionParts all = attentionParts(*run, scope);
    // Memory ran out before the last block's softmax: its ops did not run in every block that has begun.
    std::set<std::string> ops;
    for (const WorkRow& work : workTimes(*run, scope).rows) {
        if (run->name(run->place(work.place).part) == "softmax" && work.op.valid())
            ops.emplace(run->name(work.op));
    }
    ASSERT_FALSE(ops.empty());
    const auto expectOfAll = [&](const WorkScope& some, bool same) {
        const AttentionParts parts = attentionParts(*run, some);
        EXPECT_EQ(parts.blocks, all.blocks);
        EXPECT_FALSE(parts.rows.empty());
        for (const AttentionPartRow& row : parts.rows) {
            const auto whole = std::ranges::find_if(all.rows, [&](const auto& other) {
                return other.phase == row.phase && other.part == row.part;
            });
            ASSERT_NE(whole, all.rows.end());
            EXPECT_LE(row.flops.value, whole->flops.value);
            EXPECT_LE(row.moved.value, whole->moved.value);
            EXPECT_TRUE(!same || (row.flopsKnown && row.flops == whole->flops));
        }
    };
    for (const std::string& op : ops) {
        SCOPED_TRACE(op);
        WorkScope named = scope, written = scope;
        named.filter.name = op;
        written.text = op;
        expectOfAll(named, false);
        expectOfAll(written, false);
    }
    WorkScope softmax = scope;
    softmax.text = "/softmax";  // all that runs in the part of that name
    expectOfAll(softmax, true);
}

}  // namespace warpglass::test::unfinished_step_test
