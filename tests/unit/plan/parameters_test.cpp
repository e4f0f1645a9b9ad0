#include "engine/plan/parameters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace warpglass::test::parameters_test {

ModelShape preset(std::string_view name) {
    const Result<ModelShape> shape = presetShape(name);
    EXPECT_TRUE(shape) << name;
    return shape ? *shape : ModelShape{};
}

/// Every tensor of the model, written out from its definition and not from the code's listing.
std::map<std::string, std::int64_t> listByHand(const ModelShape& s) {
    std::map<std::string, std::int64_t> tensors;
    tensors["token_embeddings"] = s.vocabulary * s.dModel;
    tensors["lm_head"] = s.dModel * s.vocabulary;
    tensors["norm"] = s.dModel;
    for (int i = 0; i < s.layers; ++i) {
        const std::string b = "blocks." + std::to_string(i) + ".";
        tensors[b + "norm1"] = tensors[b + "norm2"] = s.dModel;
        // Each head has its own d_model → head dimension projections; the output gathers the heads.
        tensors[b + "attn.q_proj"] = s.heads * (s.dModel * s.headDimension());
        tensors[b + "attn.k_proj"] = s.heads * (s.dModel * s.headDimension());
        tensors[b + "attn.v_proj"] = s.heads * (s.dModel * s.headDimension());
        tensors[b + "attn.output_proj"] = s.heads * s.headDimension() * s.dModel;
        tensors[b + "ffn.w1"] = s.dModel * s.dFf;
        tensors[b + "ffn.w2"] = s.dFf * s.dModel;
        tensors[b + "ffn.w3"] = s.dModel * s.dFf;
    }
    return tensors;
}

TEST(Parameters, CountsThePresets) {
    EXPECT_EQ(parameterCount(preset("tiny")), 9'316'608);
    EXPECT_EQ(parameterCount(preset("small")), 128'625'408);
    EXPECT_EQ(parameterCount(preset("medium")), 423'183'360);
    EXPECT_EQ(parameterCount(preset("large")), 969'411'840);
    EXPECT_EQ(parameterCount(preset("xl")), 1'998'235'200);
    EXPECT_EQ(parameterCount(preset("2.7B")), 3'406'809'600);
    EXPECT_EQ(parameterCount(preset("10B")), 12'832'823'808);
}

TEST(Parameters, ListsTheSameTensorsAsTheDefinition) {
    for (const ModelPreset& p : modelPresets()) {
        std::map<std::string, std::int64_t> expected = listByHand(p.shape);
        std::int64_t sum = 0;
        for (const ParameterTensor& tensor : parameterTensors(p.shape)) {
            ASSERT_TRUE(expected.contains(tensor.module)) << tensor.module << " of " << p.name;
            EXPECT_EQ(tensor.count(), expected[tensor.module]) << tensor.module << " of " << p.name;
            expected.erase(tensor.module);
            sum += tensor.count();
        }
        EXPECT_TRUE(expected.empty()) << expected.begin()->first << " of " << p.name << " is not listed";
        EXPECT_EQ(parameterCount(p.shape), sum) << p.name;
    }
}

TEST(Parameters, CountsAModuleWithWhatIsInIt) {
    const ModelShape small = preset("small");
    EXPECT_EQ(parameterCount(small, "blocks.7.attn.q_proj"), 768 * 768);
    EXPECT_EQ(parameterCount(small, "blocks.7.attn"), 4 * 768 * 768);
    EXPECT_EQ(parameterCount(small, "blocks.7.ffn"), 3 * 768 * 3072);
    EXPECT_EQ(parameterCount(small, "blocks.7.ffn.w2"), 768 * 3072);
    EXPECT_EQ(parameterCount(small, "blocks.7"), 4 * 768 * 768 + 3 * 768 * 3072 + 2 * 768);
    EXPECT_EQ(parameterCount(small, "blocks.1") * 12, parameterCount(small, "blocks"))
        << "blocks.1 must not take in blocks.10 and blocks.11";
    EXPECT_EQ(parameterCount(small, "norm"), 768);
    EXPECT_EQ(parameterCount(small, "lm_head"), 7'680'000);
    EXPECT_EQ(parameterCount(small, ""), 128'625'408);
    EXPECT_EQ(parameterCount(small, "blocks.12"), 0);
    EXPECT_EQ(parameterCount(small, "blocks.7.at"), 0);
}

TEST(Parameters, NeverWrap) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(parameterCount({kMax, kMax, kMax, kMax, 1}), kMax);
    EXPECT_EQ(parameterCount({1, std::int64_t{1} << 32, 1, 1, 1}), kMax);
    EXPECT_EQ(parameterCount({-5, 4, -5, 0, 1}), 4);
    std::mt19937_64 random(2);
    for (int i = 0; i < 20000; ++i) {
        const auto size = [&random] { return static_cast<std::int64_t>(random() >> (1 + random() % 63)); };
        const ModelShape s{size(), size(), size(), size(), 1};
        // long double holds 64 bits: enough to tell whether 63 suffice.
        const auto v = static_cast<long double>(s.vocabulary);
        const auto d = static_cast<long double>(s.dModel);
        const auto f = static_cast<long double>(s.dFf);
        const auto l = static_cast<long double>(s.layers);
        const long double exact = 2 * v * d + l * (4 * d * d + 3 * d * f + 2 * d) + d;
        const auto counted = static_cast<long double>(parameterCount(s));
        if (exact > static_cast<long double>(kMax)) {
            EXPECT_EQ(parameterCount(s), kMax);
        } else {
            EXPECT_LE(std::fabs(counted - exact), exact * 1e-9L + 1);
        }
    }
}

}  // namespace warpglass::test::parameters_test
