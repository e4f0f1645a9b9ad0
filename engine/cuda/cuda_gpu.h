// The CUDA device behind engine/runner/gpu.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "engine/capture/allocation_frames.h"
#include "engine/cuda/cupti_session.h"
#include "engine/cuda/lt_products.h"
#include "engine/cuda/phase_clock.h"
#include "engine/runner/gpu.h"

namespace warpglass {

/// select() and what follows it are called from the run's thread; devices() and noDevice() from any.
class CudaGpu final : public Gpu {
public:
    std::vector<DeviceInfo> devices() const override;
    std::string noDevice() const override;
    Status select(int device, Bytes limit) override;
    Status synchronize() override;
    GpuMemory memory() const override;
    std::vector<const void*> workspaces() const override;
    void beginMemoryHistory() override;
    std::string takeMemorySnapshot() override;
    void releaseMemory() override;
    void releaseUnused() override;

    std::shared_ptr<void> useOwnStream() override;
    std::unique_ptr<StepGraph> makeGraph() override;
    void tryOutProducts(bool on) override { m_products.tryOut(on); }
    bool multiply(const at::Tensor& a, const at::Tensor& b, const at::Tensor& out) override {
        return m_products.multiply(a, b, out);
    }
    void beginPhases() override;
    void markPhase(Phase phase) override;
    void endPhases() override;
    std::vector<GpuPhaseTime> phaseTimes() override;

    void beginCapture(Recorded recorded) override;
    void endCapture() override;
    GpuActivity* activity() override { return m_capturing ? m_cupti : nullptr; }
    std::string captureProblem() const override { return m_captureProblem; }
    std::vector<std::pair<std::string, std::string>> information() const override;

private:
    /// What keeps kernels from being seen; "" when CUPTI is on. Measures the memory that it takes.
    std::string beginCupti(Recorded recorded);

    /// An error when nothing can run on the device until the process ends: an error that CUDA
    /// does not recover from (a failed assertion in a kernel, an access out of bounds) stays with the
    /// process.
    Status refuseBroken(int device);

    int m_device = 0;
    std::map<int, std::string> m_broken;  // by device, CUDA's word for what happened
    CuptiSession* m_cupti = nullptr;
    std::string m_captureProblem;
    bool m_capturing = false;
    std::optional<AllocationFrames> m_frames;  // while a memory history is kept
    PhaseClock m_phases;
    LtProducts m_products;
    std::map<int, std::int64_t> m_profilerBytes;  // by device, since the process began
};

}  // namespace warpglass
