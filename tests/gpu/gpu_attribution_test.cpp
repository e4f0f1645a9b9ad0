// Every kernel belongs to the step, phase, module and op that launched it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "engine/plan/own_parts.h"
#include "engine/query/model/roofline.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/statistics/statistics.h"
#include "tests/gpu/gpu_run.h"

namespace warpglass::test::gpu_attribution_test {

class GpuAttribution : public GpuTest {};

/// At context 512, where cuBLAS splits no product along its inner dimension into several kernels.
RunConfig forwardAt512(RunConfig config) {
    config.context = 512;
    return config;
}

std::int64_t productsOf(const Snapshot& trace, std::int32_t step) {
    SpanFilter filter{.step = step};
    std::int64_t products = 0;
    for (const StatisticsRow& row : kernelStatistics(trace, filter))
        products += row.family == OpFamily::kMatmul ? row.instances : 0;
    return products;
}

/// 7 linear layers a block and the head; scores and values besides, where they are products of their own.
TEST_F(GpuAttribution, AForwardPassOfSmallHas85ProductsAndNaiveAttention24More) {
    for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
        const GpuRun naive =
            cleanRun(forwardAt512(config(precision, AttentionVariant::kNaive, Mode::kForward)));
        EXPECT_EQ(productsOf(*naive.trace, 2), 85 + 24) << precisionName(precision);
    }
    const GpuRun flash =
        cleanRun(forwardAt512(config(Precision::kBf16, AttentionVariant::kSdpaFlash, Mode::kForward)));
    EXPECT_EQ(productsOf(*flash.trace, 2), 85);
    EXPECT_EQ(kernelsOf(*flash.trace, 2, "attention"), 12);
}

TEST_F(GpuAttribution, EveryKernelOfAStepHasAPhaseAndEveryModuleItsKernels) {
    const GpuRun step = cleanRun(config());
    std::map<std::string, std::set<Phase>> phasesOf;
    for (const SpanRow& kernel : spansOf(*step.trace, TrackKind::kGpuStream)) {
        const Place place = step.trace->place(kernel.place);
        EXPECT_NE(place.phase, Phase::kNone) << step.trace->name(kernel.name);
        EXPECT_TRUE(step.trace->detail(kernel.detail));
        if (kernel.step == kNoStep) {
            EXPECT_EQ(place.phase, Phase::kSetup);
            continue;
        }
        phasesOf[std::string(step.trace->name(place.module))].insert(place.phase);
    }
    const std::set<Phase> both = {Phase::kForward, Phase::kBackward};
    for (int block = 0; block < 12; ++block) {
        const std::string path = "blocks." + std::to_string(block);
        for (const char* module : {".norm1", ".attn", ".attn.q_proj", ".attn.k_proj", ".attn.v_proj",
                                   ".attn.output_proj", ".norm2", ".ffn", ".ffn.w1", ".ffn.w2", ".ffn.w3"})
            EXPECT_TRUE(std::ranges::includes(phasesOf[path + module], both)) << path << module;
    }
    EXPECT_TRUE(std::ranges::includes(phasesOf["lm_head"], both));
    EXPECT_TRUE(phasesOf[""].contains(Phase::kOptimizer));
    EXPECT_TRUE(phasesOf[""].contains(Phase::kLoss));
}

/// 4 products a block and the head, each once forward and twice backward; by an algorithm of cuBLASLt's or by
/// LibTorch, but all under an op of ours, in their modules and with the FLOPs of the plan.
TEST_F(GpuAttribution, ProductsWhoseAlgorithmsWereTriedOutAreOfTheirOpAndModule) {
    RunConfig fused = forwardAt512(config(Precision::kBf16, AttentionVariant::kFlash));
    ASSERT_TRUE(takeOwnParts("fused", fused));
    for (const Execution execution : {Execution::kEager, Execution::kGraph}) {
        fused.execution = execution;
        const GpuRun step = cleanRun(fused);
        EXPECT_EQ(productsOf(*step.trace, 2), 3 * (12 * 4 + 1)) << executionName(execution);
        std::int64_t ours = 0;
        for (const SpanRow& kernel : spansOf(*step.trace, TrackKind::kGpuStream)) {
            if (kernel.step != 2 ||
                opFamily(step.trace->name(kernel.name), Phase::kNone) != OpFamily::kMatmul)
                continue;
            const auto detail = step.trace->detail(kernel.detail);
            ASSERT_TRUE(detail);
            const std::string_view op = step.trace->name(detail->op);
            EXPECT_TRUE(op == "warpglass::mm" || op == "aten::mm") << op;
            EXPECT_FALSE(step.trace->name(step.trace->place(kernel.place).module).empty());
            ours += op == "warpglass::mm";
        }
        EXPECT_GT(ours, 0) << "cuBLAS's choice is not the fastest everywhere";
        std::map<std::string, int> passes;
        for (const RooflinePoint& point : roofline(*step.trace)) {
            EXPECT_TRUE(point.flops.value > 0 || point.isLibraryKernel) << point.name;
            ++passes[point.name];
        }
        for (const char* module : {"blocks.*.attn.qkv_proj", "blocks.*.attn.output_proj", "blocks.*.ffn.w13",
                                   "blocks.*.ffn.w2", "lm_head"})
            EXPECT_EQ(passes[module], 2) << module;
    }
}

