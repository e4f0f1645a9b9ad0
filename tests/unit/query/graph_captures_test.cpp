// The op and the modules of kernels that a CUDA graph replayed.
#include "engine/query/graph_captures.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/query/link_index.h"
#include "engine/query/span_links.h"
#include "engine/query/spans_at.h"
#include "engine/trace/trace_writer.h"
#include "tests/unit/query/gpu_run_by_chance.h"

namespace warpglass {
namespace {

using test::FoundSpan;
using test::spansOfKind;

/// A capture of random ops on two threads and two replays of what it made. What made each node is kept: by
/// track and row, as lanes have no ids before they are published.
class CapturedRun {
public:
    struct Node {
        std::uint64_t id = 0;
        std::size_t thread = 0;
        std::uint64_t call = 0, op = 0, module = 0;  // rows
        PlaceId place;
        NameId opName;
        int allocations = 0;
    };

    /// `lost`: of the nodes, one that never ran.
    explicit CapturedRun(std::uint64_t seed, std::optional<std::size_t> lost = {}) : m_random(seed) {
        for (std::size_t i = 0; i < 2; ++i) {
            const std::string name = i == 0 ? "main" : "thread 1";
            m_ops[i] = m_writer.addTrack(TrackKind::kCpuThread, name);
            m_calls[i] = m_writer.addTrack(TrackKind::kApiThread, "CUDA calls · " + name);
        }
        capture();
        for (std::int32_t step = 0; step < 2; ++step)
            replay(step, lost);
        m_writer.settle();
        m_writer.commit(Nanoseconds(m_now));
        snapshot = m_writer.feed()->latest();
        index.update(*snapshot);
    }

    SpanRef at(TrackId track, std::uint32_t depth, std::uint64_t row) const {
        return {snapshot->lanesOf(track)[depth].id(), row};
    }
    SpanRef callOf(const Node& node) const { return at(m_calls[node.thread], 0, node.call); }
    SpanRef opOf(const Node& node) const { return at(m_ops[node.thread], 1, node.op); }
    SpanRef moduleOf(const Node& node) const { return at(m_modules, 0, node.module); }

    std::shared_ptr<const Snapshot> snapshot;
    LinkIndex index;
    std::vector<Node> nodes;

private:
    std::int64_t chance(std::int64_t below) {
        return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(below));
    }

    SpanRow span(std::int64_t begin, std::int64_t end, const std::string& name, PlaceId place,
                 std::int32_t step, std::uint64_t link = 0) {
        SpanRow row;
        row.start = begin;
        row.duration = row.self = end - begin;
        row.name = m_writer.internName(name);
        row.place = place;
        row.step = step;
        row.link = link;
        return row;
    }

    void capture() {
        const std::int64_t begin = m_now;
        std::array<std::uint64_t, 2> opRows{}, callRows{};
        std::uint64_t id = (std::uint64_t{2} << 32) + 1;
        for (std::uint64_t i = 0; i < 60; ++i) {
            const auto thread = static_cast<std::size_t>(chance(2));
            const std::string op = "aten::op" + std::to_string(chance(4));
            const std::string module = "blocks." + std::to_string(chance(3));
            const PlaceId place = m_writer.internPlace({Phase::kForward, m_writer.internName(module), {}});
            const std::int64_t from = m_now += 10;
            const std::int64_t calls = chance(4);
            for (std::int64_t c = 0; c < calls; ++c) {
                const std::int64_t kind = chance(6);
                const std::int64_t at = m_now += 10;
                m_writer.appendSpan(m_calls[thread], 0,
                                    span(at, at + 5,
                                         kind == 0   ? "cuMemAlloc_v2"
                                         : kind == 1 ? "cuMemsetD8Async"
                                                     : "cuLaunchKernel",
                                         place, kNoStep, ++m_correlation));
                if (kind == 2)  // outside the graph, and run at once
                    m_writer.appendSpan(m_kernels, 0,
                                        span(at + 6, at + 8, "kernel", place, kNoStep, m_correlation));
                else if (kind != 0)
                    nodes.push_back({id += static_cast<std::uint64_t>(1 + chance(3)), thread,
                                     callRows[thread], opRows[thread], i, place, m_writer.internName(op),
                                     static_cast<int>(chance(3))});
                ++callRows[thread];
            }
            m_now += 10;
            m_writer.appendSpan(m_ops[thread], 0, span(from, m_now, "aten::outer", place, kNoStep));
            m_writer.appendSpan(m_ops[thread], 1, span(from + 1, m_now - 1, op, place, kNoStep));
            ++opRows[thread];
            m_writer.appendSpan(m_modules, 0, span(from, m_now, module, place, kNoStep));
        }
        m_writer.appendSpan(m_steps, 0, span(begin, ++m_now, "graph capture", {}, kNoStep));
    }

