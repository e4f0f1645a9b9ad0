// A GPU's clocks, what limits them, its power and its temperature, from its driver's library NVML.
//
// NVML is loaded at run time; where it is absent, or knows nothing of a device (a slice of one), there is no
// monitor, which is no error. Each question takes 5 µs to 1 ms, on the calling thread and without waiting for
// what runs on the GPU.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

/// What nvml.h calls clocks' event reasons (before, throttle reasons), by their bits.
namespace clock_reason {
inline constexpr std::uint64_t kIdle = 0x1;
inline constexpr std::uint64_t kPowerCap = 0x4;
inline constexpr std::uint64_t kHardwareSlowdown = 0x8;
inline constexpr std::uint64_t kThermal = 0x20;
inline constexpr std::uint64_t kHardwareThermal = 0x40;
inline constexpr std::uint64_t kPowerBrake = 0x80;
}  // namespace clock_reason

struct ClockReason {
    std::uint64_t bit;
    std::string_view name;
    /// Whether it slows down what runs; idling and limits that the user has set do not count.
    bool holdsDown;
};
inline constexpr std::array<ClockReason, 9> kClockReasons = {
    {{clock_reason::kIdle, "idle", false},
     {0x2, "clocks set by a person", false},
     {clock_reason::kPowerCap, "power cap", true},
     {clock_reason::kHardwareSlowdown, "hardware slowdown", true},
     {0x10, "sync boost", false},
     {clock_reason::kThermal, "temperature", true},
     {clock_reason::kHardwareThermal, "temperature (hardware)", true},
     {clock_reason::kPowerBrake, "power brake", true},
     {0x100, "display clocks", false}}};
/// "power cap, temperature"; "" for none. Bits without a name are left out.
std::string clockReasonsInWords(std::uint64_t reasons);
/// Keeps only the bits of reasons that hold a clock down.
std::uint64_t holdingDown(std::uint64_t reasons);

struct GpuState {
    /// MHz.
    std::optional<std::int64_t> smClock, memoryClock;
    /// clock_reason's bits.
    std::optional<std::uint64_t> reasons;
    std::optional<double> watts;
    std::optional<std::int64_t> celsius;
    /// Processes with a context on the device, this one among them.
    std::optional<std::int64_t> processes;
};

/// A process that has a context on a device.
struct GpuProcess {
    std::int64_t id = 0;
    /// Bytes of the device's memory; nothing where the driver does not say.
    std::optional<std::int64_t> memory;
};

/// One thread at a time.
class GpuMonitor {
public:
    virtual ~GpuMonitor() = default;
    virtual GpuState read() = 0;
    /// MHz; what the device's SMs can run at.
    virtual std::optional<std::int64_t> maxSmClock() = 0;
    /// This one among them, by its id; from within a container the ids may be those of the machine.
    virtual std::vector<GpuProcess> processes() { return {}; }
};

/// NVML's functions as nvml.h of CUDA 13 declares them; null for one that a driver's version lacks. They give
/// 0 where they did what was asked.
struct NvmlFunctions {
    int (*clock)(void* device, unsigned type, unsigned* mhz) = nullptr;
    int (*maxClock)(void* device, unsigned type, unsigned* mhz) = nullptr;
    int (*reasons)(void* device, unsigned long long* bits) = nullptr;
    int (*power)(void* device, unsigned* milliwatts) = nullptr;
    int (*temperature)(void* device, unsigned sensor, unsigned* celsius) = nullptr;
    int (*processes)(void* device, unsigned* count, void* infos) = nullptr;
};
std::unique_ptr<GpuMonitor> makeGpuMonitor(const NvmlFunctions& functions, void* device);

/// The monitor of a device by its id, as in "cuda:0"; null where NVML does not know it.
std::unique_ptr<GpuMonitor> openGpuMonitor(std::string_view device);

}  // namespace warpglass
