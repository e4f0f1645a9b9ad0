// What the runner needs of a CUDA device beyond ATen's own operators. Implemented by libwarpglass-cuda, which
// alone links LibTorch's CUDA half and CUPTI, and is loaded where there is an NVIDIA driver.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/host_device.h"
#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/plan/recorded.h"
#include "engine/trace/ids.h"

namespace at {
class Tensor;
}

namespace warpglass {

class GpuActivity;

/// The numbers of LibTorch's caching allocator for one device.
struct GpuMemory {
    /// In use by tensors; taken from the driver; asked for before rounding.
    Bytes allocated, reserved, requested;
    Bytes peakAllocated, peakReserved;
    /// The driver's: free for anyone, and installed. Others use total − free − reserved, with the context.
    Bytes free, total;
    std::int64_t retries = 0;
    std::int64_t outOfMemories = 0;
};

/// The step of a run as a CUDA graph. All members are for the run's thread, on the stream of useOwnStream().
class StepGraph {
public:
    /// Frees the graph and its memory; what was begun and not ended is given up.
    virtual ~StepGraph() = default;

    /// From here to end() what is asked of the device is captured, and not run. Throws c10::Error.
    virtual void begin() = 0;
    virtual void end() = 0;
    /// Runs all that was captured, without waiting for it.
    virtual void replay() = 0;
};

/// When the device went through a phase: ns on the run's clock.
struct GpuPhaseTime {
    Phase phase = Phase::kNone;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

class Gpu {
public:
    virtual ~Gpu() = default;

    /// Every device that works, "cuda:0" first; empty where there is none, and noDevice() says why.
    virtual std::vector<DeviceInfo> devices() const = 0;
    virtual std::string noDevice() const = 0;
    /// Makes the device the calling thread's, with at most `limit` bytes for the allocator (0: all there is).
    /// An error, too, once work on it has failed in a way that it does not recover from.
    virtual Status select(int device, Bytes limit) = 0;
    /// Waits for everything on the device; an error when what ran there failed, which says so when nothing
    /// can run there any more.
    virtual Status synchronize() = 0;
    virtual GpuMemory memory() const = 0;
    /// The addresses of the scratch memory that cuBLAS keeps between calls, from LibTorch's allocator.
    virtual std::vector<const void*> workspaces() const = 0;
    /// From here on LibTorch keeps a history of its allocator, with what every allocation was made for
    /// (engine/capture/allocation_frames.h), until the snapshot is taken. The run's thread, with no range
    /// open.
    virtual void beginMemoryHistory() = 0;
    /// The history and what is allocated now, pickled by LibTorch as torch.cuda.memory._dump_snapshot() does.
    /// Throws c10::Error. Precondition: beginMemoryHistory() was called.
    virtual std::string takeMemorySnapshot() = 0;

    /// Returns what the allocator holds and no tensor uses, and starts its peaks anew.
    virtual void releaseMemory() = 0;

    /// Returns only what the allocator holds and no tensor uses, as before a capture.
    virtual void releaseUnused() = 0;

    /// Puts the calling thread's work on a stream of its own until what it returns goes: work on the default
    /// stream cannot be captured. Waits for what is on the default one.
    virtual std::shared_ptr<void> useOwnStream() = 0;
    virtual std::unique_ptr<StepGraph> makeGraph() = 0;

    /// Whether kinds of products that multiply() has not met yet are tried out then, which takes the time of
    /// some hundred of each.
    virtual void tryOutProducts(bool on) = 0;
    /// out = a b, by the algorithm of cuBLASLt's that was the fastest when this kind of product was tried
    /// out; false, with nothing done, where LibTorch's own product is to be taken. a (m, k) and b (k, n) are
    /// of one 16-bit type, out (m, n) of theirs or fp32, and all are on the calling thread's device. Any
    /// thread. Throws c10::Error.
    virtual bool multiply(const at::Tensor& a, const at::Tensor& b, const at::Tensor& out) = 0;

    /// The phases of a step as the device goes through them, by CUDA events on the calling thread's stream;
    /// nothing while nothing is recorded. A phase lasts from its mark to the next; endPhases() ends the last.
    /// What is marked while a graph is captured belongs to each of its replays.
    virtual void beginPhases() = 0;
    virtual void markPhase(Phase phase) = 0;
    virtual void endPhases() = 0;
    /// The times in the step (or replay) since beginPhases(). Precondition: synchronize() has returned.
    virtual std::vector<GpuPhaseTime> phaseTimes() = 0;

    /// From here to endCapture() the device's work is told of: kernels and copies through activity(), calls
    /// into CUDA and allocations through the capture stream. Kernels may be impossible to see while memory is
    /// not; captureProblem() then says why in a sentence, and activity() is null. Only what `recorded` has is
    /// told of.
    virtual void beginCapture(Recorded recorded) = 0;
    virtual void endCapture() = 0;
    virtual GpuActivity* activity() = 0;
    virtual std::string captureProblem() const = 0;

    /// What a run states about itself once beginCapture() has been called: device.compute_capability,
    /// cuda.driver, cuda.runtime …
    virtual std::vector<std::pair<std::string, std::string>> information() const = 0;
};

/// Null, where this machine has no NVIDIA driver or libwarpglass-cuda cannot be loaded; problem says why.
struct LoadedGpu {
    Gpu* gpu = nullptr;
    std::string problem;
};
/// Loads once; any thread.
const LoadedGpu& loadGpu();

/// Raised when anything in this header changes shape.
inline constexpr int kGpuAbi = 4;

}  // namespace warpglass

extern "C" {
/// libwarpglass-cuda's entry. Null when `abi` is not this library's kGpuAbi. The library keeps the object.
warpglass::Gpu* warpglassGpu(int abi);
}
