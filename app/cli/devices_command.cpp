#include <algorithm>
#include <chrono>
#include <future>
#include <iterator>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "engine/base/format.h"
#include "engine/base/gpu_devices.h"
#include "engine/base/host_load.h"
#include "engine/plan/data_sheet.h"
#include "engine/query/activity/conditions.h"
#include "engine/session/ceilings_store.h"
#include "engine/session/runner_library.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

struct DevicesOptions {
    bool measure = false;
    std::string device;
    TableFormat format = TableFormat::kTable;
};

ReportTable devicesTable(const std::vector<DeviceInfo>& devices, const std::string& torchVersion) {
    using Of = Column<DeviceInfo>;
    return tableOf<DeviceInfo>(
        "devices", "Devices", devices,
        {Of("device", "Device", &DeviceInfo::id), Of("name", "Name", &DeviceInfo::name),
         Of("memory_bytes", "Memory", Unit::kBytes, &DeviceInfo::memory),
         Of("available_bytes", "Available", Unit::kBytes, &DeviceInfo::available),
         Of("threads", "Threads", Unit::kCount, &DeviceInfo::threads),
         Of("torch_version", "LibTorch", [&](const DeviceInfo&) { return textOrAbsent(torchVersion); })});
}

struct Measured {
    std::string id;
    DeviceCeilings ceilings;
    /// With what was known to be better.
    DeviceCeilings kept;
};

/// What was measured of a kind of work, and what the data sheet states.
struct MeasuredRate {
    const Measured* device;
    std::string_view work;
    double perSecond = 0;
    std::optional<double> sheet;
    DeviceCeilings::Product product = {};
    const DeviceCeilings::Product* kept = nullptr;
};
using Rate = Column<MeasuredRate>;

/// `sizes`: of the work, between what it is and its rates. `unit`: "flops" or "bytes".
std::vector<Rate> rateColumns(const std::string& work, std::vector<Rate> sizes, const std::string& unit) {
    const Unit ofRate = unit == "flops" ? Unit::kFlopsPerSecond : Unit::kBytes;
    std::vector<Rate> columns = {Rate("device", "Device", through(&MeasuredRate::device, &Measured::id)),
                                 Rate(work, capitalized(work), &MeasuredRate::work)};
    std::ranges::move(sizes, std::back_inserter(columns));
    columns.push_back(
        Rate("measured_" + unit + "_per_second", "Measured per second", ofRate, &MeasuredRate::perSecond));
    columns.push_back(Rate("data_sheet_" + unit + "_per_second", "Data sheet", ofRate, &MeasuredRate::sheet));
    columns.push_back(Rate("data_sheet_share", "Share", Unit::kFraction, [](const MeasuredRate& rate) {
        return rate.sheet ? Cell(rate.perSecond / *rate.sheet) : Cell();
    }));
    return columns;
}

ReportTable productsTable(const std::vector<Measured>& devices) {
    using Product = DeviceCeilings::Product;
    std::vector<MeasuredRate> rates;
    for (const Measured& device : devices) {
        const DataSheet* sheet = dataSheetOf(device.ceilings.device);
        for (const Product& product : device.ceilings.products)
            rates.push_back({&device, precisionName(product.precision), product.flopsPerSecond,
                             sheet ? sheet->flopsPerSecond(product.precision) : std::nullopt, product,
                             device.kept.product(product.precision)});
    }
    const auto size = [](std::int64_t Product::*of) { return through(&MeasuredRate::product, of); };
    std::vector<Rate> columns =
        rateColumns("precision",
                    {Rate("rows", "Rows", Unit::kNumber, size(&Product::rows)),
                     Rate("columns", "Columns", Unit::kNumber, size(&Product::columns)),
                     Rate("inner", "Inner", Unit::kNumber, size(&Product::inner))},
                    "flops");
    columns.push_back(
        Rate("kept_flops_per_second", "Kept", Unit::kFlopsPerSecond,
             [](const MeasuredRate& rate) { return rate.kept ? Cell(rate.kept->flopsPerSecond) : Cell(); }));
    columns.push_back(Rate("kept_from", "Kept from", [](const MeasuredRate& rate) {
        return !rate.kept ? Cell() : cellOf(rate.kept->source.empty() ? "measured" : rate.kept->source);
    }));
    return tableOf("products", "GEMMs, C = A·Bᵀ: the fastest size for each precision", rates,
                   std::move(columns));
}

ReportTable copiesTable(const std::vector<Measured>& devices) {
    std::vector<MeasuredRate> rates;
    for (const Measured& device : devices) {
        const DataSheet* sheet = dataSheetOf(device.ceilings.device);
        rates.push_back({&device, "within the device", device.ceilings.copyBytesPerSecond,
                         sheet ? std::optional(sheet->bytesPerSecond) : std::nullopt});
        rates.push_back({&device, "host to device", device.ceilings.hostToDeviceBytesPerSecond, {}});
        rates.push_back({&device, "device to host", device.ceilings.deviceToHostBytesPerSecond, {}});
    }
    std::erase_if(rates, [](const MeasuredRate& rate) { return rate.perSecond <= 0; });
    return tableOf(
        "copies", "Copies; within the device, bytes read and bytes written", rates,
        rateColumns("copy",
                    {Rate("size_bytes", "Size", Unit::kBytes,
                          [](const MeasuredRate& rate) { return rate.device->ceilings.copySize; })},
                    "bytes"));
}

