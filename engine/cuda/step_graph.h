// A step as a CUDA graph, through LibTorch's own capture, which gives the captured step memory of its own
// that stays the same from replay to replay.
#pragma once

#include <ATen/cuda/CUDAGraph.h>

#include <optional>

#include "engine/cuda/graph_parts.h"
#include "engine/runner/gpu.h"

namespace warpglass {

class CudaStepGraph final : public StepGraph {
public:
    /// A graph on `device`, the current one. `inParts`: each replay launches it in parts.
    CudaStepGraph(c10::DeviceIndex device, bool inParts);
    ~CudaStepGraph() override;
    CudaStepGraph(const CudaStepGraph&) = delete;
    CudaStepGraph& operator=(const CudaStepGraph&) = delete;

    void begin() override;
    void end() override;
    void replay() override;

private:
    void giveUp() noexcept;

    c10::DeviceIndex m_device;
    at::cuda::MempoolId_t m_pool;
    bool m_inParts;
    at::cuda::CUDAGraph m_graph;
    std::optional<GraphParts> m_parts;
    bool m_capturing = false;
};

}  // namespace warpglass
