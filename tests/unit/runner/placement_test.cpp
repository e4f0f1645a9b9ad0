// Where everything happened: steps, phases, modules and parts of ops, forward and backward.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/plan/parameters.h"
#include "tests/support/implementations.h"
#include "tests/unit/runner/runner_test_support.h"

namespace warpglass::test::placement_test {

using ::testing::IsSupersetOf;

/// A run of each attention variant, looked through.
struct Placement : testing::TestWithParam<AttentionVariant> {
    Placement() {
        config.attention = GetParam();
        run = record(config);
        ops = spansOf(*run.trace, TrackKind::kCpuThread);
        modules = spansOf(*run.trace, TrackKind::kModule);
    }

    RunConfig config = smallestConfig();
    RecordedRun run;
    std::vector<NamedSpan> ops, modules;
};
INSTANTIATE_TEST_SUITE_P(Attention, Placement, testing::ValuesIn(attentionsFor(smallestConfig())),
                         attentionNameOf);

bool isMatrixProduct(const std::string& name) {
    return name == "aten::mm" || name == "aten::bmm";
}

TEST_P(Placement, MatrixProductsBelongToTheirModules) {
    std::map<std::string, int> forward, backward;  // products by module, in one step
    for (const NamedSpan& op : ops) {
        if (op.step != 1 || op.name != "aten::mm")
            continue;
        EXPECT_TRUE(op.phase == Phase::kForward || op.phase == Phase::kBackward);
        ++(op.phase == Phase::kForward ? forward : backward)[op.module];
    }
    // One product forward, and two backward (of the input and of the weight), for every linear layer.
    std::map<std::string, int> one, two;
    for (const ParameterTensor& parameter : parameterTensors(config.shape)) {
        if (parameter.columns > 1 && parameter.module != "token_embeddings") {
            one[parameter.module] = 1;
            two[parameter.module] = 2;
        }
    }
    EXPECT_EQ(forward, one);
    EXPECT_EQ(backward, two);
}

TEST_P(Placement, OnlyTheLossHasNoModuleInTheBackwardPass) {
    std::set<std::string> withoutModule;
    for (const NamedSpan& op : ops) {
        if (op.phase == Phase::kBackward && op.module.empty() && op.depth == 0)
            withoutModule.insert(op.name);
    }
    // The first gradient is made by autograd itself.
    const std::set<std::string> ofTheLoss = {"aten::ones_like", "NllLossBackward0", "LogSoftmaxBackward0",
                                             "ViewBackward0", "ToCopyBackward0"};
    for (const std::string& name : withoutModule)
        EXPECT_TRUE(ofTheLoss.count(name)) << name;
    for (const NamedSpan& op : ops) {
        EXPECT_FALSE(op.phase == Phase::kBackward && isMatrixProduct(op.name) && op.module.empty())
            << op.name << " at " << op.start;
    }
}

TEST_P(Placement, EveryModuleHasARangeInEveryPhaseThatUsesIt) {
    std::map<Phase, std::set<std::string>> seen;
    for (const NamedSpan& range : modules) {
        if (range.step == 1)
            seen[range.phase].insert(range.module);
    }
    std::set<std::string> expected = {"blocks.0", "blocks.0.attn", "blocks.0.ffn",
                                      "blocks.1", "blocks.1.attn", "blocks.1.ffn"};
    for (const ParameterTensor& parameter : parameterTensors(config.shape))
        expected.insert(parameter.module);
    EXPECT_EQ(seen[Phase::kForward], expected);
    EXPECT_EQ(seen[Phase::kBackward], expected);
    EXPECT_EQ(seen[Phase::kOptimizer], expected);
    EXPECT_EQ(seen.size(), 3u);
}

TEST_P(Placement, ModulesNestByTheirPaths) {
    for (const NamedSpan& range : modules) {
        if (!range.part.empty()) {
            EXPECT_EQ(range.name, range.part);
            EXPECT_EQ(range.depth, 2u);
            continue;
        }
        EXPECT_EQ(range.name, range.module);
        const auto dots = static_cast<std::uint32_t>(std::ranges::count(range.name, '.'));
        EXPECT_EQ(range.depth, range.name.starts_with("blocks.") ? dots - 1 : 0) << range.name;
    }
}

TEST_P(Placement, PartsAreThoseOfNaiveAttention) {
    std::set<std::string> parts;
    for (const NamedSpan& op : ops) {
        if (!op.part.empty() && op.step == 1) {
            parts.insert(std::string(phaseName(op.phase)) + " " + op.part);
            EXPECT_TRUE(op.module == "blocks.0.attn" || op.module == "blocks.1.attn") << op.module;
        }
    }
    const std::set<std::string> naive = {"forward scores",  "forward softmax",  "forward values",
                                         "backward scores", "backward softmax", "backward values"};
    const bool hasRanges = attentionPlan(config).record == AttentionRecord::kRanges;
    EXPECT_EQ(parts, hasRanges ? naive : std::set<std::string>());
}

TEST_P(Placement, TheNextForwardAndBackwardOpsShareALink) {
    std::map<std::uint64_t, std::string> forward;  // module of the last op with a link, in step 1
    int found = 0;
    std::vector<NamedSpan> inOrder = ops;
    std::ranges::stable_sort(inOrder, [](const auto& a, const auto& b) { return a.start < b.start; });
    for (const NamedSpan& op : inOrder) {
        if (op.step != 1 || op.link == 0)
            continue;
        if (op.phase == Phase::kForward) {
            forward[op.link] = op.module;
        } else if (op.phase == Phase::kBackward && forward.count(op.link)) {
            EXPECT_EQ(op.module, forward[op.link]) << op.name;
            ++found;
        }
    }
    EXPECT_GT(found, 50);
}

TEST_P(Placement, SpansNestAndNeverOverlap) {
    EXPECT_EQ(lossText(*run.trace), "");
    for (TrackKind kind : {TrackKind::kStep, TrackKind::kPhase, TrackKind::kModule, TrackKind::kCpuThread}) {
        for (TrackId track : run.trace->tracksOfKind(kind)) {
            const auto lanes = run.trace->lanesOf(track);
            for (std::size_t d = 0; d < lanes.size(); ++d) {
                std::int64_t lastEnd = 0;
                std::uint64_t outer = 0;
                for (std::uint64_t i = 0; i < lanes[d].rows(); ++i) {
                    const SpanRow row = *lanes[d].row(i);
                    ASSERT_GE(row.start, lastEnd);
                    ASSERT_GE(row.duration, 0);
                    ASSERT_LE(row.self, row.duration);
                    lastEnd = row.end();
                    if (d == 0)
                        continue;
                    while (outer < lanes[d - 1].rows() && lanes[d - 1].row(outer)->end() < row.end())
                        ++outer;
                    ASSERT_LT(outer, lanes[d - 1].rows());
                    ASSERT_LE(lanes[d - 1].row(outer)->start, row.start);
                }
            }
        }
    }
}

/// Every span of `inner` lies in one of `outer` with the same step (and phase, when `samePhase`).
void expectInside(const std::vector<NamedSpan>& inner, const std::vector<NamedSpan>& outer, bool samePhase) {
    for (const NamedSpan& span : inner) {
        const auto holder = std::ranges::find_if(
            outer, [&](const NamedSpan& o) { return o.start <= span.start && span.end <= o.end; });
        ASSERT_NE(holder, outer.end()) << span.name << " at " << span.start;
        EXPECT_EQ(holder->step, span.step) << span.name;
        EXPECT_TRUE(!samePhase || holder->phase == span.phase) << span.name;
    }
}

TEST_P(Placement, StepsHoldPhasesHoldModulesHoldOps) {
    const auto steps = spansOf(*run.trace, TrackKind::kStep);
    const auto phases = spansOf(*run.trace, TrackKind::kPhase);
    ASSERT_EQ(steps.size(), 3u);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].name, "step " + std::to_string(i));
        EXPECT_EQ(steps[i].step, static_cast<std::int32_t>(i));
    }
    std::vector<NamedSpan> inSteps;
    std::copy_if(phases.begin(), phases.end(), std::back_inserter(inSteps),
                 [](const NamedSpan& p) { return p.step != kNoStep; });
    expectInside(inSteps, steps, false);
    expectInside(modules, phases, true);
    std::vector<NamedSpan> outermost;
    std::copy_if(ops.begin(), ops.end(), std::back_inserter(outermost),
                 [](const NamedSpan& op) { return op.depth == 0; });
    expectInside(outermost, phases, true);
}

