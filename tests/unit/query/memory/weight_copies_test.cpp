// Which activations are autocast's copies of weights: op, module and size have to say so.
#include "engine/query/memory/weight_copies.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/plan/parameters.h"
#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/query/statistics/flame.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test {
namespace weight_copies_test {

constexpr const char* kModule = "blocks.0.attn.q_proj";

RunConfig bf16Config() {
    RunConfig config;
    config.precision = Precision::kBf16;
    return config;
}

ParameterTensor weightOf(const RunConfig& config) {
    for (const ParameterTensor& weight : parameterTensors(config.shape)) {
        if (weight.module == kModule)
            return weight;
    }
    return {};
}

/// A copy of the weight, a product of its size, a copy of another size, a copy that is no activation, and a
/// copy of its size in a module that has no weight.
MemoryTimeline run(const RunConfig& config) {
    const std::string size = std::to_string(weightOf(config).count() * 2);
    return timelineOf(traceOf(R"(
        step 1 0-1000
          forward 0-500
            module blocks.0.attn 0-500
              op aten::_to_copy 5-8 | alloc )" +
                                  size + R"( 6 activations
              module blocks.0.attn.q_proj 10-400
                op aten::_to_copy 20-50 | op aten::empty_strided 22-40 | alloc )" +
                                  size + R"( 30 activations
                op aten::mm 60-70 | alloc )" +
                                  size + R"( 65 activations
                op aten::_to_copy 80-90 | alloc 4096 85 activations
                op aten::_to_copy 100-110 | alloc )" +
                                  size + R"( 105 temporaries
        end 1000
    )",
                              toPairs(config)));
}

std::vector<AllocationId> found(const RunConfig& config) {
    const MemoryTimeline memory = run(config);
    return weightCopiesAmong(memory, memory.aliveAt(Nanoseconds(900)));
}

TEST(WeightCopiesOfARun, AreToldByOpModuleAndSizeTogether) {
    RunConfig config = bf16Config();
    EXPECT_EQ(found(config), std::vector{AllocationId(1)});
    config.precision = Precision::kFp32;
    EXPECT_TRUE(found(config).empty()) << "autocast is off";
    config = bf16Config();
    config.batch = 1;
    config.context = weightOf(config).rows;
    EXPECT_TRUE(found(config).empty()) << "a copy of the input has the weight's size too";
}

TEST(WeightCopiesOfARun, AreApartInSumsByCategoryAndInWords) {
    const MemoryTimeline memory = run(bf16Config());
    const Bytes size(weightOf(bf16Config()).count() * 2);
    Bytes copies, activations;
    for (const BreakdownRow& row : breakdownAt(memory, Nanoseconds(900), BreakdownKey::kCategory)) {
        copies += row.name == kWeightCopies ? row.bytes : Bytes();
        activations += row.name == "activations" ? row.bytes : Bytes();
    }
    EXPECT_EQ(copies, size);
    EXPECT_EQ(activations, size + size + Bytes(4096));
    const auto why = explainPeak(memory);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->risen.weightCopies, size);
    EXPECT_NE(why->sentence().find(" of it weight copies"), std::string::npos) << why->sentence();
    const auto alive = memory.aliveAt(Nanoseconds(900));
    const FlameTree tree = memoryFlame(*memory.snapshot(), alive, true, weightCopiesAmong(memory, alive));
    std::int64_t inTree = 0;
    for (const FlameNode& node : tree.nodes)
        inTree += node.name == kWeightCopies && node.category == Category::kActivations ? node.value : 0;
    EXPECT_EQ(inTree, size.value);
}

}  // namespace weight_copies_test
}  // namespace warpglass::test
