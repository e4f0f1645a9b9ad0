// The op and the modules of kernels that a CUDA graph replayed.
#include "engine/query/links/graph_captures.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/query/links/link_index.h"
#include "engine/query/links/span_links.h"
#include "engine/query/spans/spans_at.h"
#include "engine/session/save_run.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/captured_run.h"
#include "tests/unit/query/gpu_run_by_chance.h"

namespace warpglass::test::graph_captures_test {

TEST(GraphCaptures, AReplayedKernelHasTheOpAndTheModulesOfItsCapture) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const CapturedRun run({.seed = seed});
        ASSERT_GT(run.nodes.size(), 30u);
        std::size_t replayed = 0;
        for (const FoundSpan& kernel : spansOfKind(*run.snapshot, TrackKind::kGpuStream)) {
            const SpanLinks links = spanLinks(*run.snapshot, &run.index, kernel.ref);
            if (kernel.row.step == kNoStep) {
                EXPECT_FALSE(links.captured);
                EXPECT_TRUE(links.launch);
                continue;
            }
            const CapturedRun::Node& node = run.nodes[replayed++ % run.nodes.size()];
            ASSERT_EQ(run.snapshot->detail(kernel.row.detail)->graphNode, node.id);
            EXPECT_EQ(links.captured, run.callOf(node));
            EXPECT_EQ(links.op, run.opOf(node));
            EXPECT_EQ(links.modules, std::vector<SpanRef>{run.moduleOf(node)});
            ASSERT_TRUE(links.launch);
            EXPECT_EQ(run.snapshot->name(rowOf(*run.snapshot, *links.launch)->name), "cuGraphLaunch");
            const CauseChain chain = causeChain(*run.snapshot, &run.index, kernel.ref);
            EXPECT_TRUE(chain.captured);
            EXPECT_EQ(chain.spans[static_cast<std::size_t>(CauseLevel::kOp)], run.opOf(node));
            EXPECT_EQ(chain.spans[static_cast<std::size_t>(CauseLevel::kModule)], run.moduleOf(node));
            EXPECT_EQ(chain.beside(-1), links.launch);
        }
        EXPECT_EQ(replayed, 2 * run.nodes.size());
    }
}

TEST(GraphCaptures, AnOpAndACallOfTheCaptureLeadToWhatTheFirstReplayRanOfThem) {
    std::size_t replayed = 0, atOnce = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const CapturedRun run({.seed = seed});
        const Snapshot& snapshot = *run.snapshot;
        // By op and by call, in order of time: each replay runs the nodes in the order of the capture.
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<SpanRef>> expected;
        std::size_t next = 0;
        for (const FoundSpan& kernel : spansOfKind(snapshot, TrackKind::kGpuStream)) {
            if (kernel.row.step != 0)
                continue;
            const CapturedRun::Node& node = run.nodes.at(next++);
            for (const SpanRef above : {run.opOf(node), run.callOf(node)})
                expected[{above.lane.value, above.row}].push_back(kernel.ref);
        }
        ASSERT_EQ(next, run.nodes.size());
        for (const TrackKind kind : {TrackKind::kCpuThread, TrackKind::kApiThread}) {
            for (const FoundSpan& span : spansOfKind(snapshot, kind)) {
                if (span.row.step != kNoStep || snapshot.name(span.row.name) == "aten::outer")
                    continue;
                const SpanLinks links = spanLinks(snapshot, &run.index, span.ref);
                if (!links.work.empty() && rowOf(snapshot, links.work.front())->step == kNoStep) {
                    ++atOnce;  // outside the graph: what runs then comes first
                    continue;
                }
                EXPECT_EQ(links.work, (expected[{span.ref.lane.value, span.ref.row}]));
                EXPECT_FALSE(links.captured);
                if (links.work.empty())
                    continue;
                ++replayed;
                ASSERT_TRUE(links.launch);
                if (kind == TrackKind::kApiThread) {
                    EXPECT_EQ(links.launch, span.ref);
                    continue;
                }
                EXPECT_EQ(snapshot.name(rowOf(snapshot, *links.launch)->name), "cuGraphLaunch");
                // And from there back up again.
                const CauseChain chain = causeChain(snapshot, &run.index, links.work.front());
                EXPECT_EQ(chain.spans[static_cast<std::size_t>(CauseLevel::kOp)], span.ref);
            }
        }
    }
    EXPECT_GT(replayed, 300u);
    EXPECT_GT(atOnce, 10u);
}

