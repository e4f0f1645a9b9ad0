#include "engine/query/summary/caption.h"

#include <gmock/gmock.h>

#include "engine/plan/run_config.h"

namespace warpglass::test::caption_test {

using testing::HasSubstr;

RunInfo infoOf(const RunConfig& config) {
    RunInfo info;
    for (const auto& [key, value] : toPairs(config))
        info.set(key, value);
    return info;
}

TEST(Caption, SaysWhatWasRunWhereAndByWhat) {
    RunConfig config{.model = "small",
                     .shape = *presetShape("small"),
                     .context = 512,
                     .precision = Precision::kBf16,
                     .attention = AttentionVariant::kSdpaFlash,
                     .device = "cuda:0"};
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
    EXPECT_THAT(runCaption(info), HasSubstr("sdpa-flash attention (by sdpa math)"));
    EXPECT_THAT(runCaption(info), testing::EndsWith(" · 2026-11-21 · the run was stopped"));
}

TEST(Caption, ACustomModelIsWrittenOut) {
    RunConfig config{.model = "custom",
                     .shape = {.vocabulary = 100, .dModel = 48, .dFf = 96, .layers = 3, .heads = 6},
                     .mode = Mode::kForward,
                     .execution = Execution::kGraph};
    const std::string caption = runCaption(infoOf(config));
    EXPECT_THAT(caption, HasSubstr("3 layers (d_model 48, d_ff 96, 6 heads, vocabulary 100)"));
    EXPECT_THAT(caption, HasSubstr("forward pass, CUDA graph"));
    EXPECT_THAT(caption, HasSubstr(" · cpu")) << "what it does not name, by its word: " << caption;
}

TEST(Caption, WhatIsNotStatedIsLeftOut) {
    EXPECT_EQ(runCaption({}), "");
    RunInfo info;
    info.set("device.name", "NVIDIA H200");
    EXPECT_EQ(runCaption(info), "NVIDIA H200");
    info.set("config.model", "small");  // and nothing else of the configuration
    EXPECT_EQ(runCaption(info), "NVIDIA H200");
}

}  // namespace warpglass::test::caption_test
