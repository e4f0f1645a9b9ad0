#include "engine/query/memory/memory_breakdown.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "engine/query/memory/allocation_groups.h"
#include "engine/query/spans/module_group.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/memory/breakdown_name.h"

namespace warpglass::test::memory_breakdown_test {

/// Random allocations at random places, by random ops; every third has been freed by the end.
class Breakdown : public testing::Test {
protected:
    Breakdown() {
        std::mt19937_64 random(5);
        const auto any = [&](const std::vector<std::string>& words) {
            return words[random() % words.size()];
        };
        std::string text;
        std::int64_t t = 0;
        for (std::uint32_t i = 0; i < 3000; ++i, t += 10) {
            // One after another: the order in which a compiler evaluates arguments is its own.
            const std::uint64_t bytes = random() % 40 * 512;
            const std::string freed = random() % 3 == 0 ? std::to_string(t + 15) : "";
            const auto category = static_cast<Category>(random() % kStoredCategoryCount);
            const std::string phase = any({"setup", "forward", "backward"});
            const std::string module = any({"", "embed", "blocks.0", "blocks.0.attn", "blocks.1.attn"});
            const std::string op = any({"aten::mm", "aten::add", ""});
            text += filled("alloc % %-% % phase % module \"%\" op \"%\"\n", bytes, t, freed,
                           categoryName(category), phase, module, op);
        }
        m_end = Nanoseconds(t + 15);
        m_timeline = timelineOf(traceOf(text + filled("end %", t + 15)));
    }