TEST(GraphCaptures, AModuleOfTheCaptureLeadsToWhatTheFirstReplayRanOfIt) {
    std::size_t replayed = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const CapturedRun run({.seed = seed});
        const Snapshot& snapshot = *run.snapshot;
        std::map<std::uint64_t, const CapturedRun::Node*> firstOf;  // by the module's row
        for (const CapturedRun::Node& node : run.nodes)
            firstOf.try_emplace(node.module, &node);
        for (const auto& [module, node] : firstOf) {
            const SpanRef ref = run.moduleOf(*node);
            const CauseChain chain = causeChain(snapshot, &run.index, ref);
            const auto work = must(chain.spans[static_cast<std::size_t>(CauseLevel::kWork)]);
            EXPECT_EQ(chain.spans[static_cast<std::size_t>(CauseLevel::kOp)], run.opOf(*node));
            const SpanRow ran = *rowOf(snapshot, work);
            if (ran.step == kNoStep)
                continue;  // outside the graph: what runs then comes first
            ++replayed;
            EXPECT_EQ(ran.step, 0);
            EXPECT_EQ(snapshot.detail(ran.detail)->graphNode, node->id);
        }
    }
    EXPECT_GT(replayed, 100u);
}

/// Every node but those of this op has its call. How many have none.
std::size_t expectAllLinkedBut(const CapturedRun& run, NameId unsure) {
    std::size_t left = 0;
    for (const CapturedRun::Node& node : run.nodes) {
        const bool isUnsure = node.opName == unsure;
        EXPECT_EQ(run.index.captured(node.id), isUnsure ? std::nullopt : std::optional(run.callOf(node)));
        left += isUnsure ? 1 : 0;
    }
    EXPECT_LT(left, run.nodes.size());
    return left;
}

TEST(GraphCaptures, WhereANodeNeverRanTheOthersOfItsOpAreLeftWithout) {
    for (std::uint64_t seed = 21; seed <= 25; ++seed) {
        const CapturedRun run({.seed = seed, .lostNode = 7});
        EXPECT_GT(expectAllLinkedBut(run, run.nodes[7].opName), 1u);
        EXPECT_FALSE(run.index.captured(0));
    }
}

TEST(GraphCaptures, NodesOfSeveralGraphsAndFillsAmongTheCopiesAreEachTheirOwnCalls) {
    for (std::uint64_t seed = 41; seed <= 44; ++seed) {
        const CapturedRun run({.seed = seed, .captures = 2, .fillsAmongCopies = true});
        std::map<std::uint64_t, const CapturedRun::Node*> byId;
        for (const CapturedRun::Node& node : run.nodes)
            byId[node.id] = &node;
        std::size_t replayed = 0, fills = 0;
        for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
            for (const FoundSpan& work : spansOfKind(*run.snapshot, kind)) {
                if (work.row.step == kNoStep)
                    continue;
                const CapturedRun::Node& node = *byId.at(run.snapshot->detail(work.row.detail)->graphNode);
                const SpanLinks links = spanLinks(*run.snapshot, &run.index, work.ref);
                EXPECT_EQ(links.captured, run.callOf(node));
                EXPECT_EQ(links.op, run.opOf(node));
                EXPECT_EQ(links.modules, std::vector<SpanRef>{run.moduleOf(node)});
                ++replayed;
                fills += kind == TrackKind::kGpuCopies ? 1 : 0;
                if (work.row.step % 2 == 0) {  // the first replay of its graph
                    EXPECT_EQ(spanLinks(*run.snapshot, &run.index, run.callOf(node)).work,
                              std::vector<SpanRef>{work.ref});
                }
            }
        }
        EXPECT_EQ(replayed, 2 * run.nodes.size());
        EXPECT_GT(fills, 10u);
    }
}

