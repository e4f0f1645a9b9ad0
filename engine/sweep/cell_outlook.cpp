#include "engine/sweep/cell_outlook.h"

#include <algorithm>

#include "engine/base/gpu_devices.h"
#include "engine/plan/available_memory.h"
#include "engine/plan/flops.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"
#include "engine/session/ceilings_store.h"
#include "engine/session/runner_library.h"

namespace warpglass {
namespace {

/// A process that loads LibTorch, builds a model and writes its file: as measured with small models.
constexpr double kStartNs = 2e9;
/// What runs reach of their device's ceiling, mostly; a step of small kernels reaches less.
constexpr double kUsualShare = 0.4;
/// Only to weigh cells where nothing has been measured, in FLOP/s: a processor's order and a GPU's.
constexpr double kNominalCpu = 1e11, kNominalGpu = 1e14;

/// Two configurations of the same needs have the same.
std::string needsOf(const RunConfig& config) {
    std::string key;
    for (const Setting& setting : settings()) {
        if (setting.planned)
            key.append(setting.text(config)).append("\n");
    }
    return key.append(config.device).append("\n").append(std::to_string(config.memoryLimit.value));
}

}  // namespace

Outlooks::Outlooks() : m_devices(allDevices()) {}

const DeviceInfo* Outlooks::deviceOf(const RunConfig& config) const {
    const auto found = std::find_if(m_devices.begin(), m_devices.end(), [&config](const DeviceInfo& device) {
        return device.id == config.device;
    });
    return found == m_devices.end() ? nullptr : &*found;
}

const std::optional<DeviceCeilings>& Outlooks::ceilingsOf(const RunConfig& config) {
    const auto [found, isNew] = m_ceilings.try_emplace(config.device);
    if (const DeviceInfo* device = isNew ? deviceOf(config) : nullptr)
        found->second = CeilingsStore().find(device->name, device->driver, expectedTorchVersion());
    return found->second;
}

double Outlooks::time(const RunConfig& config) {
    const std::string needs = needsOf(config);
    const auto [found, isNew] = m_flops.try_emplace(needs, 0);
    if (isNew && ValidConfig::of(config))
        found->second = static_cast<double>(countFlops(config).total().value);
    const std::optional<DeviceCeilings>& ceilings = ceilingsOf(config);
    const DeviceCeilings::Product* product = ceilings ? ceilings->product(config.precision) : nullptr;
    const double nominal = config.onGpu() ? kNominalGpu : kNominalCpu;
    const double rate = product && product->flopsPerSecond > 0 ? product->flopsPerSecond : nominal;
    const auto steps = static_cast<double>(config.warmup + config.steps);
    return kStartNs + steps * found->second / (rate * kUsualShare) * 1e9;
}

bool Outlooks::timeIsKnown(const RunConfig& config) {
    const std::optional<DeviceCeilings>& ceilings = ceilingsOf(config);
    return ceilings && ceilings->product(config.precision);
}

CellOutlook Outlooks::of(const RunConfig& config) {
    const auto [found, isNew] = m_known.try_emplace(needsOf(config) + "\n" + std::to_string(config.warmup) +
                                                    "\n" + std::to_string(config.steps));
    CellOutlook& outlook = found->second;
    if (!isNew)
        return outlook;
    std::vector<ConfigProblem> problems;
    const std::optional<ValidConfig> valid = ValidConfig::of(config, &problems);
    const DeviceInfo* device = deviceOf(config);
    if (!valid || !device) {
        outlook.cannotRun = true;
        outlook.doubt =
            valid ? "This machine has no device \"" + config.device + "\"." : problems.front().sentence;
        return outlook;
    }
    const MemoryPrediction memory = predictMemory(*valid);
    const auto [available, inUse, isLimit] = availableMemory(*valid, *device);
    outlook.peak = memory.given;
    outlook.tooLarge = fitOf(memory, available) == Fit::kTooLarge;
    if (outlook.tooLarge)
        outlook.doubt = fitSentence(memory, available, inUse);
    outlook.time = time(*valid);
    outlook.timeIsKnown = timeIsKnown(*valid);
    return outlook;
}

}  // namespace warpglass
