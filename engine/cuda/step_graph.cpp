#include "engine/cuda/step_graph.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>

namespace warpglass {

CudaStepGraph::CudaStepGraph(c10::DeviceIndex device, bool inParts)
    : m_device(device), m_pool(at::cuda::graph_pool_handle()), m_inParts(inParts), m_graph(inParts) {}

CudaStepGraph::~CudaStepGraph() {
    if (m_capturing)
        giveUp();
}

void CudaStepGraph::begin() {
    // Calls that a capture forbids are made by other threads too, the window's among them; what the thread
    // that autograd runs the backward pass on asks for is captured all the same, by its stream.
    m_graph.capture_begin(m_pool, cudaStreamCaptureModeThreadLocal);
    m_capturing = true;
}

void CudaStepGraph::end() {
    m_graph.capture_end();
    m_capturing = false;
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream(m_device);
    if (m_inParts) {
        m_parts.emplace(m_graph.raw_cuda_graph()).upload(stream);
        return;
    }
    // So that the first replay does not pay for it. Refusing it changes nothing but that.
    if (cudaGraphUpload(m_graph.raw_cuda_graph_exec(), stream) != cudaSuccess ||
        cudaStreamSynchronize(stream) != cudaSuccess)
        cudaGetLastError();
}

/// LibTorch's own replay() would also move on the state of random numbers, which no step draws.
void CudaStepGraph::replay() {
    if (m_parts)
        m_parts->launch(c10::cuda::getCurrentCUDAStream(m_device));
    else
        m_graph.replay();
}

/// A stop or a failure cut the capture off: the stream must work again, and the memory goes back.
void CudaStepGraph::giveUp() noexcept {
    namespace allocator = c10::cuda::CUDACachingAllocator;
    try {
        m_graph.capture_end();
        return;  // complete as far as it went, and freed with the graph
    } catch (const c10::Error&) {
        cudaGetLastError();
    }
    try {
        allocator::endAllocateToPool(m_device, m_pool);
        allocator::releasePool(m_device, m_pool);
    } catch (const c10::Error&) {
        // The capture had got far enough to have done so itself.
    }
}

}  // namespace warpglass