/// The step ends with the loss read, which waits for the stream, and with a wait for the device.
TEST_F(GpuAttribution, EveryCallThatWaitsHasAWaitOfItsTimesAndPlace) {
    const GpuRun step = cleanRun(config());
    std::map<std::uint64_t, SpanRow> calls;
    std::size_t waiting = 0;
    for (const SpanRow& call : spansOf(*step.trace, TrackKind::kApiThread)) {
        calls[call.link] = call;
        waiting += step.trace->name(call.name).find("Synchronize") != std::string_view::npos;
    }
    const std::vector<SpanRow> waits = spansOf(*step.trace, TrackKind::kGpuSync);
    ASSERT_EQ(waits.size(), waiting);
    std::map<std::int32_t, int> ofStep;
    for (const SpanRow& wait : waits) {
        ASSERT_TRUE(calls.contains(wait.link));
        const SpanRow& call = calls[wait.link];
        EXPECT_EQ(wait.start, call.start);
        EXPECT_EQ(wait.duration, call.duration);
        EXPECT_EQ(wait.place, call.place);
        EXPECT_EQ(wait.step, call.step);
        ++ofStep[wait.step];
    }
    EXPECT_EQ(ofStep[1], 2);
    EXPECT_EQ(ofStep[2], 2);
}

TEST_F(GpuAttribution, KernelsOfAStreamTakeNoMoreThanTheWall) {
    const GpuRun step = cleanRun(config(Precision::kBf16));
    for (const TrackId track : step.trace->tracksOfKind(TrackKind::kGpuStream)) {
        const std::vector<SpanLane> lanes = step.trace->lanesOf(track);
        for (const SpanLane& lane : lanes) {
            std::int64_t busy = 0;
            for (std::uint64_t i = 0; i < lane.rows(); ++i)
                busy += lane.row(i)->duration;
            EXPECT_LE(busy, lane.row(lane.rows() - 1)->end() - lane.row(0)->start);
        }
        EXPECT_LE(lanes.size(), 3u) << "one stream's kernels hardly overlap";
    }
    // A step ends when its kernels have: each lies within the step that it says.
    std::map<std::int32_t, SpanRow> steps;
    for (const SpanRow& row : spansOf(*step.trace, TrackKind::kStep))
        steps[row.step] = row;
    for (const SpanRow& kernel : spansOf(*step.trace, TrackKind::kGpuStream)) {
        if (kernel.step == kNoStep)
            continue;
        // CUPTI's two clocks are brought together within some microseconds.
        EXPECT_GE(kernel.start, steps.at(kernel.step).start - 20'000);
        EXPECT_LE(kernel.end(), steps.at(kernel.step).end() + 20'000);
    }
}

TEST_F(GpuAttribution, TwoRunsInOneProcessAttributeAlike) {
    const RunConfig wanted = config(Precision::kBf16, AttentionVariant::kSdpaFlash);
    const auto first = kernelsByPlace(*cleanRun(wanted).trace, 2);
    const auto second = kernelsByPlace(*cleanRun(wanted).trace, 2);
    EXPECT_GT(first.size(), 100u);
    EXPECT_EQ(first, second);
}

TEST_F(GpuAttribution, AStopInTheMiddleOfAStepKeepsWhatWasRecorded) {
    RunConfig wanted = config();
    wanted.steps = 100000;
    const GpuRun stopped = runStoppedAt(wanted, 5);
    EXPECT_EQ(stopped.outcome.state, run_state::kStopped) << stopped.outcome.message;
    EXPECT_EQ(lossText(*stopped.trace), "");
    EXPECT_GE(stopped.outcome.losses.size(), 5u);
    EXPECT_GT(kernelsOf(*stopped.trace, 4), 500);
    cleanRun(config());  // and the device is free for the next
}

TEST_F(GpuAttribution, RowsGrowWhileTheRunGoesOn) {
    RunConfig wanted = config();
    wanted.steps = 40;
    RunControl control;
    std::shared_ptr<TraceFeed> feed;
    std::atomic<bool> done{false};
    std::uint64_t grew = 0;
    std::thread watcher;
    const GpuRun live = run(wanted, control, [&](std::shared_ptr<TraceFeed> recorded) {
        watcher = std::thread([&, recorded] {
            std::size_t known = 0;
            while (!done) {
                const auto snapshot = recorded->latest();
                const std::size_t kernels = snapshot ? spansOf(*snapshot, TrackKind::kGpuStream).size() : 0;
                grew += kernels > known ? 1 : 0;
                known = std::max(known, kernels);
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
        });
    });
    done = true;
    watcher.join();
    EXPECT_EQ(lossText(*live.trace), "");
    EXPECT_GE(grew, 5u) << "kernels are to be seen before the run ends";
}

}  // namespace warpglass::test::gpu_attribution_test
