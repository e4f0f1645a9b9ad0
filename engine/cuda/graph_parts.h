// A captured graph that is launched in parts.
//
// Where CUPTI records kernels, it prepares every node of a graph within the call that launches it, at some
// 0.6 µs each, and the GPU waits, since it has nothing to do at the start of a step. A part is prepared while
// the GPU runs the part before it, so that only the first, of a few nodes, is waited for.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>
#include <vector>

namespace warpglass {

class GraphParts {
public:
    /// Splits a graph that was captured, which may go afterwards. Throws c10::Error.
    explicit GraphParts(cudaGraph_t graph);

    /// Takes to the device what the first launch would take there, and waits for the stream. A refusal
    /// changes nothing but the time of that launch.
    void upload(cudaStream_t stream) const noexcept;
    /// Launches all parts, in order, without waiting for them. Throws c10::Error.
    void launch(cudaStream_t stream) const;

private:
    using Part = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, decltype(&cudaGraphExecDestroy)>;

    std::vector<Part> m_parts;
};

}  // namespace warpglass
