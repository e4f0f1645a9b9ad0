// Memory by module and by op after every event, against a replay; columns over events; what a tree of two
// keys holds; and what happens between two moments.
#include "engine/query/memory/memory_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "engine/query/memory/memory_between.h"
#include "engine/query/memory/memory_tree.h"
#include "engine/query/spans/module_group.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/memory/breakdown_name.h"

namespace warpglass::test::memory_groups_test {

TEST(MemoryGroups, SumsAfterEveryEventAreThoseOfAReplay) {
    for (const std::uint64_t seed : {1u, 2u}) {
        SyntheticOptions options;
        options.config.seed = seed;
        options.config.shape.layers = seed == 1 ? 2 : 12;
        const auto snapshot = makeSyntheticRun(options);
        const MemoryTimeline memory = timelineOf(snapshot);
        for (const MemoryGrouping grouping : {MemoryGrouping::kModule, MemoryGrouping::kOp}) {
            const MemoryGroups groups(memory, grouping);
            ASSERT_LE(groups.names().size(), MemoryGroups::kMost + 1);
            std::map<std::string, std::size_t> slots;
            for (std::size_t i = 0; i < groups.names().size(); ++i)
                slots[groups.names()[i]] =
                    groups.hasRest() && i + 1 == groups.names().size() ? MemoryGroups::kMost : i;
            const auto slotOf = [&](const AllocationRow& row) {
                std::string name = breakdownName(
                    *snapshot, row,
                    grouping == MemoryGrouping::kModule ? BreakdownKey::kModule : BreakdownKey::kOp);
                if (grouping == MemoryGrouping::kModule && name[0] != '(')
                    name = seed == 1 ? std::string(moduleStem(name)) : modulePart(name);
                const auto found = slots.find(name);
                return found == slots.end() ? MemoryGroups::kMost : found->second;
            };
            MemoryGroups::Bytes9 expected{};
            MemoryGroups::Cursor rising(groups, memory);
            std::vector<MemoryGroups::Bytes9> truth = {expected};
            for (std::uint64_t i = 0; i < snapshot->memoryEventCount(); ++i) {
                const MemoryEvent event = *snapshot->memoryEvent(i);
                const AllocationRow row = *snapshot->allocation(event.allocation);
                expected[slotOf(row)] += event.action == MemoryAction::kAllocate ? row.bytes : -row.bytes;
                ASSERT_EQ(rising.after(i + 1), expected) << "after " << i + 1;
                truth.push_back(expected);
            }
            std::uint64_t random = seed;
            MemoryGroups::Cursor anywhere(groups, memory);
            for (int i = 0; i < 200; ++i) {
                const std::size_t at = nextRandom(random) % truth.size();
                ASSERT_EQ(anywhere.after(at), truth[at]);
            }
        }
    }
}

TEST(MemoryGroups, OfManyBlocksThePartsThatAllHaveStandTogether) {
    SyntheticOptions options;
    options.config.shape.layers = 12;
    const auto snapshot = makeSyntheticRun(options);
    const MemoryTimeline memory = timelineOf(snapshot);
    const MemoryGroups groups(memory, MemoryGrouping::kModule);
    std::map<std::string, std::int64_t> atPeak;
    for (const BreakdownRow& row : breakdownAt(memory, memory.peak()->time, BreakdownKey::kModule))
        atPeak[row.name[0] == '(' ? row.name : modulePart(row.name)] += row.bytes.value;
    EXPECT_TRUE(atPeak.contains("blocks.*.attn"));
    const auto has = [&](const std::string& name) {
        return std::ranges::find(groups.names(), name) != groups.names().end();
    };
    std::int64_t smallestOwn = INT64_MAX;
    for (const auto& [name, bytes] : atPeak) {
        if (has(name))
            smallestOwn = std::min(smallestOwn, bytes);
    }
    for (const auto& [name, bytes] : atPeak) {
        if (!has(name)) {
            EXPECT_LE(bytes, smallestOwn) << name;
        }
    }
    for (const std::string& name : groups.names())
        EXPECT_FALSE(blockNumber(name)) << name;
}

TEST(MemoryGroups, OfFewBlocksEachHasItsOwnInTheModelsOrder) {
    SyntheticOptions options;
    options.config.shape.layers = 3;
    const auto snapshot = makeSyntheticRun(options);
    const MemoryGroups groups(timelineOf(snapshot), MemoryGrouping::kModule);
    std::vector<std::int64_t> blocks;
    for (const std::string& name : groups.names()) {
        if (const auto number = blockNumber(name))
            blocks.push_back(*number);
    }
    EXPECT_EQ(blocks, (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(ModuleGroup, APartIsTheSameOfEveryBlock) {
    EXPECT_EQ(modulePart("blocks.7.attn.q_proj"), "blocks.*.attn");
    EXPECT_EQ(modulePart("blocks.11.ffn"), "blocks.*.ffn");
    EXPECT_EQ(modulePart("blocks.7"), "blocks.*");
    EXPECT_EQ(modulePart("head.norm"), "head");
    EXPECT_EQ(modulePart("blocks.seven.attn"), "blocks.seven");
    EXPECT_EQ(modulePart("blocks.7."), "blocks.*.");
    EXPECT_EQ(modulePart(""), "");
}

TEST(MemoryGroups, DamageAndNonsenseDoNoHarm) {
    const auto whole = makeSyntheticRun();
    for (std::uint64_t seed = 1; seed < 12; ++seed) {
        const auto snapshot = mountScrambled(whole, seed);
        const MemoryTimeline memory = timelineOf(snapshot);
        const MemoryGroups groups(memory, MemoryGrouping::kOp);
        MemoryGroups::Cursor cursor(groups, memory);
        for (std::uint64_t i = 0; i <= memory.eventCount(); i += 7) {
            std::int64_t sum = 0;
            for (const std::int64_t bytes : cursor.after(i))
                sum = wrappingAdd(sum, bytes);
            ASSERT_EQ(sum, i == 0 ? 0 : sumOf(memory.afterEvent(i - 1).bytes));
        }
    }
}

TEST(MemoryGroups, WithoutItsAllocationsARunHasNone) {
    const auto whole = makeSyntheticRun();
    const MountedRun lost = mountWithDamage(whole, {.spans = {}, .memoryEvents = {}, .allocations = {0}});
    const MemoryTimeline memory = timelineOf(lost.snapshot);
    ASSERT_GT(memory.eventCount(), 0u);
    for (const MemoryGrouping grouping : {MemoryGrouping::kModule, MemoryGrouping::kOp}) {
        const MemoryGroups groups(memory, grouping);
        EXPECT_TRUE(groups.names().empty());
        MemoryGroups::Cursor cursor(groups, memory);
        EXPECT_EQ(cursor.after(memory.eventCount()), MemoryGroups::Bytes9{});
    }
}

TEST(MemoryColumnsOfEvents, AreTheHighestOfTheirEvents) {
    const auto snapshot = makeSyntheticRun();
    const MemoryTimeline memory = timelineOf(snapshot);
    const std::uint64_t count = memory.eventCount();
    for (const auto& [first, last] :
         {std::pair<std::uint64_t, std::uint64_t>{0, count}, {count / 3, count / 2}, {17, 30}}) {
        for (const std::size_t width : {1u, 7u, 64u, 333u}) {
            const auto columns = memory.columnsOfEvents(first, last, width);
            ASSERT_EQ(columns.size(), width);
            for (std::size_t c = 0; c < width; ++c) {
                const std::uint64_t begin = first + (last - first) * c / width;
                const std::uint64_t end = std::max(first + (last - first) * (c + 1) / width, begin + 1);
                // Where an event fills several columns it is the one before the column's end.
                const bool whole = (last - first) >= width;
                std::int64_t highest = INT64_MIN;
                for (std::uint64_t i = whole ? begin : end - 1; i < end; ++i)
                    highest = std::max(highest, sumOf(memory.afterEvent(i).bytes));
                if (whole) {
                    ASSERT_EQ(columns[c].maxTotal, highest) << c;
                }
                ASSERT_GE(columns[c].peakEvents, first + 1);
                ASSERT_LE(columns[c].peakEvents, last);
                ASSERT_EQ(sumOf(columns[c].atPeak), columns[c].maxTotal);
                ASSERT_EQ(memory.afterEvent(columns[c].peakEvents - 1).bytes, columns[c].atPeak);
            }
        }
    }
    EXPECT_TRUE(memory.columnsOfEvents(5, 5, 10).empty());
    EXPECT_TRUE(memory.columnsOfEvents(0, count, 0).empty());
}

TEST(MemoryColumns, SayAfterHowManyEventsTheyReachTheirHighest) {
    const auto snapshot = makeSyntheticRun();
    const MemoryTimeline memory = timelineOf(snapshot);
    for (const MemoryColumn& column : memory.columns(snapshot->range(), 200)) {
        const CategoryBytes there =
            column.peakEvents == 0 ? CategoryBytes{} : memory.afterEvent(column.peakEvents - 1).bytes;
        ASSERT_EQ(there, column.atPeak);
    }
}

TEST(MemoryTree, NodesAreTheSumsOfWhatIsAlive) {
    const auto snapshot = makeSyntheticRun();
    const MemoryTimeline memory = timelineOf(snapshot);
    std::uint64_t random = 3;
    for (int probe = 0; probe < 12; ++probe) {
        const Nanoseconds t(static_cast<std::int64_t>(
            nextRandom(random) % static_cast<std::uint64_t>(snapshot->range().end.value)));
        for (const std::vector<BreakdownKey>& keys :
             {std::vector{BreakdownKey::kCategory, BreakdownKey::kModuleGroup, BreakdownKey::kModule},
              {BreakdownKey::kModule, BreakdownKey::kCategory},
              {BreakdownKey::kModulePart, BreakdownKey::kModuleGroup, BreakdownKey::kModule},
              {BreakdownKey::kPhase},
              {BreakdownKey::kPhase, BreakdownKey::kOp}}) {
            // By the names on the way to every node.
            std::map<std::vector<std::string>, std::pair<Bytes, std::int64_t>> expected;
            Bytes asked;
            for (const AllocationId id : memory.aliveAt(t)) {
                const AllocationRow row = *snapshot->allocation(id);
                std::vector<std::string> names;
                for (std::size_t level = 0; level <= keys.size(); ++level) {
                    auto& [bytes, allocations] = expected[names];
                    bytes += Bytes(row.bytes);
                    ++allocations;
                    if (level < keys.size())
                        names.push_back(breakdownName(*snapshot, row, keys[level]));
                }
                asked += Bytes(row.requested);
            }
            const MemoryTreeNode root = memoryTreeAt(memory, t, keys);
            EXPECT_EQ(root.asked, asked);
            std::size_t nodes = 0;
            const auto check = [&](const auto& self, const MemoryTreeNode& node,
                                   const std::vector<std::string>& names,
                                   const std::vector<std::size_t>& path) -> void {
                ++nodes;
                const auto& [bytes, allocations] = expected[names];
                EXPECT_EQ(node.bytes, bytes);
                EXPECT_EQ(node.allocations, allocations);
                EXPECT_EQ(sumOf(node.byCategory), bytes.value);
                EXPECT_EQ(static_cast<std::int64_t>(allocationsUnder(memory, t, keys, path).size()),
                          allocations);
                Bytes last(INT64_MAX);
                std::size_t lastKey = 0;
                for (const MemoryTreeNode& child : node.children) {
                    EXPECT_LE(child.bytes, last);
                    EXPECT_TRUE(child.bytes != last || child.key > lastKey) << "equal ones by key";
                    last = child.bytes;
                    lastKey = child.key;
                    auto childNames = names;
                    childNames.push_back(child.name);
                    auto childPath = path;
                    childPath.push_back(child.key);
                    self(self, child, childNames, childPath);
                }
                EXPECT_EQ(node.children.empty(), path.size() == keys.size() || node.allocations == 0);
            };
            check(check, root, {}, {});
            EXPECT_EQ(nodes, std::max<std::size_t>(1, expected.size()));
        }
    }
}

TEST(MemoryBetween, AgreesWithWhatWasAliveAtBothEnds) {
    const auto snapshot = makeSyntheticRun();
    const MemoryTimeline memory = timelineOf(snapshot);
    std::uint64_t random = 8;
    const auto end = static_cast<std::uint64_t>(snapshot->range().end.value);
    for (int probe = 0; probe < 30; ++probe) {
        auto a = static_cast<std::int64_t>(nextRandom(random) % (end + 2));
        auto b = static_cast<std::int64_t>(nextRandom(random) % (end + 2));
        if (a == b)
            continue;
        const TimeRange range{Nanoseconds(std::min(a, b)), Nanoseconds(std::max(a, b))};
        for (const BreakdownKey key :
             {BreakdownKey::kCategory, BreakdownKey::kModule, BreakdownKey::kModulePart,
              BreakdownKey::kModuleGroup, BreakdownKey::kOp}) {
            const bool ofModules = key != BreakdownKey::kCategory && key != BreakdownKey::kOp;
            std::map<std::string, MemoryBetweenRow> expected;
            MemoryBetweenRow total;
            std::int64_t atBegin = 0, atEnd = 0;
            for (std::uint64_t i = 0; i < snapshot->allocationCount(); ++i) {
                const AllocationId id(static_cast<std::uint32_t>(i));
                const AllocationRow row = *snapshot->allocation(id);
                const Nanoseconds born = memory.allocatedAt(id);
                const Nanoseconds freed = memory.freedAt(id).value_or(Nanoseconds(INT64_MAX));
                atBegin += born < range.begin && freed >= range.begin ? row.bytes : 0;
                atEnd += born < range.end && freed >= range.end ? row.bytes : 0;
                const bool in = range.contains(born), out = range.contains(freed);
                if (!in && !out)
                    continue;
                const auto take = [&](MemoryFlow& flow, bool counts) {
                    flow.bytes += Bytes(counts ? row.bytes : 0);
                    flow.allocations += counts ? 1 : 0;
                };
                for (MemoryBetweenRow* to : {&expected[breakdownName(*snapshot, row, key)], &total}) {
                    take(to->allocated, in);
                    take(to->freed, out);
                    take(to->kept, in && !out);
                    take(to->freedOlder, out && !in);
                }
            }
            const MemoryBetween between = memoryBetween(memory, range, key);
            EXPECT_EQ(between.atBegin.value, atBegin);
            EXPECT_EQ(between.atEnd.value, atEnd);
            EXPECT_EQ(between.atEnd - between.atBegin, between.total.change());
            for (std::size_t c = 0; c < kCategoryCount; ++c)
                EXPECT_EQ(between.total.byCategory[c],
                          between.categoriesAtEnd[c] - between.categoriesAtBegin[c]);
            const auto bridge = must(memoryBridge(between));
            std::int64_t way = bridge.a;
            for (const Bridge::Part& part : bridge.parts)
                way += part.difference();
            EXPECT_EQ(way, atEnd);
            ASSERT_EQ(between.rows.size(), expected.size());
            const auto same = [](const MemoryBetweenRow& x, const MemoryBetweenRow& y) {
                return x.allocated == y.allocated && x.freed == y.freed && x.kept == y.kept &&
                       x.freedOlder == y.freedOlder;
            };
            EXPECT_TRUE(same(between.total, total));
            const MemoryFlow transient = between.total.transient();
            EXPECT_EQ(between.total.freedOlder.bytes + transient.bytes, between.total.freed.bytes);
            EXPECT_EQ(between.total.freedOlder.allocations + transient.allocations,
                      between.total.freed.allocations);
            for (const MemoryBetweenRow& row : between.rows) {
                // A module beside others within it is said to be without them.
                constexpr std::string_view kItself = " itself";
                const bool alone = row.name.ends_with(kItself);
                const std::string name = row.name.substr(0, row.name.size() - (alone ? kItself.size() : 0));
                const auto within = expected.lower_bound(name + '.');
                EXPECT_EQ(alone,
                          ofModules && within != expected.end() && within->first.starts_with(name + '.'))
                    << row.name;
                EXPECT_TRUE(same(row, expected.at(name))) << row.name;
            }
        }
    }
    EXPECT_TRUE(memoryBetween(memory, {Nanoseconds(5), Nanoseconds(5)}, BreakdownKey::kOp).rows.empty());
}

std::vector<std::string> sortedNames(const std::vector<MemoryBetweenRow>& rows) {
    std::vector<std::string> names;
    for (const MemoryBetweenRow& row : rows)
        names.push_back(row.name);
    std::ranges::sort(names);
    return names;
}

TEST(MemoryBetween, OnlyModulesAreNamedBesideThoseWithinThem) {
    // A name between "add" and "add." in order, and an op that is called as its module.
    const auto run = traceOf(R"(
        info state finished
        forward 0-100
          module add 0-80
            op add 1-9
              alloc 512 3- activations
            op add-in-place 10-19
              alloc 512 12- activations
            op add.out 20-29
              alloc 512 22- activations
          module add-on 81-85
            op mul 82-84
              alloc 512 83- activations
          module add.inner 86-95
            op mul 87-94
              alloc 512 88- activations
    )");
    const MemoryTimeline memory = timelineOf(run);
    const TimeRange all{Nanoseconds(0), Nanoseconds(100)};
    using Names = std::vector<std::string>;
    EXPECT_EQ(sortedNames(memoryBetween(memory, all, BreakdownKey::kOp).rows),
              (Names{"add", "add-in-place", "add.out", "mul"}));
    const MemoryBetween tree = memoryBetween(memory, all, {BreakdownKey::kModule, BreakdownKey::kOp});
    EXPECT_EQ(sortedNames(tree.rows), (Names{"add itself", "add-on", "add.inner"}));
    for (const MemoryBetweenRow& row : tree.rows) {
        if (row.name == "add itself") {
            EXPECT_EQ(sortedNames(row.children), (Names{"add", "add-in-place", "add.out"}));
        }
    }
}

TEST(MemoryBetween, TheLargestChangeThatThereCanBeComesFirst) {
    // Two of 4 EiB: their sum wraps to the smallest number that there is.
    const auto run = traceOf(R"(
        info state finished
        alloc 4611686018427387904 3- activations
        alloc 4611686018427387904 4- activations
        alloc 512 5- gradients
    )");
    const MemoryBetween between =
        memoryBetween(timelineOf(run), {Nanoseconds(0), Nanoseconds(10)}, BreakdownKey::kCategory);
    ASSERT_EQ(between.rows.size(), 2u);
    EXPECT_EQ(between.rows.front().change().value, INT64_MIN);
}

/// At each level, a row holds the sums of the rows that are within it.
void expectSumsOfChildren(const std::vector<MemoryBetweenRow>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const MemoryBetweenRow& row = rows[i];
        if (i > 0) {
            EXPECT_LE(std::abs(row.change().value), std::abs(rows[i - 1].change().value));
        }
        if (row.children.empty())
            continue;
        MemoryBetweenRow sum;
        const auto take = [](MemoryFlow& to, const MemoryFlow& from) {
            to.bytes += from.bytes;
            to.allocations += from.allocations;
        };
        for (const MemoryBetweenRow& child : row.children) {
            take(sum.allocated, child.allocated);
            take(sum.freed, child.freed);
            take(sum.kept, child.kept);
            take(sum.freedOlder, child.freedOlder);
        }
        EXPECT_EQ(sum.allocated, row.allocated) << row.name;
        EXPECT_EQ(sum.freed, row.freed) << row.name;
        EXPECT_EQ(sum.kept, row.kept) << row.name;
        EXPECT_EQ(sum.freedOlder, row.freedOlder) << row.name;
        expectSumsOfChildren(row.children);
    }
}

TEST(MemoryBetween, TheRowsOfALevelAddUpToTheRowThatTheyAreWithin) {
    const auto snapshot = makeSyntheticRun();
    const MemoryTimeline memory = timelineOf(snapshot);
    const TimeRange range{Nanoseconds(snapshot->range().end.value / 4),
                          Nanoseconds(snapshot->range().end.value / 2)};
    const MemoryBetween tree = memoryBetween(
        memory, range, {BreakdownKey::kModulePart, BreakdownKey::kModuleGroup, BreakdownKey::kOp});
    const MemoryBetween flat = memoryBetween(memory, range, BreakdownKey::kModulePart);
    ASSERT_GT(flat.rows.size(), 1u);
    ASSERT_EQ(tree.rows.size(), flat.rows.size());
    for (std::size_t i = 0; i < flat.rows.size(); ++i) {
        EXPECT_EQ(tree.rows[i].name, flat.rows[i].name);
        EXPECT_EQ(tree.rows[i].allocated, flat.rows[i].allocated);
        EXPECT_FALSE(tree.rows[i].children.empty());
    }
    expectSumsOfChildren(tree.rows);
}

TEST(ModuleStem, IsTheBlockOrTheFirstName) {
    EXPECT_EQ(moduleStem("blocks.7.attn.q"), "blocks.7");
    EXPECT_EQ(moduleStem("blocks.7"), "blocks.7");
    EXPECT_EQ(moduleStem("head.norm"), "head");
    EXPECT_EQ(moduleStem("embed"), "embed");
    EXPECT_EQ(moduleStem(""), "");
}

}  // namespace warpglass::test::memory_groups_test
