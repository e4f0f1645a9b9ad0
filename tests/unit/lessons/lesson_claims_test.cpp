// What the lessons that come with Warpglass say in words, recounted in the samples: figures in braces follow
// a sample that is recorded anew, words do not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/lessons/lesson_figures.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/spans/step_selection.h"
#include "engine/query/statistics/statistics.h"
#include "tests/support/sample_run.h"

namespace warpglass::test::lesson_claims_test {

struct Sample {
    explicit Sample(const std::string& name) : run(openSampleRun(name)), figures(lessonFigures(run)) {}
    double of(const std::string& key) const { return figures.at(key); }

    std::shared_ptr<const Snapshot> run;
    LessonFigures figures;
};

TEST(LessonClaims, WhatATrainingStepIs) {
    const Sample run("small-bf16-naive");
    EXPECT_EQ(completeSteps(*run.run).count, 4);
    EXPECT_EQ(warmupSteps(*run.run), 1);
    EXPECT_NEAR(run.of("forward_mean_ns") / run.of("step_mean_ns"), 1.0 / 3, 0.08) << "about a third";
    EXPECT_GT(run.of("backward_mean_ns"), run.of("forward_mean_ns"));
    EXPECT_LT(run.of("optimizer_mean_ns"), run.of("forward_mean_ns"));
}

TEST(LessonClaims, WhyTheFirstStepIsSlow) {
    const Sample run("small-no-warmup"), warm("small-bf16-flash");
    const double mean = run.of("step_mean_ns");
    for (const char* step : {"step_1_ns", "step_2_ns", "step_3_ns"})
        EXPECT_LT(run.of(step), mean / 2) << step;
    EXPECT_GT(run.of("step_stddev_ns"), 0.9 * mean);
    const auto lost = [&run](const std::string& phase) {
        return run.of(phase + "_max_ns") - run.of(phase + "_median_ns");
    };
    for (const char* other : {"loss", "backward", "optimizer"})
        EXPECT_GT(lost("forward"), lost(other)) << other;
    const auto ops = opStatistics(*run.run, {});
    const auto mm = std::ranges::find_if(ops, [](const auto& row) { return row.name == "aten::mm"; });
    ASSERT_NE(mm, ops.end());
    EXPECT_GT(static_cast<double>(mm->max.value), 1000 * mm->median);
    EXPECT_LT(warm.of("step_mean_ns"), mean);
}

TEST(LessonClaims, WhereTheTimeGoes) {
    const Sample fp32("small-fp32-naive"), bf16("small-bf16-naive"), longer("small-8192-naive");
    SpanFilter measured{.measuredOnly = true};
    const auto first = kernelStatistics(*fp32.run, measured), later = kernelStatistics(*bf16.run, measured);
    ASSERT_GE(std::min(first.size(), later.size()), 4u);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(first[i].family, OpFamily::kMatmul) << first[i].name;
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(later[i].family, OpFamily::kCopy) << later[i].name;
    for (const AttentionPartRow& row : attentionParts(*bf16.run).rows) {
        if (row.phase == PlanPhase::kForward) {
            EXPECT_LE(row.time, bf16.of("attention_forward_softmax_ns")) << "the largest share";
        }
    }
    const auto rate = [&bf16](const std::string& part) {
        return bf16.of("attention_forward_" + part + "_flops") / bf16.of("attention_forward_" + part + "_ns");
    };
    EXPECT_GT(rate("q_k_v_projections"), 100 * rate("softmax"));
    EXPECT_GT(longer.of("attention_forward_softmax_ns"),
              attentionParts(*longer.run).time(PlanPhase::kForward) / 2);
}

TEST(LessonClaims, WhatMixedPrecisionChanges) {
    const Sample fp32("small-fp32-naive"), bf16("small-bf16-naive"), eager("small-bf16-flash"),
        graph("small-bf16-graph");
    EXPECT_GT(fp32.of("gpu_matmul_ns") / bf16.of("gpu_matmul_ns"),
              3 * fp32.of("step_mean_ns") / bf16.of("step_mean_ns"))
        << "by far more";
    EXPECT_GT(bf16.of("gpu_late_ns"), bf16.of("gpu_wall_ns") / 2) << "most of the time";
    EXPECT_NEAR(bf16.of("peak_weights_bytes") / bf16.of("parameters"), 4, 0.1);
    EXPECT_NEAR(bf16.of("peak_bytes") / fp32.of("peak_bytes"), 1, 0.1) << "hardly less";
    EXPECT_LT(graph.of("step_mean_ns"), eager.of("step_mean_ns"));
}

TEST(LessonClaims, WhereTheMemoryGoes) {
    const Sample run("xl-bf16-step");
    const double optimizer = run.of("peak_optimizer_bytes"), activations = run.of("peak_activations_bytes"),
                 weights = run.of("peak_weights_bytes"), copies = run.of("peak_weight_copies_bytes");
    EXPECT_GT(optimizer + activations + weights, 0.85 * run.of("peak_bytes")) << "most";
    EXPECT_GT(optimizer + activations + weights + copies, 0.95 * run.of("peak_bytes"));
    EXPECT_NEAR(copies / weights, 0.5, 0.02) << "of nearly all weights, in half the bits";
    EXPECT_GT(optimizer, activations) << "the largest rectangle";
    EXPECT_NEAR(optimizer / (optimizer + weights), 2.0 / 3, 0.02) << "two thirds";
}

TEST(LessonClaims, WhyFlashAttentionExists) {
    const Sample naive("small-8192-naive"), flash("small-8192-flash");
    const double three = naive.of("attention_forward_scores_ns") + naive.of("attention_forward_softmax_ns") +
                         naive.of("attention_forward_values_ns");
    EXPECT_GT(three, 0.9 * attentionParts(*naive.run).time(PlanPhase::kForward)) << "nearly all";
    for (const PlanPhase phase : {PlanPhase::kForward, PlanPhase::kBackward}) {
        const std::string key = std::string("attention_") +
                                (phase == PlanPhase::kForward ? "forward" : "backward") +
                                "_fused_attention_ns";
        EXPECT_GT(flash.of(key), attentionParts(*flash.run).time(phase) / 2);
    }
    EXPECT_FALSE(flash.figures.contains("attention_forward_softmax_ns"));
    EXPECT_LT(flash.of("peak_bytes"), naive.of("peak_bytes") / 2);
    std::int64_t forward = 0;
    SpanFilter measured{.measuredOnly = true};
    for (const StatisticsRow& row : kernelStatistics(*flash.run, measured))
        forward += row.name.find("flashForward") != std::string::npos ? row.instances : 0;
    EXPECT_EQ(forward, stepsToAverage(*flash.run).count * std::llround(flash.of("layers")));
}

}  // namespace warpglass::test::lesson_claims_test
