// Which activations are autocast's copies of weights: op, module and size have to say so.
#include "engine/query/memory/weight_copies.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/plan/parameters.h"
#include "engine/query/memory/allocation_filter.h"
#include "engine/query/memory/allocation_map.h"
#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_statistics.h"
#include "engine/query/memory/memory_tree.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/query/model/layers.h"
#include "engine/query/statistics/flame.h"
#include "tests/support/must.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::weight_copies_test {

constexpr const char* kModule = "blocks.0.attn.q_proj";

RunConfig bf16Config() {
    return {.precision = Precision::kBf16};
}

ParameterTensor weightOf(const RunConfig& config) {
    for (const ParameterTensor& weight : parameterTensors(config.shape)) {
        if (weight.module == kModule)
            return weight;
    }
    return {};
}

/// A copy of the weight, a product of its size, a copy of another size, a copy that its phase frees, and a
/// copy of its size in a module that has no weight.
MemoryTimeline run(const RunConfig& config) {
    const std::int64_t size = weightOf(config).count() * 2;
    return timelineOf(traceOf(filled(R"(
        step 1 0-1000
          forward 0-500
            module blocks.0.attn 0-500
              op aten::_to_copy 5-8 | alloc % 6 activations
              module blocks.0.attn.q_proj 10-400
                op aten::_to_copy 20-50 | op aten::empty_strided 22-40 | alloc % 30 activations
                op aten::mm 60-70 | alloc % 65 activations
                op aten::_to_copy 80-90 | alloc 4096 85 activations
                op aten::_to_copy 100-110 | alloc % 105 temporaries
        end 1000
    )",
                                     size, size, size, size),
                              toPairs(config)));
}

std::vector<AllocationId> found(const RunConfig& config) {
    const MemoryTimeline memory = run(config);
    std::vector<AllocationId> copies;
    for (const AllocationId id : memory.aliveAt(Nanoseconds(900))) {
        if (memory.categoryOf(id) == Category::kWeightCopies)
            copies.push_back(id);
    }
    return copies;
}

TEST(WeightCopiesOfARun, AreToldByOpModuleAndSizeTogether) {
    RunConfig config = bf16Config();
    EXPECT_EQ(found(config), (std::vector{AllocationId(1), AllocationId(4)}));
    config.precision = Precision::kFp32;
    EXPECT_TRUE(found(config).empty()) << "autocast is off";
    config = bf16Config();
    config.batch = 1;
    config.context = weightOf(config).rows;
    EXPECT_TRUE(found(config).empty()) << "a copy of the input has the weight's size too";
}

TEST(WeightCopiesOfARun, AreToldOneByOneWhereAStepHasBoth) {
    const RunConfig config = bf16Config();
    const std::int64_t size = weightOf(config).count() * 2;
    // Two in one place, noted alike, of which one is a copy: the second of step 0, the first of step 1.
    const auto inStep = [&](int step, const char* first, const char* second) {
        const auto op = [&](const char* name, int at) {
            const std::int64_t from = 1000 * step + at;
            return filled("   op % %-% | op aten::empty_strided %-% | alloc % % activations\n", name, from,
                          from + 50, from + 10, from + 40, size, from + 20);
        };
        return filled("step % %-%\n forward %-%\n  module % %-%\n", step, 1000 * step, 1000 * step + 1000,
                      1000 * step, 1000 * step + 900, kModule, 1000 * step + 10, 1000 * step + 800) +
               op(first, 100) + op(second, 200);
    };
    const auto copiesOf = [&](const std::string& text) {
        const MemoryTimeline memory = timelineOf(traceOf(text + "end 3000", toPairs(config)));
        std::string copies;
        for (const AllocationId id : memory.aliveAt(Nanoseconds(3000)))
            copies += memory.categoryOf(id) == Category::kWeightCopies ? '1' : '0';
        return copies;
    };
    const char *const copy = "aten::_to_copy", *const clone = "aten::clone";
    EXPECT_EQ(copiesOf(inStep(0, clone, copy) + inStep(1, copy, clone)), "0110");
    EXPECT_EQ(copiesOf(inStep(0, copy, copy) + inStep(1, copy, copy)), "1111");
    EXPECT_EQ(copiesOf(inStep(0, clone, clone) + inStep(1, clone, clone)), "0000");
}

/// Whatever asks says the same.
TEST(WeightCopiesOfARun, AreACategoryEverywhere) {
    const MemoryTimeline memory = run(bf16Config());
    const Nanoseconds t(900);
    const auto copies = static_cast<std::size_t>(Category::kWeightCopies);
    const std::int64_t one = weightOf(bf16Config()).count() * 2, size = 2 * one;
    EXPECT_EQ(memory.at(t)[copies], size);
    EXPECT_EQ(memory.at(t)[static_cast<std::size_t>(Category::kActivations)], 2 * one + 4096);
    EXPECT_EQ(memory.peak()->bytes[copies], size);
    EXPECT_EQ(sumOf(memory.columns({Nanoseconds(0), Nanoseconds(1000)}, 10).back().atPeak),
              sumOf(memory.at(t)));
    EXPECT_EQ(roundingAt(memory, t)[copies].asked.value, size);

    const auto rows = breakdownAt(memory, t, BreakdownKey::kCategory);
    const auto row = std::ranges::find(rows, "weight copies", &BreakdownRow::name);
    ASSERT_NE(row, rows.end());
    EXPECT_EQ(row->bytes.value, size);
    EXPECT_EQ(row->byCategory[copies], size);
    EXPECT_EQ(memoryTreeAt(memory, t, {BreakdownKey::kModule}).byCategory[copies], size);
    EXPECT_EQ(describeAllocation(memory, AllocationId(1)).category, "weight copies");
    EXPECT_EQ(memory.snapshot()->allocation(AllocationId(1))->category, Category::kActivations) << "in files";

    const auto why = must(explainPeak(memory));
    EXPECT_EQ(why.risen.byCategory[copies].value, size);
    EXPECT_NE(why.sentence().find(", weight copies "), std::string::npos) << why.sentence();
    const auto alive = memory.aliveAt(t);
    EXPECT_EQ(flameTotals(memoryFlame(memory, alive, true))[copies], size);
    const AllocationMap map(memory);
    ASSERT_EQ(map.size(), alive.size());
    EXPECT_EQ(map.category(1), Category::kWeightCopies);
    AllocationConditions conditions;
    conditions.category = Category::kWeightCopies;
    EXPECT_EQ(filterAllocations(memory, alive, conditions), (std::vector{AllocationId(1), AllocationId(4)}));
    conditions.category.reset();
    conditions.text = "weight cop";
    EXPECT_EQ(filterAllocations(memory, alive, conditions), (std::vector{AllocationId(1), AllocationId(4)}));
    std::int64_t ofLayers = 0;
    for (const LayerRow& layer : layersOf(*memory.snapshot(), {alive, &memory}).rows)
        ofLayers += layer.alive[copies];
    EXPECT_EQ(ofLayers, size);
}

}  // namespace warpglass::test::weight_copies_test
