#include "engine/cuda/cuda_gpu.h"

#include <ATen/cuda/CUDAContextLight.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <torch/csrc/cuda/memory_snapshot.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>

#include "engine/base/gpu_devices.h"
#include "engine/cuda/allocator_tracker.h"
#include "engine/cuda/step_graph.h"

namespace warpglass {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

constexpr std::size_t kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);

/// "13.0" of 13000, CUDA's form of a version.
std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Error cudaProblem(const std::string& what, cudaError_t code) {
    return Error{what + ": " + cudaGetErrorString(code)};
}

Bytes bytes(std::size_t value) {
    return Bytes(static_cast<std::int64_t>(value));
}

}  // namespace

/// Asked of the driver, which makes no context: one on every GPU would cost each of them half a gigabyte.
std::vector<DeviceInfo> CudaGpu::devices() const {
    // Once known it stays: after an error that a device does not recover from CUDA need not answer any more,
    // and the device is there all the same.
    static std::atomic<int> known{-1};
    int count = known.load();
    if (count < 0) {
        if (cudaGetDeviceCount(&count) != cudaSuccess) {
            cudaGetLastError();  // so that no later call is blamed
            return {};
        }
        known = count;
    }
    std::vector<DeviceInfo> found = gpuDevices();
    found.resize(std::min(found.size(), static_cast<std::size_t>(count)));
    return found;
}

std::string CudaGpu::noDevice() const {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    cudaGetLastError();
    if (code == cudaErrorInsufficientDriver) {
        int driver = 0;
        cudaDriverGetVersion(&driver);
        return "the NVIDIA driver is too old: it supports CUDA " + versionText(driver) + ", and CUDA " +
               versionText(CUDART_VERSION) + " is needed";
    }
    if (code != cudaSuccess)
        return std::string("CUDA says: ") + cudaGetErrorString(code);
    return count == 0 ? "there is no NVIDIA GPU in this machine" : "";
}

Status CudaGpu::refuseBroken(int device) {
    const auto broken = m_broken.find(device);
    if (broken == m_broken.end())
        return {};
    return Error{"The device cuda:" + std::to_string(device) +
                 " is not usable any more until this program is started again: " + broken->second};
}

Status CudaGpu::select(int device, Bytes limit) {
    // Nothing is asked of a device that has failed for good: not every call would come back with an error.
    if (Status broken = refuseBroken(device); !broken)
        return broken;
    // CUPTI's settings are to be made before there is a context.
    std::string problem;
    CuptiSession::instance(problem);
    if (const cudaError_t code = cudaSetDevice(device); code != cudaSuccess) {
        cudaGetLastError();
        return cudaProblem("The device cuda:" + std::to_string(device) + " cannot be used", code);
    }
    // The first call that needs the context makes it, and is told of an error that an earlier run left.
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
        cudaGetLastError();
        // One that stays is not got rid of.
        if (const cudaError_t code = cudaMemGetInfo(&free, &total); code != cudaSuccess) {
            m_broken.emplace(device, cudaGetErrorString(code));
            return refuseBroken(device);
        }
    }
    m_device = device;
    allocator::init(static_cast<int>(c10::cuda::device_count()));
    const double fraction =
        limit.value > 0 ? std::min(1.0, static_cast<double>(limit.value) / static_cast<double>(total)) : 1.0;
    allocator::setMemoryFraction(fraction, static_cast<c10::DeviceIndex>(device));
    attachAllocatorTracker();
    return {};
}

Status CudaGpu::synchronize() {
    const cudaError_t code = cudaDeviceSynchronize();
    if (code == cudaSuccess)
        return {};
    cudaGetLastError();
    const std::string failed = "The work on cuda:" + std::to_string(m_device) + " failed";
    if (cudaDeviceSynchronize() == cudaSuccess)
        return cudaProblem(failed, code);
    m_broken.emplace(m_device, cudaGetErrorString(code));
    return cudaProblem(failed + ", and runs on it need a restart of this program", code);
}