    void replay(std::int32_t step, std::optional<std::size_t> lost) {
        const std::int64_t begin = ++m_now;
        m_writer.appendSpan(m_calls[0], 0,
                            span(begin, begin + 5, "cuGraphLaunch", {}, step, ++m_correlation));
        m_now += 10;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (lost == i)
                continue;
            const Node& node = nodes[i];
            SpanDetail detail;
            detail.op = node.opName;
            detail.graphNode = node.id;
            SpanRow kernel = span(m_now, m_now + 3, "kernel", node.place, step, m_correlation);
            kernel.detail = m_writer.internDetail(detail);
            AllocationRow allocation;
            allocation.place = node.place;
            allocation.step = step;
            allocation.bytes = allocation.requested = 512;
            for (int a = 0; a < node.allocations; ++a)
                m_writer.appendAllocation(Nanoseconds(m_now), allocation);
            m_writer.appendSpan(m_kernels, 0, kernel);
            m_now += 3;  // the next begins as this one ends
        }
        m_writer.appendSpan(m_steps, 0, span(begin, ++m_now, "step", {}, step));
    }

    std::mt19937_64 m_random;
    TraceWriter m_writer;
    std::int64_t m_now = 1000;
    std::uint64_t m_correlation = 0;
    TrackId m_steps = m_writer.addTrack(TrackKind::kStep, "steps");
    TrackId m_modules = m_writer.addTrack(TrackKind::kModule, "modules");
    TrackId m_kernels = m_writer.addTrack(TrackKind::kGpuStream, "GPU 0 · stream 7");
    std::array<TrackId, 2> m_ops, m_calls;
};

TEST(GraphCaptures, AReplayedKernelHasTheOpAndTheModulesOfItsCapture) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const CapturedRun run(seed);
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
        const CapturedRun run(seed);
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

TEST(GraphCaptures, WhereANodeNeverRanTheOthersOfItsOpAreLeftWithout) {
    for (std::uint64_t seed = 21; seed <= 25; ++seed) {
        const CapturedRun run(seed, 7);
        const NameId unsure = run.nodes[7].opName;
        std::size_t linked = 0, left = 0;
        for (const CapturedRun::Node& node : run.nodes) {
            const auto call = run.index.captured(node.id);
            if (node.opName == unsure) {
                EXPECT_FALSE(call);
                ++left;
            } else {
                EXPECT_EQ(call, run.callOf(node));
                ++linked;
            }
        }
        EXPECT_GT(linked, 0u);
        EXPECT_GT(left, 1u);
        EXPECT_FALSE(run.index.captured(0));
    }
}

TEST(GraphCaptures, WhatAReplayAllocatedForAKernelIsWhatBeganWithIt) {
    const CapturedRun run(31);
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
    const auto run = openRun(std::string(WARPGLASS_SAMPLE_RUNS) + "/small-bf16-graph.wgrun");
    ASSERT_TRUE(run) << run.error().message;
    const Snapshot& snapshot = *run->snapshot;
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

}  // namespace
}  // namespace warpglass
