#include "engine/sweep/cell_outlook.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <unordered_map>

#include "engine/base/gpu_devices.h"
#include "engine/base/parallel.h"
#include "engine/plan/available_memory.h"
#include "engine/plan/flops.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"
#include "engine/session/ceilings_store.h"
#include "engine/session/runner_library.h"
#include "engine/sweep/grid.h"

namespace warpglass {
namespace {

/// A process that loads LibTorch, builds a model and writes its file: as measured with small models.
constexpr double kStartNs = 2e9;
/// What runs reach of their device's ceiling, mostly; a step of small kernels reaches less.
constexpr double kUsualShare = 0.4;
/// Only to weigh cells where nothing has been measured, in FLOP/s: a processor's order and a GPU's.
constexpr double kNominalCpu = 1e11, kNominalGpu = 1e14;

/// Two configurations of the same needs have the same outlook: they differ in their seeds at most. All else
/// matters to whether they can be run, fit, or how long they take.
std::string needsOf(RunConfig config) {
    config.seed = 0;
    std::string key;
    for (const Setting& setting : settings())
        key.append(setting.text(config)).append("\n");
    return key;
}

/// Calls `work` with 0 … count − 1, on several threads.
void forEach(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    const auto some = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            work(i);
    };
    runTogether(std::vector<std::function<void()>>(threadsFor(count), some));
}

}  // namespace

Outlooks::Outlooks() : Outlooks(allDevices()) {}

Outlooks::Outlooks(std::vector<DeviceInfo> devices) : m_devices(std::move(devices)) {
    for (const DeviceInfo& device : m_devices) {
        if (auto found = CeilingsStore().find(device.name, device.driver, expectedTorchVersion()))
            m_ceilings.emplace(device.id, std::move(*found));
    }
}

const DeviceInfo* Outlooks::deviceOf(const RunConfig& config) const {
    const auto found = std::ranges::find_if(
        m_devices, [&config](const DeviceInfo& device) { return device.id == config.device; });
    return found == m_devices.end() ? nullptr : &*found;
}

std::optional<std::string> Outlooks::cannotRun(const RunConfig& config) const {
    std::vector<ConfigProblem> problems = validate(config);
    if (!problems.empty())
        return std::move(problems.front().sentence);
    if (!deviceOf(config))
        return "This machine has no device \"" + config.device + "\".";
    return std::nullopt;
}

CellOutlook Outlooks::time(const RunConfig& given) const {
    CellOutlook outlook;
    if (auto problem = cannotRun(given)) {
        outlook.cannotRun = true;
        outlook.doubt = std::move(*problem);
        return outlook;
    }
    const RunConfig config = ofItsWorkload(given);
    const auto ceilings = m_ceilings.find(config.device);
    const DeviceCeilings::Product* product =
        ceilings != m_ceilings.end() ? ceilings->second.product(config.precision) : nullptr;
    const double nominal = config.onGpu() ? kNominalGpu : kNominalCpu;
    const double rate = product && product->flopsPerSecond > 0 ? product->flopsPerSecond : nominal;
    const auto steps = static_cast<double>(config.warmup + config.steps);
    const auto flops = static_cast<double>(countAllFlops(config).value);
    outlook.time = kStartNs + steps * flops / (rate * kUsualShare) * 1e9;
    outlook.timeIsKnown = product != nullptr;
    return outlook;
}

CellOutlook Outlooks::whole(const RunConfig& given) const {
    CellOutlook outlook = time(given);
    if (outlook.cannotRun)
        return outlook;
    const RunConfig config = ofItsWorkload(given);
    const MemoryPrediction memory = predictMemory(config);
    const auto [available, inUse, isLimit] = availableMemory(config, *deviceOf(config));
    outlook.peak = memory.given;
    outlook.tooLarge = fitOf(memory, available) == Fit::kTooLarge;
    if (outlook.tooLarge)
        outlook.doubt = fitSentence(memory, available, inUse);
    return outlook;
}

CellOutlook Outlooks::of(const RunConfig& config) {
    const auto [found, isNew] = m_known.try_emplace(needsOf(config));
    if (isNew)
        found->second = whole(config);
    return found->second;
}

CellOutlook Outlooks::verdict(const RunConfig& given) const {
    CellOutlook outlook = time(given);
    if (outlook.cannotRun)
        return outlook;
    const RunConfig config = ofItsWorkload(given);
    outlook.peak = predictAsked(config);
    outlook.peakIsLeast = true;
    const Bytes available = availableMemory(config, *deviceOf(config)).bytes;
    if (const std::optional<bool> told = tooLargeByAsked(config, outlook.peak, available)) {
        outlook.tooLarge = *told;
    } else {
        const MemoryPrediction memory = predictMemory(config);
        outlook.peak = memory.given;
        outlook.peakIsLeast = false;
        outlook.tooLarge = fitOf(memory, available) == Fit::kTooLarge;
    }
    outlook.isWordless = outlook.tooLarge;
    return outlook;
}

GridOutlook Outlooks::ofGrid(const SweepPlan& plan,
                             CellOutlook (Outlooks::*of)(const RunConfig&) const) const {
    GridOutlook grid;
    std::unordered_map<std::string, std::uint32_t> known;
    SweepPlan once = plan;
    once.repeats = 1;
    for (const SweepCell& cell : cellsOf(once)) {
        RunConfig config = configOf(plan, cell);
        const auto [found, isNew] =
            known.try_emplace(needsOf(config), static_cast<std::uint32_t>(grid.configs.size()));
        if (isNew)
            grid.configs.push_back(std::move(config));
        grid.which.push_back(found->second);
    }
    grid.distinct.resize(grid.configs.size());
    forEach(grid.configs.size(), [&](std::size_t i) { grid.distinct[i] = (this->*of)(grid.configs[i]); });
    return grid;
}

void Outlooks::complete(GridOutlook& grid, const std::vector<std::size_t>& named) const {
    forEach(named.size(), [&](std::size_t i) {
        CellOutlook& outlook = grid.distinct[named[i]];
        if (outlook.peakIsLeast || outlook.isWordless)
            outlook = whole(grid.configs[named[i]]);
    });
}

}  // namespace warpglass