TEST_P(Placement, OpsRunOnTheModelsThread) {
    std::set<std::string> names;
    for (const NamedSpan& op : ops) {
        names.insert(op.name);
        // On the CPU the backward pass runs on the thread that asked for it.
        EXPECT_EQ(op.track, "main");
    }
    EXPECT_THAT(names, IsSupersetOf({"aten::linear", "aten::embedding", "aten::_fused_adamw_",
                                     "aten::rms_norm", "aten::cross_entropy_loss", "EmbeddingBackward0"}));
    for (const std::string& name : names)
        EXPECT_THAT(name, testing::Not(testing::StartsWith("autograd::engine")));
}

// LibTorch's flash attention makes tensors inside its parallel loops.
TEST(HelperThreads, WorkForTheOpThatWaitsForThem) {
    runner();
    useThreads(2);
    RunConfig config = smallestConfig();
    config.attention = AttentionVariant::kSdpaFlash;
    config.warmup = 0;
    config.steps = 1;
    const RecordedRun run = record(config);
    useThreads(1);
    EXPECT_EQ(lossText(*run.trace), "");
    bool helped = false;
    for (const NamedSpan& op : spansOf(*run.trace, TrackKind::kCpuThread)) {
        if (op.track == "main")
            continue;
        helped = true;
        EXPECT_TRUE(op.module == "blocks.0.attn" || op.module == "blocks.1.attn")
            << op.name << " " << op.module;
    }
    EXPECT_TRUE(helped);
}

TEST_P(Placement, ASecondRunIsRecordedTheSame) {
    const auto key = [](const NamedSpan& s) {
        return s.track + "|" + s.name + "|" + s.module + "|" + s.part + "|" +
               std::string(phaseName(s.phase)) + "|" + std::to_string(s.step) + "|" + std::to_string(s.depth);
    };
    const auto again = spansOf(*record(config).trace, TrackKind::kCpuThread);
    // The ops of the model's thread come first; how much its helpers do may differ.
    for (std::size_t i = 0; i < ops.size() && ops[i].track == "main"; ++i) {
        ASSERT_LT(i, again.size());
        ASSERT_EQ(key(again[i]), key(ops[i])) << "op " << i;
    }
}

}  // namespace warpglass::test::placement_test
