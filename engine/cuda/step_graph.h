// A step as a CUDA graph, through LibTorch's own capture, which gives the captured step memory of its own
// that stays the same from replay to replay.
#pragma once

#include <ATen/cuda/CUDAGraph.h>

#include "engine/runner/gpu.h"

namespace warpglass {

class CudaStepGraph final : public StepGraph {
public:
    /// A graph on the current device.
    explicit CudaStepGraph(c10::DeviceIndex device);
    ~CudaStepGraph() override;
    CudaStepGraph(const CudaStepGraph&) = delete;
    CudaStepGraph& operator=(const CudaStepGraph&) = delete;

    void begin() override;
    void end() override;
    void replay() override { m_graph.replay(); }

private:
    void giveUp() noexcept;

    c10::DeviceIndex m_device;
    at::cuda::MempoolId_t m_pool;
    at::cuda::CUDAGraph m_graph;
    bool m_capturing = false;
};

}  // namespace warpglass
