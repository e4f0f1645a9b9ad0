// Puts what a GPU did into the trace: a track for the kernels and one for the copies of each stream, every
// span with the place, the step and the op of the launch that caused it.
//
// A launch is known by its correlation id from when the call into CUDA began. A kernel of a replayed graph is
// known by its node: where the node was made is where its kernel belongs, and the step is the replay's.
//
// Records come in no promised order: each launching thread has buffers of its own, handed over as they fill.
// A record waits until no launch is outstanding that could still give an earlier one, which is known since
// launches are met in order and work begins after its launch; so the spans of a stream are appended in their
// order. One that begins before the last one has ended (kernels of a graph's branches run side by side) goes
// to the next deeper lane.
//
// One thread, the recorder's.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/capture/gpu_activity.h"
#include "engine/trace/trace_writer.h"

namespace warpglass {

/// The C++ signature behind a symbol; the symbol itself when it is not a mangled one.
std::string demangle(const char* symbol);

class GpuTracks {
public:
    /// A node of a graph as the replay of a step ran it; `node` counts as nodeMade() said. kNoStep where its
    /// launch was not seen.
    struct NodeRun {
        std::int32_t step = kNoStep;
        std::uint32_t node = 0;
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };
    /// `nodeRan` is called for every one, in the order of their starts.
    explicit GpuTracks(TraceWriter& writer, std::function<void(const NodeRun&)> nodeRan = {})
        : m_writer(writer), m_nodeRan(std::move(nodeRan)) {}

    /// Where work for the GPU comes from.
    struct Launch {
        PlaceId place;
        std::int32_t step = kNoStep;
        NameId op;
    };
    /// `time`: when the call began, in ns on the run's clock. `makesWork`: a record with this correlation
    /// will come.
    void launched(std::uint32_t correlation, const Launch& launch, std::int64_t time, std::uint16_t thread,
                  bool makesWork);
    /// The call failed, or was captured into a graph: no record of it will come.
    void gaveNothing(std::uint32_t correlation);
    /// `order`: which of its graph's nodes it is. Copying a graph makes nodes, too, and CUPTI may tell of one
    /// after it has told what it is a copy of: that stays.
    void nodeMade(std::uint64_t node, const Launch& launch, std::uint32_t order) {
        m_nodes.try_emplace(node, Node{launch, order});
    }
    /// Instantiating a graph copies its nodes.
    void nodeCloned(std::uint64_t clone, std::uint64_t original);

    /// Whether launches are reported: if not, a missing launch is no loss.
    void expectLaunches(bool expected) { m_expectsLaunches = expected; }

    void add(const GpuRecord& record);
    /// Whether rows wait for endBatch().
    bool hasRows() const { return !m_batch.empty(); }
    /// After the records of a batch: those that nothing earlier can come before any more appear in the trace;
    /// with `last`, all that there are.
    void endBatch(bool last = false);

private:
    struct Node {
        Launch launch;
        std::uint32_t order = 0;
    };
    struct Row {
        SpanRow span;
        TrackId track;
        std::optional<std::uint32_t> node;
    };
    struct KernelName {
        NameId shortName, fullName;
    };
    struct LaunchEntry {
        Launch launch;
        std::uint64_t order = 0;
    };
    /// A launch, until all before it and itself have given their records.
    struct Outstanding {
        std::int64_t time = 0;
        std::uint16_t thread = 0;
        bool done = false;
        bool hasRecord = false;
    };

    TrackId trackOf(const GpuRecord& record);
    KernelName nameOf(const GpuRecord& record);
    const Node* nodeOf(const GpuRecord& record) const;
    Launch launchOf(const GpuRecord& record, const Node* node);
    void append(const Row& row);
    Outstanding* outstandingOf(std::uint32_t correlation);
    void settleEarlierLaunches();
    void forgetSettledLaunches();
    void forgetOldLaunches();

    TraceWriter& m_writer;
    bool m_expectsLaunches = true;
    std::unordered_map<std::uint32_t, LaunchEntry> m_launches;
    std::uint64_t m_launchCount = 0;
    std::deque<Outstanding> m_outstanding;  // the last of them has order m_launchCount - 1
    std::int64_t m_latest = 0;              // of the launches and records seen
    std::unordered_map<std::uint64_t, Node> m_nodes;
    std::function<void(const NodeRun&)> m_nodeRan;
    std::unordered_map<std::string, KernelName> m_kernelNames;
    std::map<std::tuple<std::uint32_t, std::uint32_t, TrackKind>, TrackId> m_tracks;
    std::vector<Row> m_batch;
};

}  // namespace warpglass
