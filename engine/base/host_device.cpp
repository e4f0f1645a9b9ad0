#include "engine/base/host_device.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace warpglass {

namespace fs = std::filesystem;

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<std::int64_t> leadingInteger(std::string_view text) {
    text = trimmed(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

/// What follows `key` and `separator` on the first line that starts with the key.
std::optional<std::string> valueOf(const fs::path& file, std::string_view key, char separator) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const std::size_t at = line.find(separator);
        if (at != std::string::npos && trimmed(std::string_view(line).substr(0, at)) == key)
            return std::string(trimmed(std::string_view(line).substr(at + 1)));
    }
    return std::nullopt;
}

/// A file that holds one number; nothing for "max", which means no limit.
std::optional<std::int64_t> integerIn(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    return std::getline(in, line) ? leadingInteger(line) : std::nullopt;
}

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

/// The process's own group within a mounted hierarchy, and every group around it: each may limit.
std::vector<fs::path> groupsUpwards(const fs::path& mount, const std::string& own) {
    std::vector<fs::path> groups;
    fs::path relative = fs::path(own).relative_path();
    for (; !relative.empty(); relative = relative.parent_path())
        groups.push_back(mount / relative);
    groups.push_back(mount);
    return groups;
}

/// Calls visit for every limit that holds for this process.
template <class Visit>
void forEachLimit(const fs::path& root, Visit&& visit) {
    std::ifstream in(root / "proc/self/cgroup");
    const fs::path mount = root / "sys/fs/cgroup";
    // "0::/path" is version 2; "5:memory:/path" is version 1.
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string own = line.substr(second + 1);
        if (controllers.empty()) {
            for (const fs::path& group : groupsUpwards(mount, own)) {
                if (const auto limit = limitOf(group, "memory.max", "memory.current", "inactive_file"))
                    visit(*limit);
            }
        } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
            for (const fs::path& group : groupsUpwards(mount / "memory", own)) {
                if (const auto limit = limitOf(group, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                               "total_inactive_file"))
                    visit(*limit);
            }
        }
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