GpuMemory CudaGpu::memory() const {
    const auto stats = allocator::getDeviceStats(static_cast<c10::DeviceIndex>(m_device));
    GpuMemory memory;
    memory.allocated = Bytes(stats.allocated_bytes[kAll].current);
    memory.reserved = Bytes(stats.reserved_bytes[kAll].current);
    memory.requested = Bytes(stats.requested_bytes[kAll].current);
    memory.peakAllocated = Bytes(stats.allocated_bytes[kAll].peak);
    memory.peakReserved = Bytes(stats.reserved_bytes[kAll].peak);
    memory.retries = stats.num_alloc_retries;
    memory.outOfMemories = stats.num_ooms;
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) == cudaSuccess) {
        memory.free = bytes(free);
        memory.total = bytes(total);
    }
    return memory;
}

std::vector<const void*> CudaGpu::workspaces() const {
    std::vector<const void*> addresses;
    for (at::cuda::WorkspaceMapWithMutex* map :
         {&at::cuda::cublas_handle_stream_to_workspace(), &at::cuda::cublaslt_handle_stream_to_workspace()}) {
        const std::shared_lock lock(map->mutex);
        for (const auto& [key, workspace] : map->map)
            addresses.push_back(workspace.get());
    }
    return addresses;
}

void CudaGpu::beginMemoryHistory() {
    m_frames.emplace();
    torch::cuda::_record_memory_history(std::optional<std::string>("all"), std::optional<std::string>("all"),
                                        "python", SIZE_MAX, /*clearHistory=*/true);
}

std::string CudaGpu::takeMemorySnapshot() {
    const auto end = [this] {
        torch::cuda::_record_memory_history(std::optional<std::string>(), std::optional<std::string>());
        m_frames.reset();
    };
    std::string snapshot;
    try {
        snapshot = torch::cuda::_memory_snapshot_pickled();
    } catch (...) {
        end();
        throw;
    }
    end();
    return snapshot;
}

void CudaGpu::releaseMemory() {
    try {
        at::cuda::clearCublasWorkspaces();
        allocator::emptyCache();
        allocator::resetPeakStats(static_cast<c10::DeviceIndex>(m_device));
        allocator::resetAccumulatedStats(static_cast<c10::DeviceIndex>(m_device));
    } catch (const c10::Error&) {
        // After an error that the device does not recover from nothing can be returned; the run has said so.
    }
}

void CudaGpu::releaseUnused() {
    allocator::emptyCache();
}

std::shared_ptr<void> CudaGpu::useOwnStream() {
    // One for each device and the life of the process: cuBLAS keeps scratch memory for each that it has met.
    static std::map<int, c10::cuda::CUDAStream> streams;
    cudaDeviceSynchronize();
    const auto stream = streams.try_emplace(
        m_device, c10::cuda::getStreamFromPool(false, static_cast<c10::DeviceIndex>(m_device)));
    return std::make_shared<c10::cuda::CUDAStreamGuard>(stream.first->second);
}

std::unique_ptr<StepGraph> CudaGpu::makeGraph() {
    const bool recorded = m_capturing && m_cupti && m_cupti->tellsOfKernels();
    return std::make_unique<CudaStepGraph>(static_cast<c10::DeviceIndex>(m_device), recorded);
}

void CudaGpu::beginPhases() {
    if (m_capturing)
        m_phases.begin(c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(m_device)));
}

void CudaGpu::markPhase(Phase phase) {
    if (m_capturing)
        m_phases.mark(phase, c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(m_device)));
}

void CudaGpu::endPhases() {
    markPhase(Phase::kNone);
}

std::vector<GpuPhaseTime> CudaGpu::phaseTimes() {
    return m_capturing ? m_phases.times() : std::vector<GpuPhaseTime>();
}

