#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/report.h"
#include "engine/base/gpu_devices.h"
#include "engine/base/host_load.h"
#include "engine/plan/data_sheet.h"
#include "engine/query/activity/conditions.h"
#include "engine/session/ceilings_store.h"
#include "engine/session/runner_library.h"

namespace warpglass::cli {
namespace {

struct DevicesOptions {
    bool measure = false;
    std::string device;
    TableFormat format = TableFormat::kTable;
};

ReportTable devicesTable(const std::vector<DeviceInfo>& devices, const std::string& torchVersion) {
    ReportTable table{"Devices",
                      {{"Device", "device"},
                       {"Name", "name"},
                       {"Memory", "memory_bytes", Unit::kBytes},
                       {"Available", "available_bytes", Unit::kBytes},
                       {"Threads", "threads", Unit::kCount},
                       {"LibTorch", "torch_version"}},
                      {},
                      "devices"};
    for (const DeviceInfo& device : devices)
        table.rows.push_back({device.id, device.name, device.memory.value, device.available.value,
                              device.threads, torchVersion.empty() ? Cell() : Cell(torchVersion)});
    return table;
}

/// The two columns after a measured rate: the data sheet's, and the share of it that was measured.
void addSheet(std::vector<Cell>& row, double measured, const std::optional<double>& sheet) {
    row.push_back(orAbsent(sheet));
    row.push_back(sheet ? Cell(measured / *sheet) : Cell());
}

struct Measured {
    std::string id;
    DeviceCeilings ceilings;
    /// With what was known to be better.
    DeviceCeilings kept;
};

ReportTable productsTable(const std::vector<Measured>& devices) {
    ReportTable table{"GEMMs, C = A·Bᵀ: the fastest size for each precision",
                      {{"Device", "device"},
                       {"Precision", "precision"},
                       {"Rows", "rows", Unit::kNumber},
                       {"Columns", "columns", Unit::kNumber},
                       {"Inner", "inner", Unit::kNumber},
                       {"Measured per second", "measured_flops_per_second", Unit::kFlopsPerSecond},
                       {"Data sheet", "data_sheet_flops_per_second", Unit::kFlopsPerSecond},
                       {"Share", "data_sheet_share", Unit::kFraction},
                       {"Kept", "kept_flops_per_second", Unit::kFlopsPerSecond},
                       {"Kept from", "kept_from"}},
                      {},
                      "products"};
    for (const auto& [id, ceilings, kept] : devices) {
        const DataSheet* sheet = dataSheetOf(ceilings.device);
        for (const DeviceCeilings::Product& product : ceilings.products) {
            std::vector<Cell> row = {id,
                                     std::string(precisionName(product.precision)),
                                     product.rows,
                                     product.columns,
                                     product.inner,
                                     product.flopsPerSecond};
            addSheet(row, product.flopsPerSecond,
                     sheet ? sheet->flopsPerSecond(product.precision) : std::nullopt);
            const auto* best = kept.product(product.precision);
            row.push_back(best ? Cell(best->flopsPerSecond) : Cell());
            row.push_back(best ? Cell(best->source.empty() ? "measured" : best->source) : Cell());
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

ReportTable copiesTable(const std::vector<Measured>& devices) {
    ReportTable table{"Copies; within the device, bytes read and bytes written",
                      {{"Device", "device"},
                       {"Copy", "copy"},
                       {"Size", "size_bytes", Unit::kBytes},
                       {"Measured per second", "measured_bytes_per_second", Unit::kBytes},
                       {"Data sheet", "data_sheet_bytes_per_second", Unit::kBytes},
                       {"Share", "data_sheet_share", Unit::kFraction}},
                      {},
                      "copies"};
    for (const auto& [id, ceilings, kept] : devices) {
        const DataSheet* sheet = dataSheetOf(ceilings.device);
        const auto add = [&, &id = id, &ceilings = ceilings](const char* copy, double rate,
                                                             std::optional<double> ofSheet) {
            if (rate <= 0)
                return;
            std::vector<Cell> row = {id, copy, ceilings.copySize.value, rate};
            addSheet(row, rate, ofSheet);
            table.rows.push_back(std::move(row));
        };
        add("within the device", ceilings.copyBytesPerSecond,
            sheet ? std::optional(sheet->bytesPerSecond) : std::nullopt);
        add("host to device", ceilings.hostToDeviceBytesPerSecond, std::nullopt);
        add("device to host", ceilings.deviceToHostBytesPerSecond, std::nullopt);
    }
    return table;
}

ReportTable launchesTable(const std::vector<Measured>& devices) {
    ReportTable table{"The smallest op, averaged over many",
                      {{"Device", "device"},
                       {"On the calling thread", "launch_ns", Unit::kNanoseconds},
                       {"Kernel to kernel", "kernel_to_kernel_ns", Unit::kNanoseconds}},
                      {},
                      "launches"};
    for (const auto& [id, ceilings, kept] : devices)
        table.rows.push_back({id, ceilings.launchNs > 0 ? Cell(ceilings.launchNs) : Cell(),
                              ceilings.kernelToKernelNs > 0 ? Cell(ceilings.kernelToKernelNs) : Cell()});
    return table;
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
    CLI::App* command =
        root.add_subcommand("devices", "List the devices that can run a model, and measure what they can do");
    auto options = std::make_shared<DevicesOptions>();
    command
        ->add_flag("--measure", options->measure,
                   "Measure the fastest GEMMs, copies and launches; this takes some seconds per device")
        ->group("Work");
    command->add_option("--device", options->device, "Only this device")->type_name("ID")->group("Work");
    addFormatOption(*command, options->format);
    command->footer(
        R"(What --measure finds is kept for this device, driver and LibTorch, in the user's data folder
(warpglass/ceilings.json); every later run on the device states it, and `info` compares with it.

Examples:
  warpglass-cli devices
  warpglass-cli devices --format json
  warpglass-cli devices --measure --device cuda:0)");
    command->callback([&chosen, options] { chosen = [options] { return listDevices(*options); }; });
}

}  // namespace warpglass::cli
