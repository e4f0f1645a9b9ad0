#include "engine/base/host_device.h"

#include <sched.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <thread>

#include "engine/base/kernel_files.h"

namespace warpglass {

namespace fs = std::filesystem;

namespace {

struct MemoryLimit {
    std::int64_t limit;
    std::int64_t used;
};

/// One group's limit and what it uses, less the file cache that the kernel gives back when asked.
std::optional<MemoryLimit> limitOf(const fs::path& group, const char* limitFile, const char* usageFile,
                                   std::string_view cacheKey) {
    const auto limit = integerIn(group / limitFile);
    const auto usage = integerIn(group / usageFile);
    if (!limit || !usage)
        return std::nullopt;
    const auto cache = valueOf(group / "memory.stat", cacheKey, ' ');
    const std::int64_t reclaimable = cache ? leadingInteger(*cache).value_or(0) : 0;
    return MemoryLimit{*limit, std::max<std::int64_t>(0, *usage - reclaimable)};
}

/// Calls visit for every limit that holds for this process.
template <class Visit>
void forEachLimit(const fs::path& root, Visit&& visit) {
    for (const ControlGroup& group : controlGroups(root, "memory")) {
        const auto limit = group.isUnified
                               ? limitOf(group.folder, "memory.max", "memory.current", "inactive_file")
                               : limitOf(group.folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                         "total_inactive_file");
        if (limit)
            visit(*limit);
    }
}

std::int64_t usableThreads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return std::thread::hardware_concurrency();  // more CPUs than the set can hold
}

}  // namespace

DeviceInfo readHostDevice(const fs::path& root) {
    constexpr std::int64_t kKibibyte = 1024;
    DeviceInfo device;
    device.id = "cpu";
    device.name = valueOf(root / "proc/cpuinfo", "model name", ':').value_or("CPU");
    device.threads = usableThreads();
    const auto kibibytes = [&](const char* key) {
        const auto value = valueOf(root / "proc/meminfo", key, ':');
        return Bytes(value ? leadingInteger(*value).value_or(0) * kKibibyte : 0);
    };
    device.memory = kibibytes("MemTotal");
    device.available = kibibytes("MemAvailable");
    forEachLimit(root, [&](const MemoryLimit& group) {
        device.memory = std::min(device.memory, Bytes(group.limit));
        device.available =
            std::min(device.available, Bytes(std::max<std::int64_t>(0, group.limit - group.used)));
    });
    return device;
}

DeviceInfo hostDevice() {
    return readHostDevice("/");
}

}  // namespace warpglass