namespace {

/// The driver's word of what is free, once everything on the device has ended; nothing when it cannot say.
std::optional<std::int64_t> freeOnDevice() {
    std::size_t free = 0, total = 0;
    if (cudaDeviceSynchronize() != cudaSuccess || cudaMemGetInfo(&free, &total) != cudaSuccess)
        return std::nullopt;
    return static_cast<std::int64_t>(free);
}

/// A fill of four bytes that nobody reads: CUPTI takes its memory on the device with the first work that it
/// records there.
class TrivialWork {
public:
    TrivialWork() {
        if (cudaMalloc(&m_bytes, 4) != cudaSuccess) {
            m_bytes = nullptr;
            cudaGetLastError();  // so that no later call is blamed
        }
    }
    ~TrivialWork() {
        if (m_bytes)
            cudaFree(m_bytes);
    }
    TrivialWork(const TrivialWork&) = delete;
    TrivialWork& operator=(const TrivialWork&) = delete;
    void run() {
        if (m_bytes && cudaMemsetAsync(m_bytes, 0, 4, nullptr) != cudaSuccess)
            cudaGetLastError();
    }

private:
    void* m_bytes = nullptr;
};

}  // namespace

std::string CudaGpu::beginCupti(Recorded recorded) {
    std::string problem;
    m_cupti = CuptiSession::instance(problem);
    if (!m_cupti)
        return problem;
    TrivialWork work;
    work.run();  // what the driver takes for it is not CUPTI's
    const std::optional<std::int64_t> before = freeOnDevice();
    problem = m_cupti->begin(recorded);
    if (!problem.empty()) {
        m_cupti = nullptr;
        return problem;
    }
    work.run();
    const std::optional<std::int64_t> after = freeOnDevice();
    // It keeps what it has once taken: later runs find it there.
    if (before && after)
        m_profilerBytes[m_device] += std::max<std::int64_t>(0, *before - *after);
    // Once more, so that the work above is not told of.
    m_cupti->flush(true);
    problem = m_cupti->begin(recorded);
    if (!problem.empty())
        m_cupti = nullptr;
    return problem;
}

void CudaGpu::beginCapture(Recorded recorded) {
    m_captureProblem.clear();
    m_cupti = nullptr;
    if (recorded.has(Feature::kKernels) || recorded.has(Feature::kCalls) || recorded.has(Feature::kWaits))
        m_captureProblem = beginCupti(recorded);
    m_capturing = true;
    if (recorded.has(Feature::kMemory))
        beginTracking(m_device);
}

void CudaGpu::endCapture() {
    endTracking();
    if (m_cupti && m_capturing)
        m_cupti->end();
    m_capturing = false;
    m_phases.clear();
}

std::vector<std::pair<std::string, std::string>> CudaGpu::information() const {
    cudaDeviceProp properties{};
    int driver = 0, runtime = 0;
    std::uint32_t cupti = 0;
    cudaGetDeviceProperties(&properties, m_device);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    cuptiGetVersion(&cupti);
    const GpuMemory used = memory();
    const auto known = m_profilerBytes.find(m_device);
    const std::int64_t profiler = known == m_profilerBytes.end() ? 0 : known->second;
    const std::int64_t other = used.total.value - used.free.value - used.reserved.value - profiler;
    return {{"device.compute_capability",
             std::to_string(properties.major) + "." + std::to_string(properties.minor)},
            {"device.multiprocessors", std::to_string(properties.multiProcessorCount)},
            {"device.l2_bytes", std::to_string(properties.l2CacheSize)},
            {"cuda.driver", versionText(driver)},
            {"cuda.runtime", versionText(runtime)},
            {"cupti.version", std::to_string(cupti)},
            {"memory.profiler_bytes", std::to_string(profiler)},
            {"memory.other_bytes", std::to_string(std::max<std::int64_t>(0, other))}};
}

}  // namespace warpglass

warpglass::Gpu* warpglassGpu(int abi) {
    static warpglass::CudaGpu& gpu = *new warpglass::CudaGpu;  // CUPTI may call back until the process ends
    return abi == warpglass::kGpuAbi ? &gpu : nullptr;
}
