#include "engine/base/host_load.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "engine/base/host_device.h"
#include "engine/base/kernel_files.h"

namespace warpglass {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::string textOf(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::optional<Nanoseconds> ownTime() {
    timespec time{};
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0)
        return std::nullopt;
    return Nanoseconds(time.tv_sec * kNsPerSecond + time.tv_nsec);
}

/// Version 2 counts µs, version 1 ns.
std::optional<Nanoseconds> throttledOf(const fs::path& file, bool isUnified) {
    const auto text = valueOf(file, isUnified ? "throttled_usec" : "throttled_time", ' ');
    const auto value = text ? leadingInteger(*text) : std::nullopt;
    return value ? std::optional(Nanoseconds(*value * (isUnified ? 1000 : 1))) : std::nullopt;
}

/// How many cores a group may use; nothing for no limit.
std::optional<double> quotaOf(const ControlGroup& group) {
    std::optional<std::int64_t> quota, period;
    if (group.isUnified) {
        const std::string line = firstLineOf(group.folder / "cpu.max");  // "200000 100000", "max 100000"
        const std::size_t space = line.find(' ');
        quota = leadingInteger(line);
        if (space != std::string::npos)
            period = leadingInteger(std::string_view(line).substr(space));
    } else {
        quota = integerIn(group.folder / "cpu.cfs_quota_us");  // -1 for no limit
        period = integerIn(group.folder / "cpu.cfs_period_us");
    }
    if (!quota || !period || *quota <= 0 || *period <= 0)
        return std::nullopt;
    return static_cast<double>(*quota) / static_cast<double>(*period);
}

}  // namespace

std::optional<CpuTimes> parseCpuTimes(std::string_view text, std::int64_t ticksPerSecond) {
    enum Field { kUser, kNice, kSystem, kIdle, kWaiting, kInterrupts, kSoftInterrupts, kStolen, kFields };
    std::istringstream lines{std::string(text)};
    std::array<std::int64_t, kFields> ticks{};
    std::int64_t cores = 0;
    bool hasSum = false;
    for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
        if (!line.starts_with("cpu ")) {
            ++cores;
            continue;
        }
        std::istringstream fields(line.substr(4));
        // Kernels before 2.6.11 have fewer fields; what a guest ran (the fields after these) is in user's.
        for (std::int64_t& field : ticks)
            fields >> field;
        hasSum = true;
    }
    if (!hasSum || cores == 0 || ticksPerSecond <= 0 ||
        std::ranges::any_of(ticks, [](std::int64_t field) { return field < 0; }) ||
        std::ranges::all_of(ticks, [](std::int64_t field) { return field == 0; }))
        return std::nullopt;
    const std::int64_t tick = kNsPerSecond / ticksPerSecond;
    return CpuTimes{Nanoseconds(tick * (ticks[kUser] + ticks[kNice] + ticks[kSystem] + ticks[kInterrupts] +
                                        ticks[kSoftInterrupts])),
                    Nanoseconds(tick * ticks[kStolen]), cores};
}

std::optional<Nanoseconds> parseRunDelay(std::string_view text) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos || !leadingInteger(text))
        return std::nullopt;
    const auto delay = leadingInteger(text.substr(space));
    return delay ? std::optional(Nanoseconds(*delay)) : std::nullopt;
}

HostLoadReader::HostLoadReader() : HostLoadReader(::syscall(SYS_gettid)) {}

HostLoadReader::HostLoadReader(std::int64_t thread, fs::path root)
    : m_root(std::move(root)), m_thread(m_root / "proc/self/task" / std::to_string(thread)) {
    for (const ControlGroup& group : controlGroups(m_root, "cpu")) {
        const fs::path file = group.folder / "cpu.stat";
        if (throttledOf(file, group.isUnified))
            m_throttles.push_back({file, group.isUnified});
    }
}

HostLoad HostLoadReader::read() const {
    HostLoad load;
    if (const auto times = parseCpuTimes(textOf(m_root / "proc/stat"), ::sysconf(_SC_CLK_TCK))) {
        load.busy = times->busy;
        load.stolen = times->stolen;
    }
    load.own = ownTime();
    load.waited = parseRunDelay(firstLineOf(m_thread / "schedstat"));
    if (const auto count = valueOf(m_thread / "status", "nonvoluntary_ctxt_switches", ':'))
        load.preempted = leadingInteger(*count);
    for (const Throttle& throttle : m_throttles) {
        if (const auto time = throttledOf(throttle.file, throttle.isUnified))
            load.throttled = std::max(load.throttled.value_or(Nanoseconds()), *time);
    }
    return load;
}

std::int64_t HostLoadReader::cores() const {
    const auto times = parseCpuTimes(textOf(m_root / "proc/stat"), ::sysconf(_SC_CLK_TCK));
    return times ? times->cores : 0;
}

double HostLoadReader::coresAllowed() const {
    auto allowed = static_cast<double>(readHostDevice(m_root).threads);
    for (const ControlGroup& group : controlGroups(m_root, "cpu")) {
        if (const auto quota = quotaOf(group))
            allowed = std::min(allowed, *quota);
    }
    return allowed;
}

}  // namespace warpglass
