// Puts what a GPU did into the trace: a track for the kernels and one for the copies of each stream, every
// span with the place, the step and the op of the launch that caused it.
//
// A launch is known by its correlation id from when the call into CUDA began. A kernel of a replayed graph is
// known by its node: where the node was made, at capture, is where its kernel belongs, and the step is that
// of the replay.
//
// Records come in no promised order. Those of one batch are sorted; a span that begins before the last one of
// its stream has ended (kernels of a graph's branches run side by side) goes to the next deeper lane.
//
// One thread, the recorder's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/capture/gpu_activity.h"
#include "engine/trace/trace_writer.h"

namespace warpglass {

/// "void at::native::reduce_kernel<512, 1>(…)" as "reduce_kernel", nsys's short form: no return type,
/// namespace, template argument or parameter. A name that is no C++ signature stays as it is.
std::string shortKernelName(std::string_view demangled);
/// The C++ signature behind a symbol; the symbol itself when it is not a mangled one.
std::string demangle(const char* symbol);

class GpuTracks {
public:
    explicit GpuTracks(TraceWriter& writer) : m_writer(writer) {}

    /// Where work for the GPU comes from.
    struct Launch {
        PlaceId place;
        std::int32_t step = kNoStep;
        NameId op;
    };
    void launched(std::uint32_t correlation, const Launch& launch);
    void nodeMade(std::uint64_t node, const Launch& launch) { m_nodes[node] = launch; }
    /// Instantiating a graph copies its nodes.
    void nodeCloned(std::uint64_t clone, std::uint64_t original);

    void add(const GpuRecord& record);
    /// After the records of a batch: they appear in the trace.
    void endBatch();
    std::uint64_t spans() const { return m_spans; }

private:
    struct Row {
        SpanRow span;
        TrackId track;
    };
    struct KernelName {
        NameId shortName, fullName;
    };
    struct LaunchEntry {
        Launch launch;
        std::uint64_t order = 0;
    };

    TrackId trackOf(const GpuRecord& record);
    KernelName nameOf(const GpuRecord& record);
    Launch launchOf(const GpuRecord& record);
    void append(const Row& row);
    void forgetOldLaunches();

    TraceWriter& m_writer;
    std::unordered_map<std::uint32_t, LaunchEntry> m_launches;
    std::uint64_t m_launchCount = 0;
    std::unordered_map<std::uint64_t, Launch> m_nodes;
    std::unordered_map<std::string, KernelName> m_kernelNames;
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, TrackId> m_tracks;
    std::vector<Row> m_batch;
    std::uint64_t m_spans = 0;
};

}  // namespace warpglass