    MemoryTimeline m_timeline;
    Nanoseconds m_end;
};

TEST_F(Breakdown, sumsWhatIsAliveByEveryKey) {
    for (const Nanoseconds t : {Nanoseconds(0), Nanoseconds(7500), m_end}) {
        for (const BreakdownKey key :
             {BreakdownKey::kCategory, BreakdownKey::kModule, BreakdownKey::kOp, BreakdownKey::kPhase,
              BreakdownKey::kModulePart, BreakdownKey::kModuleGroup}) {
            std::map<std::string, BreakdownRow> expected;
            std::int64_t all = 0;
            for (const AllocationId id : m_timeline.aliveAt(t)) {
                const AllocationDetail detail = describeAllocation(m_timeline, id);
                BreakdownRow& row = expected[breakdownName(*m_timeline.snapshot(), detail.row, key)];
                row.bytes.value += detail.row.bytes;
                ++row.allocations;
                row.byCategory[static_cast<std::size_t>(detail.row.category)] += detail.row.bytes;
                all += detail.row.bytes;
            }
            const std::vector<BreakdownRow> rows = breakdownAt(m_timeline, t, key);
            ASSERT_EQ(rows.size(), expected.size());
            EXPECT_EQ(all, sumOf(m_timeline.at(t)));
            for (std::size_t i = 0; i < rows.size(); ++i) {
                ASSERT_TRUE(expected.contains(rows[i].name)) << rows[i].name;
                const BreakdownRow& row = expected[rows[i].name];
                EXPECT_EQ(rows[i].bytes, row.bytes) << rows[i].name;
                EXPECT_EQ(rows[i].allocations, row.allocations);
                EXPECT_EQ(rows[i].byCategory, row.byCategory);
                EXPECT_DOUBLE_EQ(rows[i].share,
                                 static_cast<double>(row.bytes.value) / static_cast<double>(all));
                if (i > 0) {
                    EXPECT_GE(rows[i - 1].bytes, rows[i].bytes);
                }
            }
        }
    }
}

TEST_F(Breakdown, theRowsWithinARowAddUpToIt) {
    const std::vector<BreakdownRow> flat = breakdownAt(m_timeline, m_end, BreakdownKey::kCategory);
    const std::vector<BreakdownRow> tree =
        breakdownAt(m_timeline, m_end, {BreakdownKey::kCategory, BreakdownKey::kModulePart});
    ASSERT_EQ(tree.size(), flat.size());
    std::size_t opened = 0;
    for (std::size_t i = 0; i < tree.size(); ++i) {
        EXPECT_EQ(tree[i].name, flat[i].name);
        EXPECT_EQ(tree[i].bytes, flat[i].bytes);
        Bytes bytes;
        double share = 0;
        for (const BreakdownRow& part : tree[i].children) {
            bytes += part.bytes;
            share += part.share;
            EXPECT_EQ(part.key, BreakdownKey::kModulePart);
            EXPECT_EQ(part.byCategory[static_cast<std::size_t>(
                          std::find(kCategoryNames.begin(), kCategoryNames.end(), tree[i].name) -
                          kCategoryNames.begin())],
                      part.bytes.value);
        }
        if (tree[i].children.empty())
            continue;
        ++opened;
        EXPECT_GT(tree[i].children.size(), 1u);
        EXPECT_EQ(bytes, tree[i].bytes);
        EXPECT_NEAR(share, tree[i].share, 1e-12);
    }
    EXPECT_GT(opened, 0u);
}

TEST(MemoryBreakdown, ModulesWithinARowAreNamedBesideThoseWithinThem) {
    const MemoryTimeline timeline = timelineOf(traceOf(R"(
        alloc 512 10 weights module blocks.0.ffn op aten::empty
        alloc 1024 11 weights module blocks.0.ffn.w1 op aten::empty.out
        alloc 2048 12 weights module blocks.0.ffn op aten::empty.out
        end 15
    )"));
    const auto within = [&](BreakdownKey key) {
        const auto rows = breakdownAt(timeline, Nanoseconds(14), {BreakdownKey::kCategory, key});
        std::vector<std::string> names;
        for (const BreakdownRow& row : rows.at(0).children)
            names.push_back(row.name);
        return names;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(within(BreakdownKey::kModule), (Names{"blocks.0.ffn itself", "blocks.0.ffn.w1"}));
    EXPECT_EQ(within(BreakdownKey::kModuleGroup), (Names{"blocks.*.ffn itself", "blocks.*.ffn.w1"}));
    EXPECT_EQ(within(BreakdownKey::kOp), (Names{"aten::empty.out", "aten::empty"})) << "no modules";
}

TEST_F(Breakdown, groupsTakeAlikeAllocationsTogetherAndLeaveNoneOut) {
    const std::vector<AllocationId> alive = m_timeline.aliveAt(m_end);
    const auto groups = largestAllocationGroups(m_timeline, alive, alive.size());
    ASSERT_GT(groups.size(), 1u);
    ASSERT_LT(groups.size(), alive.size()) << "some are alike";
    std::set<AllocationId> met;
    std::set<std::string> keys;
    double share = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const AllocationGroup& group = groups[i];
        EXPECT_TRUE(keys.insert(group.key).second) << group.key;
        EXPECT_TRUE(i == 0 || groups[i - 1].row.bytes >= group.row.bytes);
        share += group.share;
        if (group.allocations == 1) {
            EXPECT_TRUE(group.children.empty());
            EXPECT_EQ(group.module, describeAllocation(m_timeline, group.id).module);
            met.insert(group.id);
            continue;
        }
        ASSERT_EQ(static_cast<std::int64_t>(group.children.size()), group.allocations);
        std::int64_t bytes = 0;
        for (const AllocationGroup& one : group.children) {
            met.insert(one.id);
            bytes += one.row.bytes;
            EXPECT_EQ(one.category, group.category);
            EXPECT_EQ(one.op, group.op);
            EXPECT_EQ(one.phase, group.phase);
            EXPECT_EQ(one.row.requested * group.allocations, group.row.requested);
            EXPECT_EQ(moduleGroup(one.module), moduleGroup(group.module));
            EXPECT_GE(one.allocated, group.allocated);
            EXPECT_LE(one.until, group.until);
            EXPECT_GE(one.longest, group.shortest);
            EXPECT_LE(one.longest, group.longest);
        }
        EXPECT_EQ(bytes, group.row.bytes);
    }
    EXPECT_EQ(met.size(), alive.size());
    EXPECT_NEAR(share, 1, 1e-9);
    EXPECT_TRUE(largestAllocationGroups(m_timeline, {}, 3).empty());
    EXPECT_EQ(largestAllocationGroups(m_timeline, alive, 2).size(), 2u);
}

TEST(AllocationGroups, AreNamedByAllBlocksAndLastFromTheFirstToTheLast) {
    const MemoryTimeline timeline = timelineOf(traceOf(R"(
        alloc 512 10 optimizer requested 500 phase optimizer module blocks.0.ffn.w1 op aten::zeros_like step 0
        alloc 1024 12 optimizer requested 500 phase optimizer module blocks.1.ffn.w1 op aten::zeros_like step 0
        alloc 512 13 optimizer requested 500 phase optimizer module lm_head op aten::zeros_like step 0
        end 15
    )"));
    const auto groups = largestAllocationGroups(timeline, timeline.aliveAt(Nanoseconds(14)), 10);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].module, "blocks.*.ffn.w1");
    EXPECT_EQ(groups[0].allocations, 2);
    EXPECT_EQ(groups[0].row.bytes, 1536);
    EXPECT_EQ(groups[0].each, Bytes(768));
    EXPECT_EQ(groups[0].allocated, Nanoseconds(10));
    EXPECT_EQ(groups[0].shortest, Nanoseconds(3));
    EXPECT_EQ(groups[0].longest, Nanoseconds(5));
    EXPECT_TRUE(groups[0].toEnd && groups[0].someToEnd);
    EXPECT_DOUBLE_EQ(groups[0].share, 0.75);
    EXPECT_EQ(groups[0].children[0].module, "blocks.1.ffn.w1") << "the largest first";
    EXPECT_EQ(groups[0].children[1].module, "blocks.0.ffn.w1");
    EXPECT_EQ(groups[1].module, "lm_head");
    EXPECT_EQ(singleAllocations(timeline, timeline.aliveAt(Nanoseconds(14)), 2).size(), 2u);
}

TEST(LargestHolding, IsTheLargestPartOfTheLargestCategory) {
    const MemoryTimeline timeline = timelineOf(traceOf(R"(
        alloc 4096 10 activations module blocks.0.ffn
        alloc 1024 10 weights module blocks.0.ffn.w1
        alloc 1024 11 weights module blocks.1.ffn.w2
        alloc 1024 12 weights module blocks.1.ffn
        alloc 2048 13 weights module lm_head
        alloc 512 14 weights
        end 20
    )"));
    const auto all = timeline.aliveAt(Nanoseconds(15));
    const LargestHolding holding = largestHolding(timeline, all);
    EXPECT_EQ(holding.category, Category::kWeights) << "though the largest allocation is another's";
    EXPECT_EQ(holding.bytes, Bytes(5632));
    EXPECT_EQ(holding.part, "blocks.*.ffn");
    EXPECT_EQ(holding.partBytes, Bytes(3072));
    EXPECT_EQ(holding.partAllocations, 3);
    EXPECT_EQ(holding.each, Bytes(1024));
    const LargestHolding head = largestHolding(timeline, {all[1], all[4]});
    EXPECT_EQ(head.part, "lm_head");
    const LargestHolding outside = largestHolding(timeline, {all[5]});
    EXPECT_EQ(outside.part, kOutsideModel);
    EXPECT_EQ(outside.bytes, outside.partBytes);
    const MemoryTimeline unequal = timelineOf(traceOf(R"(
        alloc 1024 10 weights module a
        alloc 512 11 weights module a.b
        end 20
    )"));
    EXPECT_FALSE(largestHolding(unequal, unequal.aliveAt(Nanoseconds(15))).each);
    EXPECT_EQ(largestHolding(timeline, {}).partAllocations, 0);
}

TEST(AllocationGroups, SayWhereOnlySomeLastToTheEnd) {
    const MemoryTimeline timeline = timelineOf(traceOf(R"(
        alloc 512 10-50 activations module blocks.0.ffn op aten::mm step 0
        alloc 512 12-20 activations module blocks.1.ffn op aten::mm step 0
        alloc 512 14 activations module blocks.2.ffn op aten::mm step 0
        end 60
    )"));
    const auto groups = largestAllocationGroups(timeline, timeline.aliveAt(Nanoseconds(15)), 10);
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups[0].allocations, 3);
    EXPECT_TRUE(groups[0].someToEnd);
    EXPECT_FALSE(groups[0].toEnd);
    EXPECT_FALSE(groups[0].freed);
    const auto early = largestAllocationGroups(timeline, timeline.aliveAt(Nanoseconds(13)), 10);
    ASSERT_EQ(early.size(), 1u);
    EXPECT_EQ(early[0].allocations, 2);
    EXPECT_FALSE(early[0].someToEnd);
    EXPECT_EQ(early[0].freed, Nanoseconds(50));
}

TEST_F(Breakdown, listsTheLargestFirstAndEqualOnesById) {
    const std::vector<AllocationId> alive = m_timeline.aliveAt(m_end);
    const auto all = largestAllocations(m_timeline, alive, alive.size() + 10);
    ASSERT_EQ(all.size(), alive.size());
    for (std::size_t i = 1; i < all.size(); ++i) {
        ASSERT_TRUE(all[i - 1].row.bytes > all[i].row.bytes ||
                    (all[i - 1].row.bytes == all[i].row.bytes && all[i - 1].id < all[i].id));
    }
    const auto ten = largestAllocations(m_timeline, alive, 10);
    ASSERT_EQ(ten.size(), 10u);
    for (std::size_t i = 0; i < ten.size(); ++i)
        EXPECT_EQ(ten[i].id, all[i].id);
    EXPECT_TRUE(largestAllocations(m_timeline, {}, 10).empty());
}

TEST(AllocationDetail, resolvesNamesAndTimes) {
    TraceText trace(
        "alloc 512 10 activations requested 500 phase forward module blocks.3.attn part scores "
        "op aten::bmm step 2 ; end 15");
    const AllocationId id(0);
    MemoryTimeline timeline;
    timeline.update(trace.snapshot());
    EXPECT_EQ(describeAllocation(timeline, id).freed, std::nullopt);
    trace.writer.appendFree(Nanoseconds(20), id);
    timeline.update(trace.add("end 30"));

    const AllocationDetail detail = describeAllocation(timeline, id);
    EXPECT_EQ(detail.category, "activations");
    EXPECT_EQ(detail.phase, "forward");
    EXPECT_EQ(detail.module, "blocks.3.attn");
    EXPECT_EQ(detail.part, "scores");
    EXPECT_EQ(detail.op, "aten::bmm");
    EXPECT_EQ(detail.row.requested, 500);
    EXPECT_EQ(detail.row.step, 2);
    EXPECT_EQ(detail.allocated, Nanoseconds(10));
    EXPECT_EQ(detail.freed, Nanoseconds(20));
}

TEST(MemoryBreakdown, isEmptyWithoutASnapshot) {
    MemoryTimeline timeline;
    EXPECT_TRUE(breakdownAt(timeline, Nanoseconds(0), BreakdownKey::kModule).empty());
    EXPECT_TRUE(largestAllocations(timeline, {}, 3).empty());
}

}  // namespace warpglass::test::memory_breakdown_test