ReportTable launchesTable(const std::vector<Measured>& devices) {
    using Of = Column<Measured>;
    return tableOf<Measured>(
        "launches", "The smallest op, averaged over many", devices,
        {Of("device", "Device", &Measured::id),
         Of("launch_ns", "On the calling thread", Unit::kNanoseconds,
            ifPositive([](const Measured& device) { return device.ceilings.launchNs; })),
         Of("kernel_to_kernel_ns", "Kernel to kernel", Unit::kNanoseconds,
            ifPositive([](const Measured& device) { return device.ceilings.kernelToKernelNs; }))});
}

/// On a thread of its own, so that a stop can be asked for meanwhile.
Result<DeviceCeilings> measureOne(Runner& runner, const DeviceInfo& device) {
    RunControl control;
    auto work = std::async(std::launch::async, [&] { return runner.measureCeilings(device.id, control); });
    const HostLoadReader host;
    const HostLoad before = host.read();
    const auto begun = std::chrono::steady_clock::now();
    const InterruptGuard interrupt;
    ProgressLine progress;
    while (work.wait_for(kPollInterval) != std::future_status::ready) {
        if (interrupt.requested())
            control.stop = true;
        const std::int64_t steps = control.totalSteps;
        if (steps > 0)
            progress.show("Measuring " + device.id + " (" + device.name + ") … " +
                          std::to_string(std::min<std::int64_t>(control.step, steps)) + " of " +
                          std::to_string(steps));
    }
    progress.clear();
    Result<DeviceCeilings> ceilings = work.get();
    const std::chrono::nanoseconds passed = std::chrono::steady_clock::now() - begun;
    const double needed =
        device.id == "cpu" ? std::min(static_cast<double>(device.threads), host.coresAllowed()) : 1;
    const RunConditions conditions = hostConditions(before, host.read(), Nanoseconds(passed.count()),
                                                    static_cast<double>(host.cores()), needed);
    if (ceilings && conditions.hostDisturbs())
        say("The host was busy while " + device.id + " was measured: " + conditions.inWords() +
            ", so it can do more than was measured.");
    return ceilings;
}

ExitStatus measureDevices(Runner& runner, const std::vector<DeviceInfo>& devices, TableFormat format) {
    const CeilingsStore store;
    if (const auto before = store.all(); !before)
        say(before.message());
    std::vector<Measured> measured;
    ExitStatus status = ExitStatus::kDone;
    for (const DeviceInfo& device : devices) {
        Result<DeviceCeilings> ceilings = measureOne(runner, device);
        if (!ceilings) {
            status = fail(ceilings.message());
            break;
        }
        if (const Status kept = store.keep(*ceilings); !kept)
            status = fail(kept.message());
        auto kept = store.find(ceilings->device, ceilings->driver, ceilings->torch);
        measured.push_back({device.id, *ceilings, kept ? std::move(*kept) : *ceilings});
    }
    if (measured.empty())
        return status;
    const ExitStatus printed = print(
        renderTables({productsTable(measured), copiesTable(measured), launchesTable(measured)}, format));
    return status == ExitStatus::kDone ? printed : status;
}

/// Only the device that was asked for, if one was; nothing, with a sentence said, when it is not there.
bool choose(std::vector<DeviceInfo>& devices, const std::string& wanted) {
    if (wanted.empty())
        return true;
    std::string there;
    for (const DeviceInfo& device : devices)
        there += (there.empty() ? "" : ", ") + device.id;
    std::erase_if(devices, [&](const DeviceInfo& device) { return device.id != wanted; });
    if (devices.empty())
        say("The device \"" + wanted + "\" is not there: this machine has " + there + ".");
    return !devices.empty();
}

ExitStatus listDevices(const DevicesOptions& options) {
    const Result<Runner*> runner = loadRunner();
    if (!runner && options.measure)
        return fail("Nothing can be measured here: " + runner.message());
    // Still worth listing: estimates and saved runs work here.
    if (!runner)
        say("Nothing can be run here, but run files can be read: " + runner.message());
    std::vector<DeviceInfo> devices = runner ? (*runner)->devices() : allDevices();
    if (devices.empty())
        devices.push_back(hostDevice());
    if (!choose(devices, options.device))
        return ExitStatus::kWorkFailed;
    if (options.measure)
        return measureDevices(**runner, devices, options.format);
    return print(renderTable(devicesTable(devices, runner ? (*runner)->torchVersion() : ""), options.format));
}

}  // namespace

void addDevicesCommand(CLI::App& root, Work& chosen) {
    auto [command, options] = addCommand(
        root, chosen, "devices", "List the devices that can run a model, and measure what they can do",
        listDevices,
        R"(What --measure finds is kept for this device, driver and LibTorch, in the user's data folder
(warpglass/ceilings.json); every later run on the device states it, and `info` compares with it.

Examples:
  warpglass-cli devices
  warpglass-cli devices --format json
  warpglass-cli devices --measure --device cuda:0)");
    beginGroup(command, "Work");
    command.add_flag("--measure", options.measure,
                     "Measure the fastest GEMMs, copies and launches; this takes some seconds per device");
    addText(command, "--device", options.device, "ID", "Only this device");
    addFormatOption(command, options.format);
}

}  // namespace warpglass::cli
