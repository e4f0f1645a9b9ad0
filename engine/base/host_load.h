// How busy this machine is with others' work, and what a thread of ours has had to wait for a core: the
// kernel's own counters, which only rise. What happened between two moments is their difference.
//
// Sources: proc/stat (all cores; in a container those of the whole machine; steps of 10 ms), this process'
// CPU clock, proc/self/task/THREAD/schedstat (ns that the thread was ready to run and had no core) and its
// status, and cpu.stat of the control groups (how long a quota held them back). What a system does not tell
// is nothing. A reading takes 50 µs on a small machine and up to 1 ms on one with hundreds of cores, all of
// it on the calling thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/units.h"

namespace warpglass {

/// Times of all cores together since the machine started.
struct CpuTimes {
    /// Time in which something ran: not idle, not waiting for a disk, not taken by the hypervisor.
    Nanoseconds busy;
    /// Time in which the hypervisor ran something else while there was work here ("steal").
    Nanoseconds stolen;
    /// Cores that are switched on.
    std::int64_t cores = 0;
};
/// Parses the text of /proc/stat, whose times are in 1/ticksPerSecond s; nothing if it has none, or only
/// zeros, as in some sandboxes.
std::optional<CpuTimes> parseCpuTimes(std::string_view text, std::int64_t ticksPerSecond);

/// The second number of a thread's schedstat: for how long it was ready to run without a core.
std::optional<Nanoseconds> parseRunDelay(std::string_view text);

struct HostLoad {
    std::optional<Nanoseconds> busy, stolen;
    /// CPU time of all threads of this process.
    std::optional<Nanoseconds> own;
    /// How long the watched thread was ready to run without a core, and how often a core was taken from it.
    std::optional<Nanoseconds> waited;
    std::optional<std::int64_t> preempted;
    /// How long a quota held back a control group that this process is in; the longest of them.
    std::optional<Nanoseconds> throttled;
};

class HostLoadReader {
public:
    /// `thread`: the kernel's number of a thread of this process.
    explicit HostLoadReader(std::int64_t thread, std::filesystem::path root = "/");
    /// Watches the calling thread.
    HostLoadReader();

    HostLoad read() const;

    /// Cores that are switched on; 0 where that is not known.
    std::int64_t cores() const;
    /// How many of them this process may use: its affinity and its control groups' quotas, hence decimals.
    double coresAllowed() const;

private:
    std::filesystem::path m_root;
    std::filesystem::path m_thread;
    struct Throttle {
        std::filesystem::path file;
        bool isUnified;
    };
    std::vector<Throttle> m_throttles;
};

}  // namespace warpglass
