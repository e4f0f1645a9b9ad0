#include "engine/query/summary/caption.h"

#include <gtest/gtest.h>

#include "engine/plan/run_config.h"

namespace warpglass {
namespace caption_test {

RunInfo infoOf(const RunConfig& config) {
    RunInfo info;
    for (const auto& [key, value] : toPairs(config))
        info.set(key, value);
    return info;
}

TEST(Caption, SaysWhatWasRunWhereAndByWhat) {
    RunConfig config;
    config.model = "small";
    config.shape = *presetShape("small");
    config.context = 512;
    config.precision = Precision::kBf16;
    config.attention = AttentionVariant::kSdpaFlash;
    config.device = "cuda:0";
    RunInfo info = infoOf(config);
    info.set("device.name", "NVIDIA H200");
    info.set("attention.backend", "sdpa flash");
    info.set("torch.version", "2.11.0");
    info.set("cuda.runtime", "13.0");
    info.set("warpglass.version", "0.1.0");
    info.set("time.started", "2026-11-21T17:11:59Z");
    info.set("state", run_state::kFinished);
    EXPECT_EQ(
        runCaption(info),
        "small, context 512, batch 4 · bf16 · sdpa-flash attention · training step, eager · NVIDIA H200 · "
        "LibTorch 2.11.0, CUDA 13.0, Warpglass 0.1.0 · 2026-11-21");
    info.set("attention.backend", "sdpa math");
    info.set("state", run_state::kStopped);
    EXPECT_NE(runCaption(info).find("sdpa-flash attention (by sdpa math)"), std::string::npos);
    EXPECT_TRUE(runCaption(info).ends_with(" · 2026-11-21 · the run was stopped")) << runCaption(info);
}

TEST(Caption, ACustomModelIsWrittenOut) {
    RunConfig config;
    config.model = "custom";
    config.shape = {.vocabulary = 100, .dModel = 48, .dFf = 96, .layers = 3, .heads = 6};
    config.mode = Mode::kForward;
    config.execution = Execution::kGraph;
    const std::string caption = runCaption(infoOf(config));
    EXPECT_NE(caption.find("3 layers (d_model 48, d_ff 96, 6 heads, vocabulary 100)"), std::string::npos)
        << caption;
    EXPECT_NE(caption.find("forward pass, CUDA graph"), std::string::npos) << caption;
    EXPECT_NE(caption.find(" · cpu"), std::string::npos) << "what it does not name, by its word: " << caption;
}

TEST(Caption, WhatIsNotStatedIsLeftOut) {
    EXPECT_EQ(runCaption({}), "");
    RunInfo info;
    info.set("device.name", "NVIDIA H200");
    EXPECT_EQ(runCaption(info), "NVIDIA H200");
    info.set("config.model", "small");  // and nothing else of the configuration
    EXPECT_EQ(runCaption(info), "NVIDIA H200");
}

}  // namespace caption_test
}  // namespace warpglass
