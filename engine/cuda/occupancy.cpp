#include "engine/cuda/occupancy.h"

#include <cuda_occupancy.h>
#include <cuda_runtime_api.h>

#include <limits>
#include <map>

namespace warpglass {
namespace {

const cudaDeviceProp* propertiesOf(std::uint32_t device) {
    static std::map<std::uint32_t, cudaDeviceProp> known;
    const auto [found, isNew] = known.try_emplace(device);
    if (isNew && cudaGetDeviceProperties(&found->second, static_cast<int>(device)) != cudaSuccess) {
        known.erase(found);
        return nullptr;
    }
    return &found->second;
}

float compute(const GpuRecord& kernel) {
    const cudaDeviceProp* device = propertiesOf(kernel.device);
    const std::uint64_t threads = std::uint64_t{kernel.block[0]} * kernel.block[1] * kernel.block[2];
    if (!device || threads == 0 || threads > 1024)
        return 0;
    const cudaOccDeviceProp properties(*device);
    cudaOccFuncAttributes function;
    function.maxThreadsPerBlock = std::numeric_limits<int>::max();
    function.numRegs = static_cast<int>(kernel.registers);
    function.sharedSizeBytes = static_cast<std::size_t>(kernel.staticShared);
    function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    function.maxDynamicSharedSizeBytes = static_cast<std::size_t>(kernel.dynamicShared);
    function.numBlockBarriers = 1;
    cudaOccDeviceState state;
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(
            &result, &properties, &function, &state, static_cast<int>(threads),
            static_cast<std::size_t>(kernel.dynamicShared)) != CUDA_OCC_SUCCESS)
        return 0;
    return static_cast<float>(result.activeBlocksPerMultiprocessor) * static_cast<float>(threads) /
           static_cast<float>(device->maxThreadsPerMultiProcessor);
}

}  // namespace

float OccupancyTable::of(const GpuRecord& kernel) {
    std::uint64_t key = 0;
    for (const std::uint64_t part :
         {std::uint64_t{kernel.device}, std::uint64_t{kernel.registers},
          std::uint64_t{kernel.block[0]} * kernel.block[1] * kernel.block[2],
          static_cast<std::uint64_t>(kernel.staticShared), static_cast<std::uint64_t>(kernel.dynamicShared)})
        key = (key ^ part) * 0x9e3779b97f4a7c15ull + (key >> 29);
    const auto [found, isNew] = m_known.try_emplace(key);
    if (isNew)
        found->second = compute(kernel);
    return found->second;
}

}  // namespace warpglass
