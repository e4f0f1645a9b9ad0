// Findings on the model, with answers worked out by hand.
#include "engine/query/model/model_sentences.h"

#include <gtest/gtest.h>

namespace warpglass::test::model_sentences_test {

constexpr double kMs = 1e6;

/// At this share of a roof of 1 TFLOP/s.
RooflinePoint pointOf(const char* name, double ms, double share) {
    RooflinePoint point{.name = name, .bytes = Bytes(1), .time = ms * kMs};
    point.flops.value = static_cast<decltype(point.flops.value)>(share * 1e12 * ms / 1e3);
    point.attainableFlopsPerSecond = 1e12;
    return point;
}

TEST(ModelSentences, SayHowFarWorkIsFromItsRoof) {
    EXPECT_EQ(rooflineSentence({{pointOf("blocks.*.ffn.w1", 30, 0.9), pointOf("blocks.*.ffn.w2", 10, 0.5),
                                 pointOf("blocks.*.attn", 10, 0.3)}}),
              "GEMMs reach 80% of their roof and attention 30%: 15.0\u202fms could be saved.");
    RooflinePoint update = pointOf("AdamW", 10, 0.8);
    update.isUpdate = true;
    EXPECT_EQ(
        rooflineSentence({{pointOf("lm_head", 10, 0.5), update}}, 25 * kMs),
        "GEMMs reach 50% of their roof and the optimizer's update 80%: 7.00\u202fms could be saved. The "
        "work of the other 20% of kernel time is unknown.");
    EXPECT_EQ(rooflineSentence({{pointOf("lm_head", 10, 0.5), update}}, 20 * kMs),
              "GEMMs reach 50% of their roof and the optimizer's update 80%: 7.00\u202fms could be saved.")
        << "nothing is left out";
    RooflinePoint cast{.name = "copy to fp32", .bytes = Bytes(5'000'000), .time = 10 * kMs};
    cast.memoryRoof = 1e9;
    cast.isLibraryKernel = true;
    EXPECT_EQ(
        rooflineSentence({{pointOf("lm_head", 10, 0.5), cast}}),
        "GEMMs reach 50% of their roof and casts, norms and elementwise kernels 50%: 10.0\u202fms could "
        "be saved.");
    EXPECT_EQ(rooflineSentence({{pointOf("blocks.*.attn/scores", 10, 1)}}),
              "Attention reaches 100% of its roof.");
    RooflinePoint unknown = pointOf("lm_head", 10, 1);
    unknown.attainableFlopsPerSecond.reset();
    EXPECT_EQ(rooflineSentence({{unknown}}), "");
}

Layers layersOfBlocks(std::initializer_list<double> times) {
    Layers layers;
    for (const double ms : times) {
        LayerRow row{.name = "blocks." + std::to_string(layers.blocks++), .block = true, .forward = ms * kMs};
        row.compared.fill(true);
        row.computes.fill(true);
        layers.rows.push_back(row);
    }
    layers.compared.fill(layers.blocks);
    return layers;
}

TEST(ModelSentences, SayWhetherABlockStandsOut) {
    Layers layers = layersOfBlocks({2.0, 2.02, 1.98, 2.0, 2.0});
    EXPECT_EQ(layersSentence(layers),
              "No block stands out: all 5 are within 1.0% of their median, 2.00\u202fms.");
    LayerRow rest;
    rest.name = "rest";
    rest.optimizer = 16 * kMs;
    layers.rows.push_back(rest);
    layers.rows[1].forward = 3 * kMs;
    layers.rows[1].outlier[static_cast<std::size_t>(LayerMeasure::kForward)] = true;
    EXPECT_EQ(layersSentence(layers),
              "1 of 5 blocks stands out: blocks.1 with 3.00\u202fms against a median of 2.00\u202fms; the "
              "optimizer takes 16.0\u202fms in total.");
    Layers hoards = layersOfBlocks({2.0, 2.0, 2.0, 2.0, 2.0});
    hoards.median[static_cast<std::size_t>(LayerMeasure::kActivations)] = 1 << 20;
    for (const std::size_t block : {1u, 3u}) {
        LayerRow& row = hoards.rows[block];
        row.outlier[static_cast<std::size_t>(LayerMeasure::kActivations)] = true;
        row.alive[static_cast<std::size_t>(Category::kActivations)] = static_cast<std::int64_t>(block) << 20;
    }
    EXPECT_EQ(layersSentence(hoards),
              "2 of 5 blocks stand out, most of all blocks.3 with 3.00\u202fMiB of activations against a "
              "median of 1.00\u202fMiB.");
    EXPECT_EQ(layersSentence(layersOfBlocks({2.0, 1.0, 3.0})),
              "The 3 blocks scatter by up to 50% about their median, 2.00\u202fms.");
    EXPECT_EQ(layersSentence({}), "");
}

AttentionPartRow partOf(AttentionPart part, double time, double products, double flops) {
    AttentionPartRow row{
        .part = part, .time = time * kMs, .productTime = products * kMs, .timeShare = time / 100};
    row.matmulFlops.value = row.flops.value = static_cast<decltype(row.flops.value)>(flops * 1e6);
    return row;
}

TEST(ModelSentences, SayWhatOfAttentionIsProductsAndWhatTheRestDoes) {
    AttentionParts parts{
        .variant = AttentionVariant::kNaive,
        .rows = {partOf(AttentionPart::kProjections, 20, 10, 60), partOf(AttentionPart::kRotation, 10, 0, 0),
                 partOf(AttentionPart::kScores, 40, 8, 39.5), partOf(AttentionPart::kSoftmax, 30, 0, 0.5)}};
    parts.rows.back().matmulFlops.value = 0;
    EXPECT_EQ(attentionSentence(parts),
              "GEMMs take 18% of attention's time for over 99% of its FLOPs; other work on the score matrix "
              "takes 62%.");
    parts.variant = AttentionVariant::kSdpaFlash;
    parts.rows = {partOf(AttentionPart::kProjections, 40, 38, 60), partOf(AttentionPart::kRotation, 20, 0, 2),
                  partOf(AttentionPart::kFused, 40, 40, 38)};
    parts.rows[1].matmulFlops.value = 0;
    EXPECT_EQ(
        attentionSentence(parts),
        "GEMMs and fused attention take 78% of attention's time for 98% of its FLOPs; the rest is mostly "
        "in RoPE and layout, 20%.");
    parts.rows.erase(parts.rows.begin() + 1);
    EXPECT_EQ(attentionSentence(parts),
              "GEMMs and fused attention take 98% of attention's time for over 99% of its FLOPs.")
        << "the rest is too little to be named";
    parts.rates = false;
    EXPECT_EQ(attentionSentence(parts),
              "The largest part of forward attention is q, k, v projections: 40% of its time.");
    EXPECT_EQ(attentionSentence({}), "");
}

}  // namespace warpglass::test::model_sentences_test
