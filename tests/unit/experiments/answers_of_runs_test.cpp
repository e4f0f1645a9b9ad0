// What attention-parts, memory and kernels say of the runs that they open, against figures stated here.
#include <gmock/gmock.h>

#include "engine/experiments/catalog.h"
#include "engine/experiments/run_experiment.h"
#include "tests/unit/experiments/made_evidence.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::answers_of_runs_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ExperimentOptions onGpu(std::vector<SweepAxis> given) {
    return {.device = "cuda:0", .given = std::move(given)};
}

/// small, bf16, context 512, batch 4: a block's scores are 4 × 12 × 512² numbers; an H200 moves 4.8 TB/s.
struct AttentionPartsAnswer : ::testing::Test {
    AttentionPartsAnswer() {
        m_run.config.attention = AttentionVariant::kNaive;
        std::int64_t now = kMs;
        const auto add = [&](std::int64_t time, Phase phase, const char* part, const char* op) {
            m_run.kernels.push_back({.begin = now,
                                     .end = now + time,
                                     .phase = phase,
                                     .module = "blocks.0.attn",
                                     .part = part,
                                     .op = op});
            now += time;
        };
        add(1200 * kUs, Phase::kForward, "scores", "aten::bmm");
        add(157'286, Phase::kForward, "softmax", "aten::_softmax");
        add(600 * kUs, Phase::kForward, "values", "aten::bmm");
        add(2400 * kUs, Phase::kBackward, "scores", "aten::bmm");
        add(1000 * kUs, Phase::kBackward, "softmax", "aten::_softmax_backward_data");
        add(1200 * kUs, Phase::kBackward, "values", "aten::bmm");
    }

    ExperimentResult result() const {
        MadeEvidence evidence(experiment::kAttentionParts, onGpu({}));
        evidence.everyRun = m_run.snapshot();
        return evaluated(experiment::kAttentionParts, evidence);
    }

    RunByHand m_run;
};

TEST_F(AttentionPartsAnswer, SetsOperationsBesideTimeInABlock) {
    // 2 × 4 × 512² × 768 operations of scores, 7 for each of 4 × 12 × 512² of softmax.
    EXPECT_THAT(result().answers,
                Contains("In a block's forward pass scores take 100\u202fµs, softmax 13.1\u202fµs and values "
                         "50.0\u202fµs: scores have 18.3× the FLOPs of softmax and take 7.63× its time."));
}

TEST_F(AttentionPartsAnswer, SaysThatSoftmaxIsBoundByMemoryOnlyWhereItIs) {
    // 4 × 12 × 512² × 2 bytes read and as many written; backward two are read and one is written.
    const ExperimentResult said = result();
    EXPECT_THAT(
        said.answers,
        Contains("Softmax's forward pass moves at least 48.0\u202fMiB in a block, at 3.84\u202fTB/s, 80% of "
                 "the bandwidth of the device's memory: that, and not its arithmetic, is what its "
                 "time goes to."));
    EXPECT_THAT(
        said.answers,
        Contains("Softmax's backward pass moves at least 72.0\u202fMiB in a block, at 906\u202fGB/s, 19% of "
                 "the bandwidth of the device's memory."));
}

TEST_F(AttentionPartsAnswer, PutsEveryPartOnTheRooflineByName) {
    const ExperimentResult said = result();
    ASSERT_EQ(said.charts.size(), 2u);
    std::vector<std::string> names;
    for (const ChartSeries& series : said.charts[1].series)
        names.push_back(series.name);
    EXPECT_THAT(names, ElementsAre("scores, forward", "softmax, forward", "values, forward",
                                   "scores, backward", "softmax, backward", "values, backward", "roof"));
    ASSERT_EQ(said.charts[1].series[1].points.size(), 1u);
    const ChartPoint& softmax = said.charts[1].series[1].points.at(0);
    EXPECT_DOUBLE_EQ(softmax.x, 7.0 / 4);  // 7 operations, 4 bytes
    EXPECT_NEAR(softmax.y, 7.0 * 12 * 4 * 12 * 512 * 512 / 157'286e-9, 1e6);
}

TEST_F(AttentionPartsAnswer, DoesNotSpeakOfTheMemoryOfADeviceThatIsNotKnown) {
    m_run.info = {{"device.name", "A GPU of tomorrow"}};
    const ExperimentResult said = result();
    EXPECT_THAT(said.answers, Contains("Softmax's forward pass moves at least 48.0\u202fMiB in a block, at "
                                       "3.84\u202fTB/s."));
    EXPECT_THAT(said.answers, Not(Contains(HasSubstr("bandwidth"))));
}

struct MemoryAnswer : ::testing::Test {
    static constexpr std::int64_t kStream = std::int64_t{4} * 512 * 768 * 4;

    MemoryAnswer() {
        m_run.config.precision = Precision::kFp32;
        m_run.fillStep();
        const auto add = [&](std::int64_t bytes, Category category, const char* module, const char* op,
                             std::int64_t count) {
            m_run.allocations.push_back({.from = 110 * kMs,
                                         .to = 190 * kMs,
                                         .bytes = bytes,
                                         .category = category,
                                         .module = module,
                                         .op = op,
                                         .count = count});
        };
        add(kStream, Category::kActivations, "blocks.0.attn", "aten::mm", 3);
        add(kStream, Category::kActivations, "blocks.0.ffn", "aten::mm", 2);
        add(kStream, Category::kGradients, "blocks.0.ffn", "aten::mm", 1);          // no activation
        add(kStream + 512, Category::kActivations, "blocks.1.ffn", "aten::mm", 1);  // of another size
        add(64 << 20, Category::kActivations, "blocks.0.attn", "aten::_softmax", 1);
    }

    ExperimentResult result() const {
        MadeEvidence evidence(
            experiment::kMemory, onGpu({{"model", {"small"}}, {"context", {"512"}}, {"precision", {"fp32"}}}),
            [](const MadeEvidence::Values& values) {
                return MadeEvidence::Figures{
                    {"peak_bytes", values.at("mode") == "step" ? 2147483648.0 : 1073741824.0}};
            });
        evidence.everyRun = m_run.snapshot();
        return evaluated(experiment::kMemory, evidence);
    }

    RunByHand m_run;
};

TEST_F(MemoryAnswer, TellsPeaksAndWhatIsLargestAtThem) {
    const ExperimentResult said = result();
    EXPECT_THAT(said.answers,
                Contains("Peak memory in fp32: 1.00\u202fGiB forward only and 2.00\u202fGiB in a "
                         "step at context 512."));
    // Seven tensors of 6 MiB, 512 bytes more, and 64 MiB.
    EXPECT_THAT(
        said.answers,
        Contains("The memory of a step at context 512 in fp32 peaks at 106\u202fMiB, in its forward pass."));
    EXPECT_THAT(said.answers,
                Contains("The largest allocation live then is 64.0\u202fMiB of activations, made by "
                         "aten::_softmax in blocks.0.attn (forward)."));
}

TEST_F(MemoryAnswer, CountsTheTensorsOfTheResidualStream) {
    EXPECT_THAT(
        result().answers,
        Contains(AllOf(HasSubstr("4 × 512 × 768 × 4 = 6,291,456 bytes (6.00\u202fMiB)"),
                       HasSubstr("made 5 activations of exactly this size in its 3 steps, in 2 modules."))));
}

TEST(KernelsAnswer, AKernelHasOneNameInAllModes) {
    RunByHand run;
    run.kernels = {{.begin = kMs,
                    .end = 40 * kMs,
                    .op = "aten::add",
                    .name = "vectorized_elementwise_kernel",
                    .arguments = "4, at::native::CUDAFunctor_add<float>"},
                   // The same template does other work, but not in the forward phase.
                   {.begin = 50 * kMs,
                    .end = 60 * kMs,
                    .phase = Phase::kBackward,
                    .op = "aten::fill_",
                    .name = "vectorized_elementwise_kernel",
                    .arguments = "4, at::native::FillFunctor<float>"}};
    MadeEvidence evidence(experiment::kKernels, onGpu({}));
    evidence.everyRun = run.snapshot();
    const ExperimentResult said = evaluated(experiment::kKernels, evidence);
    EXPECT_THAT(said.answers,
                Contains("In the forward phase of a training step the kernel that takes the most time is the "
                         "same as in inference."));
    for (const ReportTable& table : said.tables) {
        if (table.key == "top-forward" || table.key == "top-step-forward") {
            EXPECT_EQ(table.rows.at(0).back(), Cell("vectorized_elementwise_kernel, elementwise · add fp32"))
                << table.key;
        }
    }
}

}  // namespace warpglass::test::answers_of_runs_test