/// Two nodes of one op with one of that op between them that was made elsewhere than the second: without the
/// call of the first and without the second node there are as many of both, and they do not fit.
std::optional<std::pair<std::size_t, std::size_t>> lossesThatMatchInNumber(const CapturedRun& run) {
    const auto& nodes = run.nodes;
    for (std::size_t a = 0; a < nodes.size(); ++a) {
        std::size_t before = a;
        for (std::size_t b = a + 1; b < nodes.size(); ++b) {
            if (nodes[b].opName != nodes[a].opName)
                continue;
            if (nodes[b].place != nodes[before].place)
                return std::pair(a, b);
            before = b;
        }
    }
    return std::nullopt;
}

TEST(GraphCaptures, WhereAsManyCallsAsNodesAreLostNoneOfTheirOpIsLinked) {
    for (std::uint64_t seed = 51; seed <= 55; ++seed) {
        const auto lost = must(lossesThatMatchInNumber(CapturedRun({.seed = seed})));
        const CapturedRun run({.seed = seed, .lostNode = lost.second, .lostCall = lost.first});
        expectAllLinkedBut(run, run.nodes[lost.first].opName);
    }
}

TEST(GraphCaptures, ARunThatStatesLossesOfCallsOrWorkLinksNone) {
    for (const char* loss : {"call into CUDA lost: event ring full", "GPU record dropped by CUPTI",
                             "graph node lost: event ring full", "op lost: event ring full"}) {
        const CapturedRun run({.seed = 61, .loss = loss});
        for (const CapturedRun::Node& node : run.nodes)
            EXPECT_FALSE(run.index.captured(node.id)) << loss;
    }
    const CapturedRun run({.seed = 61, .loss = "counter sample lost: event ring full"});
    for (const CapturedRun::Node& node : run.nodes)
        EXPECT_EQ(run.index.captured(node.id), run.callOf(node)) << "it says nothing of either";
}

/// A capture of aten::b within aten::a and then of aten::a within aten::b, a launch in each inner one, and a
/// replay of both. Steps of another track go on around all of it.
struct CrossedOps {
    std::shared_ptr<const Snapshot> commit() { return run.add("end 200"); }

    static constexpr std::uint64_t kNodes[] = {8589934593, 8589934594};
    TraceText run{R"(
        step 0 0-200 on "steps of another"
        capture 5-100
          op aten::a 10-30 | op aten::b 12-28 | launch 15-20
          op aten::b 40-60 | op aten::a 42-58 | launch 45-50
        step 0 105-130 | call cuGraphLaunch 110-115
          kernel kernel 120-123 op aten::b node 8589934593
          kernel kernel 124-127 op aten::a node 8589934594
    )"};
    TrackId calls = run.snapshot()->tracksOfKind(TrackKind::kApiThread)[0];
    TrackId kernels = run.snapshot()->tracksOfKind(TrackKind::kGpuStream)[0];
};

TEST(GraphCaptures, AreFoundAmongTheStepsOfEveryTrack) {
    CrossedOps run;
    const auto snapshot = run.commit();
    LinkIndex index;
    index.update(*snapshot);
    ASSERT_TRUE(index.knowsCaptured());
    for (std::uint64_t i = 0; i < 2; ++i) {
        const SpanRef call{snapshot->lanesOf(run.calls)[0].id(), i},
            kernel{snapshot->lanesOf(run.kernels)[0].id(), i};
        EXPECT_EQ(index.captured(CrossedOps::kNodes[i]), call);
        EXPECT_EQ(spanLinks(*snapshot, &index, call).work, std::vector<SpanRef>{kernel});
    }
}

