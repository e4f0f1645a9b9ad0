#include "engine/query/memory/memory_breakdown.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "engine/query/spans/module_group.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::memory_breakdown_test {

/// Random allocations at random places, by random ops; every third has been freed by the end.
class Breakdown : public testing::Test {
protected:
    Breakdown() {
        std::mt19937_64 random(5);
        std::vector<PlaceId> places;
        for (const char* module : {"", "embed", "blocks.0", "blocks.0.attn", "blocks.1.attn"}) {
            for (const Phase phase : {Phase::kSetup, Phase::kForward, Phase::kBackward}) {
                Place place{.phase = phase};
                if (*module)
                    place.module = m_writer.internName(module);
                places.push_back(m_writer.internPlace(place));
            }
        }
        const NameId ops[] = {m_writer.internName("aten::mm"), m_writer.internName("aten::add"), NameId()};
        std::int64_t t = 0;
        for (std::uint32_t i = 0; i < 3000; ++i) {
            AllocationRow row{.bytes = static_cast<std::int64_t>(random() % 40 * 512),
                              .place = places[random() % places.size()],
                              .op = ops[random() % 3],
                              .category = static_cast<Category>(random() % kStoredCategoryCount)};
            t += 10;
            m_writer.appendAllocation(Nanoseconds(t), row);
            if (i % 3 == 2)
                m_writer.appendFree(Nanoseconds(t + 5),
                                    AllocationId(static_cast<std::uint32_t>(random() % 10) == 0 ? i : i - 1));
        }
        m_writer.settle();
        m_writer.commit(Nanoseconds(t));
        m_end = Nanoseconds(t + 5);
        m_timeline.update(m_writer.feed()->latest());
    }

    std::string keyOf(const AllocationDetail& detail, BreakdownKey key) const {
        switch (key) {
            case BreakdownKey::kCategory:
                return detail.category;
            case BreakdownKey::kPhase:
                return detail.phase == "none" ? "(outside a phase)" : detail.phase;
            case BreakdownKey::kModule:
                return detail.module.empty() ? "(outside the model)" : detail.module;
            case BreakdownKey::kModulePart:
                return detail.module.empty() ? "(outside the model)" : modulePart(detail.module);
            case BreakdownKey::kModuleGroup:
                return detail.module.empty() ? "(outside the model)" : moduleGroup(detail.module);
            case BreakdownKey::kOp:
                return detail.op.empty() ? "(outside any op)" : detail.op;
        }
        return {};
    }

    TraceWriter m_writer;
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
                BreakdownRow& row = expected[keyOf(detail, key)];
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
