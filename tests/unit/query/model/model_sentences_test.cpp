// Findings on the model, with answers worked out by hand.
#include "engine/query/model/model_sentences.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace model_sentences_test {

constexpr double kMs = 1e6;

/// At this share of a roof of 1 TFLOP/s.
RooflinePoint pointOf(const char* name, double ms, double share) {
    RooflinePoint point;
    point.name = name;
    point.time = ms * kMs;
    point.bytes = Bytes(1);
    point.flops.value = static_cast<decltype(point.flops.value)>(share * 1e12 * ms / 1e3);
    point.attainableFlopsPerSecond = 1e12;
    return point;
}

TEST(ModelSentences, SayHowFarWorkIsFromItsRoof) {
    EXPECT_EQ(rooflineSentence({{pointOf("blocks.*.ffn.w1", 30, 0.9), pointOf("blocks.*.ffn.w2", 10, 0.5),
                                 pointOf("blocks.*.attn", 10, 0.3)}}),
              "GEMMs reach 80% of their roof and attention 30%: reaching it would save 15.0\u202fms.");
    RooflinePoint update = pointOf("AdamW", 10, 0.8);
    update.isUpdate = true;
    EXPECT_EQ(rooflineSentence({{pointOf("lm_head", 10, 0.5), update}}),
              "GEMMs reach 50% of their roof and the optimizer's update 80%: reaching it would save "
              "7.00\u202fms.");
    EXPECT_EQ(rooflineSentence({{pointOf("blocks.*.attn/scores", 10, 1)}}),
              "Attention reaches 100% of its roof.");
    RooflinePoint unknown = pointOf("lm_head", 10, 1);
    unknown.attainableFlopsPerSecond.reset();
    EXPECT_EQ(rooflineSentence({{unknown}}), "");
}

Layers layersOfBlocks(std::initializer_list<double> times) {
    Layers layers;
    for (const double ms : times) {
        LayerRow row;
        row.name = "blocks." + std::to_string(layers.blocks++);
        row.block = true;
        row.forward = ms * kMs;
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
    EXPECT_EQ(layersSentence(layersOfBlocks({2.0, 1.0, 3.0})),
              "The 3 blocks scatter by up to 50% about their median, 2.00\u202fms.");
    EXPECT_EQ(layersSentence({}), "");
}

AttentionPartRow partOf(AttentionPart part, double time, double flops) {
    AttentionPartRow row;
    row.part = part;
    row.time = time * kMs;
    row.timeShare = time / 100;
    row.flops.value = static_cast<decltype(row.flops.value)>(flops * 1e6);
    row.flopsShare = flops / 100;
    return row;
}

TEST(ModelSentences, SayWhichPartsOfAttentionTakeMoreTimeThanTheirFlops) {
    AttentionParts parts;
    parts.rows = {partOf(AttentionPart::kProjections, 40, 60), partOf(AttentionPart::kRotation, 17, 0.1),
                  partOf(AttentionPart::kScores, 18, 39.5), partOf(AttentionPart::kSoftmax, 25, 0.4)};
    EXPECT_EQ(attentionSentence(parts),
              "Softmax, rotation and layout take 42% of forward attention for under 1% of its FLOPs.");
    parts.rows[1].timeShare = 0.01;
    parts.rows[3].flopsShare = 0.02;
    EXPECT_EQ(attentionSentence(parts), "Softmax takes 25% of forward attention for 2.0% of its FLOPs.");
    parts.rates = false;
    EXPECT_EQ(attentionSentence(parts),
              "The largest part of forward attention is q, k, v projections: 40% of its time.");
    EXPECT_EQ(attentionSentence({}), "");
}

}  // namespace model_sentences_test
}  // namespace warpglass
