// Random runs of CUDA graphs, with what made each of their nodes, for oracles.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/query/links/link_index.h"
#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"
#include "engine/trace/trace_writer.h"

namespace warpglass::test {

/// Captures of random ops on two threads, each with two replays of what it made. What made each node is kept:
/// by track and row, as lanes have no ids before they are published.
class CapturedRun {
public:
    struct Node {
        std::uint64_t id = 0;
        std::size_t thread = 0;
        std::uint64_t call = 0, op = 0, module = 0;  // rows
        PlaceId place;
        NameId opName;
        int allocations = 0;
        bool fills = false;
    };
    struct Options {
        std::uint64_t seed = 1;
        /// A node that never ran, and one whose call was not recorded.
        std::optional<std::size_t> lostNode{}, lostCall{};
        int captures = 1;
        /// Fills run among the copies, as they do on a GPU, and not among the kernels.
        bool fillsAmongCopies = false;
        const char* loss = nullptr;  // that the run states
    };

    explicit CapturedRun(const Options& options);

    SpanRef callOf(const Node& node) const { return at(m_calls[node.thread], 0, node.call); }
    SpanRef opOf(const Node& node) const { return at(m_ops[node.thread], 1, node.op); }
    SpanRef moduleOf(const Node& node) const { return at(m_modules, 0, node.module); }

    std::shared_ptr<const Snapshot> snapshot;
    LinkIndex index;
    std::vector<Node> nodes;

private:
    SpanRef at(TrackId track, std::uint32_t depth, std::uint64_t row) const;
    std::int64_t chance(std::int64_t below);
    SpanRow span(std::int64_t begin, std::int64_t end, const std::string& name, PlaceId place,
                 std::int32_t step, std::uint64_t link = 0);
    void capture(std::uint64_t graph);
    /// Runs the nodes from `first` on.
    void replay(std::int32_t step, std::size_t first);

    Options m_options;
    std::mt19937_64 m_random;
    TraceWriter m_writer;
    std::int64_t m_now = 1000;
    std::array<std::uint64_t, 2> m_opRows{}, m_callRows{};
    std::uint64_t m_moduleRows = 0;
    std::uint64_t m_correlation = 0;
    TrackId m_steps = m_writer.addTrack(TrackKind::kStep, "steps");
    TrackId m_modules = m_writer.addTrack(TrackKind::kModule, "modules");
    TrackId m_kernels = m_writer.addTrack(TrackKind::kGpuStream, "GPU 0 · stream 7");
    TrackId m_copies;
    std::array<TrackId, 2> m_ops, m_calls;
};

}  // namespace warpglass::test
