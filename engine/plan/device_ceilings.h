// What a device can do at most, as measured on it: GEMMs by precision, copies, launches. A run's
// figures are stated against these (and against the maker's data sheet, data_sheet.h).
//
// Measured by the runner (engine/runner/ceilings.h), kept per device (engine/session/ceilings_store.h),
// stored in every run of the device as run information ("ceiling.…"). Pure values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/run_config.h"

namespace warpglass {

struct DeviceCeilings {
    /// The fastest of many products C = A·Bᵀ of normally distributed numbers, A being rows × inner: large
    /// square ones, and those of the presets. Where a recorded run was faster, its best: no sizes then.
    struct Product {
        Precision precision = Precision::kFp32;
        double flopsPerSecond = 0;
        std::int64_t rows = 0, columns = 0, inner = 0;
        /// The recorded run that was faster than the measurement, "small · bf16 · naive · 512, 2026-…Z";
        /// empty where it was measured.
        std::string source{};
        /// Where a run was faster: the rate that had been measured; 0 where that is not known (of stores and
        /// runs of before this was kept), and where no run was faster.
        double measuredBefore = 0;

        /// The fastest measurement, whatever runs have reached since; 0 where it is not known.
        double measured() const { return source.empty() ? flopsPerSecond : measuredBefore; }
        bool operator==(const Product&) const = default;
    };

    /// What they belong to: another driver or LibTorch may do better. `driver` is empty for the CPU.
    std::string device, driver, torch;
    /// When, "2026-01-31T15:45:00Z".
    std::string measured;
    /// In the order of Precision; only those that the device was measured in.
    std::vector<Product> products;
    /// A large copy within the device's memory: bytes read and bytes written, together.
    double copyBytesPerSecond = 0;
    /// Copies between pinned memory of the host and the device; 0 for the CPU.
    double hostToDeviceBytesPerSecond = 0;
    double deviceToHostBytesPerSecond = 0;
    /// The size of the copies.
    Bytes copySize;
    /// What the smallest op costs the calling thread, ns, over many: on a GPU the launch of one kernel
    /// through LibTorch, on the CPU the op itself.
    double launchNs = 0;
    /// From the start of one such kernel to the start of the next, when they wait for nothing else, ns; 0 for
    /// the CPU.
    double kernelToKernelNs = 0;

    /// Nothing when it was not measured.
    const Product* product(Precision precision) const;
    bool operator==(const DeviceCeilings&) const = default;
};

/// Whether a run that reached this rate shows that its device does more than is known of it. A rate half as
/// high again as the measured one is rather a clock or a record gone wrong. It is held against what was
/// measured, not against another run's best: believable steps would add up to what nobody would believe.
bool isFaster(double flopsPerSecond, const DeviceCeilings::Product& known);

/// The best seen: of each precision the faster product, of copies the greater rates; all else is that of
/// `fresh`. A run's best that isFaster() would not take does not outlive a new measurement. Precondition:
/// both are of one device.
DeviceCeilings bestOf(const DeviceCeilings& known, DeviceCeilings fresh);

/// As run information: "ceiling.measured", "ceiling.fp32_flops_per_second" … "ceiling.kernel_to_kernel_ns",
/// rounded to whole units; "ceiling.bf16_source" and, where it is known,
/// "ceiling.bf16_measured_flops_per_second" where a run set it. Sizes of products are left out.
std::vector<std::pair<std::string, std::string>> toPairs(const DeviceCeilings& ceilings);
/// Back from run information; nothing where the run states no ceilings. What is malformed or not positive
/// counts as not measured.
std::optional<DeviceCeilings> ceilingsFromPairs(
    std::span<const std::pair<std::string, std::string>> information);

}  // namespace warpglass
