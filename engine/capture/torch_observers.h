// Listens to LibTorch while a recording is open: every op through at::RecordFunction, every allocation and
// free of the device's allocator through c10::MemoryReportingInfoBase. Both only copy a few numbers into the
// capture stream.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace warpglass {

/// The allocator's state when it had to refuse: the requested bytes, the bytes it had given out, the bytes it
/// had taken from the device (0 on the CPU, which does not say), and the time on the run's clock.
struct RefusedAllocation {
    std::int64_t requested = 0, allocated = 0, reserved = 0;
    std::int64_t time = 0;
};

/// kWithTypes: with the types and shapes of their inputs and outputs, which nearly doubles what an op costs.
enum class OpsObserved : std::uint8_t { kNone, kPlain, kWithTypes };

/// Attached from construction to destruction, both on the thread that runs the model and with no op open.
/// LibTorch hands the memory observer on to the threads that autograd runs nodes on.
class TorchObservers {
public:
    /// Memory of this device only: LibTorch's index of a GPU, or −1 for the CPU.
    explicit TorchObservers(int gpu = -1, OpsObserved ops = OpsObserved::kPlain, bool memory = true);
    ~TorchObservers();
    TorchObservers(const TorchObservers&) = delete;
    TorchObservers& operator=(const TorchObservers&) = delete;

    /// The last one; nothing when nothing was refused.
    std::optional<RefusedAllocation> refused() const;

private:
    struct Attached;
    std::unique_ptr<Attached> m_attached;
};

}  // namespace warpglass