TEST(GraphCaptures, WhereTheInnerOpsCannotBeReadNoneIsLinkedByTheOuterOnes) {
    const TemporaryFolder folder;
    const auto path = folder / "crossed.wgrun";
    ASSERT_TRUE(saveRun(*CrossedOps().commit(), path));
    alterRun(path,
             "UPDATE chunks SET data=zeroblob(1000) WHERE kind=0 AND lane IN (SELECT lanes.id FROM "
             "lanes JOIN tracks ON tracks.id=lanes.track WHERE lanes.depth=1 AND tracks.kind=" +
                 std::to_string(static_cast<int>(TrackKind::kCpuThread)) + ")");
    const auto run = must(openRun(path));
    LinkIndex index;
    index.update(*run.snapshot);
    EXPECT_GT(run.snapshot->damage().count(), 0u) << "as it read the ops";
    EXPECT_FALSE(index.knowsCaptured());
    for (const std::uint64_t node : CrossedOps::kNodes)
        EXPECT_FALSE(index.captured(node));
}

TEST(GraphCaptures, ALossThatIsStatedAfterTheReplayUnlinksThem) {
    CrossedOps run;
    LinkIndex index;
    index.update(*run.commit());
    EXPECT_TRUE(index.captured(CrossedOps::kNodes[0]));
    run.run.add("lost \"op lost: event ring full\" 1");
    index.update(*run.commit());
    EXPECT_FALSE(index.captured(CrossedOps::kNodes[0]));
}

TEST(GraphCaptures, WhatAReplayAllocatedForAKernelIsWhatBeganWithIt) {
    const CapturedRun run({.seed = 31});
    std::size_t i = 0, found = 0;
    for (const FoundSpan& kernel : spansOfKind(*run.snapshot, TrackKind::kGpuStream)) {
        if (kernel.row.step == kNoStep)
            continue;
        const CapturedRun::Node& node = run.nodes[i++ % run.nodes.size()];
        const auto caused =
            allocationsCausedBy(*run.snapshot, spanLinks(*run.snapshot, &run.index, kernel.ref), 10);
        EXPECT_EQ(caused.size(), static_cast<std::size_t>(node.allocations));
        for (const CausedAllocation& allocation : caused) {
            EXPECT_EQ(allocation.time, kernel.row.start);
            EXPECT_EQ(run.snapshot->allocation(allocation.allocation)->step, kernel.row.step);
        }
        found += caused.size();
    }
    EXPECT_GT(found, 30u);
}

TEST(GraphCaptures, OfTheSampleRunEveryReplayedKernelIsLinked) {
    const auto run = openSampleRun("small-bf16-graph");
    const Snapshot& snapshot = *run;
    LinkIndex index;
    index.update(snapshot);
    std::size_t replayed = 0, inModules = 0;
    for (const FoundSpan& kernel : spansOfKind(snapshot, TrackKind::kGpuStream)) {
        const auto detail = snapshot.detail(kernel.row.detail);
        if (!detail || detail->graphNode == 0)
            continue;
        ++replayed;
        const SpanLinks links = spanLinks(snapshot, &index, kernel.ref);
        ASSERT_TRUE(links.captured && links.op);
        EXPECT_EQ(rowOf(snapshot, *links.op)->name, detail->op);
        EXPECT_EQ(rowOf(snapshot, *links.captured)->place, kernel.row.place);
        if (links.modules.empty())
            continue;
        ++inModules;
        EXPECT_EQ(rowOf(snapshot, links.modules.back())->name, snapshot.place(kernel.row.place).module);
    }
    EXPECT_EQ(replayed, 3075u);
    EXPECT_GT(inModules, 3000u);
}

}  // namespace warpglass::test::graph_captures_test
