#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "engine/base/gpu_devices.h"
#include "engine/session/runner_library.h"

namespace warpglass::cli {
namespace {

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
                              device.threads,
                              torchVersion.empty() ? ReportCell() : ReportCell(torchVersion)});
    return table;
}

ExitStatus listDevices(TableFormat format) {
    const Result<Runner*> runner = loadRunner();
    if (!runner) {
        // Still worth listing: estimates and saved runs work here.
        say("Nothing can be run here, but run files can be read: " + runner.message());
        return print(renderTable(devicesTable(allDevices(), ""), format));
    }
    std::vector<DeviceInfo> devices = (*runner)->devices();
    if (devices.empty())
        devices.push_back(hostDevice());
    return print(renderTable(devicesTable(devices, (*runner)->torchVersion()), format));
}

}  // namespace

void addDevicesCommand(CLI::App& root, Work& chosen) {
    CLI::App* command = root.add_subcommand("devices", "List the devices that can run a model");
    auto format = std::make_shared<TableFormat>(TableFormat::kTable);
    addFormatOption(*command, *format);
    command->footer(R"(Examples:
  warpglass-cli devices
  warpglass-cli devices --format json)");
    command->callback([&chosen, format] { chosen = [format] { return listDevices(*format); }; });
}

}  // namespace warpglass::cli
