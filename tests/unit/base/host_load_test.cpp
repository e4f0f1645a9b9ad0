#include "engine/base/host_load.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "engine/base/host_device.h"
#include "tests/support/files.h"
#include "tests/support/must.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::host_load_test {

// user nice system idle iowait irq softirq steal guest guest_nice
constexpr std::string_view kStat =
    "cpu  6189 1000 23023 486693 828 20 188 144 500 10\n"
    "cpu0 741 500 4956 123560 79 10 19 37 0 0\n"
    "cpu1 636 500 4972 123645 111 10 11 34 0 0\n"
    "intr 34433 0 0\n"
    "cpufreq 3\n";

TEST(CpuTimes, AreWhatRanOnAllCoresAndWhatTheHypervisorTook) {
    const auto times = must(parseCpuTimes(kStat, 100));
    // Guests' time is in user's already; idle time, waits for disks and what was stolen are not busy.
    EXPECT_EQ(times.busy.value, (6189 + 1000 + 23023 + 20 + 188) * std::int64_t{10'000'000});
    EXPECT_EQ(times.stolen.value, 144 * std::int64_t{10'000'000});
    EXPECT_EQ(times.cores, 2);
    EXPECT_EQ(parseCpuTimes(kStat, 250)->stolen.value, 144 * std::int64_t{4'000'000});
}

TEST(CpuTimes, AreNotKnownWhereTheSystemDoesNotTell) {
    EXPECT_FALSE(parseCpuTimes("", 100));
    EXPECT_FALSE(parseCpuTimes("intr 1 2 3\n", 100));
    EXPECT_FALSE(parseCpuTimes("cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n", 100)) << "a sandbox";
    EXPECT_FALSE(parseCpuTimes("cpu  5 5 5 5 5 5 5 5\n", 100)) << "no cores";
    EXPECT_FALSE(parseCpuTimes("cpu  5 -5 5 5 5 5 5 5\ncpu0 1 1 1 1\n", 100));
    EXPECT_FALSE(parseCpuTimes(kStat, 0));
}

TEST(CpuTimes, OldKernelsTellOfFewerKinds) {
    const auto times = must(parseCpuTimes("cpu 10 20 30 40\ncpu0 10 20 30 40\n", 100));
    EXPECT_EQ(times.busy.value, 60 * std::int64_t{10'000'000});
    EXPECT_EQ(times.stolen.value, 0);
}

TEST(RunDelay, IsTheSecondNumber) {
    EXPECT_EQ(parseRunDelay("214984 56325 2\n"), Nanoseconds(56325));
    EXPECT_FALSE(parseRunDelay(""));
    EXPECT_FALSE(parseRunDelay("214984"));
    EXPECT_FALSE(parseRunDelay("a 5 2"));
}

struct HostLoads : testing::Test {
    void write(const std::string& name, const std::string& content) { writeContent(m_root / name, content); }
    HostLoadReader reader() { return HostLoadReader(77, m_root.path()); }

    TemporaryFolder m_root;
};

TEST_F(HostLoads, AreReadOfTheThreadThatIsWatched) {
    write("proc/stat", std::string(kStat));
    write("proc/self/task/77/schedstat", "1000 123456 4\n");
    write("proc/self/task/77/status",
          "Name:\tx\nvoluntary_ctxt_switches:\t9\nnonvoluntary_ctxt_switches:\t5\n");
    write("proc/self/task/78/schedstat", "1 2 3\n");
    const HostLoad load = reader().read();
    EXPECT_TRUE(load.busy);
    EXPECT_TRUE(load.stolen);
    EXPECT_EQ(load.waited, Nanoseconds(123456));
    EXPECT_EQ(load.preempted, 5);
    EXPECT_FALSE(load.throttled);
    EXPECT_EQ(reader().cores(), 2);
}

TEST_F(HostLoads, TellOfTheQuotaThatHeldBackLongest) {
    write("proc/self/cgroup", "0::/user/app\n");
    write("sys/fs/cgroup/user/app/cpu.stat", "usage_usec 5\nnr_throttled 3\nthrottled_usec 1500\n");
    write("sys/fs/cgroup/user/cpu.stat", "usage_usec 5\nnr_throttled 3\nthrottled_usec 2500\n");
    write("sys/fs/cgroup/cpu.stat", "usage_usec 5\n");
    write("sys/fs/cgroup/user/cpu.max", "250000 100000\n");
    write("sys/fs/cgroup/user/app/cpu.max", "max 100000\n");
    EXPECT_EQ(reader().read().throttled, Nanoseconds(2'500'000));
    EXPECT_LE(reader().coresAllowed(), 2.5);
}

TEST_F(HostLoads, TellOfTheQuotaOfAVersion1GroupToo) {
    write("proc/self/cgroup", "5:cpu,cpuacct:/box\n3:memory:/other\n");
    write("sys/fs/cgroup/cpu/box/cpu.stat", "nr_periods 9\nnr_throttled 3\nthrottled_time 1500\n");
    write("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "50000\n");
    write("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(reader().read().throttled, Nanoseconds(1500));
    EXPECT_EQ(reader().coresAllowed(), 0.5);
}

TEST_F(HostLoads, WhatTheSystemDoesNotTellIsNotKnown) {
    const HostLoad load = reader().read();
    EXPECT_FALSE(load.busy);
    EXPECT_FALSE(load.stolen);
    EXPECT_FALSE(load.waited);
    EXPECT_FALSE(load.preempted);
    EXPECT_FALSE(load.throttled);
    EXPECT_TRUE(load.own) << "that is no file";
    EXPECT_EQ(reader().cores(), 0);
    EXPECT_GE(reader().coresAllowed(), 1) << "the affinity";
}

TEST(HostLoad, OfThisMachineRises) {
    const HostLoadReader reader;
    const HostLoad before = reader.read();
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
    while (std::chrono::steady_clock::now() < end) {
    }
    const HostLoad after = reader.read();
    ASSERT_TRUE(before.own && after.own);
    EXPECT_GT(*after.own, *before.own);
    ASSERT_EQ(before.busy.has_value(), after.busy.has_value());
    EXPECT_GE(after.busy.value_or(Nanoseconds()), before.busy.value_or(Nanoseconds()));
    ASSERT_EQ(before.waited.has_value(), after.waited.has_value());
    EXPECT_GE(after.waited.value_or(Nanoseconds()), before.waited.value_or(Nanoseconds()));
}

struct HostDevice : testing::Test {
    void SetUp() override {
        write("proc/cpuinfo",
              "processor\t: 0\nvendor_id\t: X\nmodel name\t: Some CPU @ 3.00GHz\n\nprocessor\t: 1\nmodel "
              "name\t: Other\n");
        write("proc/meminfo",
              "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:   12000000 kB\n");
    }
    void write(const std::string& name, const std::string& content) { writeContent(m_root / name, content); }
    DeviceInfo read() { return readHostDevice(m_root.path()); }

    TemporaryFolder m_root;
};

constexpr std::int64_t kKibibyte = 1024;

TEST_F(HostDevice, IsWhatTheKernelStates) {
    const DeviceInfo device = read();
    EXPECT_EQ(device.id, "cpu");
    EXPECT_EQ(device.name, "Some CPU @ 3.00GHz");
    EXPECT_EQ(device.memory, Bytes(16000000 * kKibibyte));
    EXPECT_EQ(device.available, Bytes(12000000 * kKibibyte));
    EXPECT_GE(device.threads, 1);
}

TEST_F(HostDevice, AControlGroupLimits) {
    write("proc/self/cgroup", "0::/user/app\n");
    write("sys/fs/cgroup/user/app/memory.max", "4000000000\n");
    write("sys/fs/cgroup/user/app/memory.current", "1500000000\n");
    write("sys/fs/cgroup/user/app/memory.stat", "anon 900000000\ninactive_file 500000000\n");
    EXPECT_EQ(read().memory, Bytes(4000000000));
    EXPECT_EQ(read().available, Bytes(3000000000));
    // A group around it may allow less.
    write("sys/fs/cgroup/user/memory.max", "2000000000\n");
    write("sys/fs/cgroup/user/memory.current", "1900000000\n");
    EXPECT_EQ(read().memory, Bytes(2000000000));
    EXPECT_EQ(read().available, Bytes(100000000));
}

TEST_F(HostDevice, AnUnlimitedGroupDoesNotLimit) {
    write("proc/self/cgroup", "0::/\n");
    write("sys/fs/cgroup/memory.max", "max\n");
    write("sys/fs/cgroup/memory.current", "1500000000\n");
    EXPECT_EQ(read().memory, Bytes(16000000 * kKibibyte));
    EXPECT_EQ(read().available, Bytes(12000000 * kKibibyte));
}

TEST_F(HostDevice, AVersion1GroupLimitsToo) {
    write("proc/self/cgroup", "7:cpu,memory:/box\n3:devices:/\n");
    write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "3000000000\n");
    write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "1000000000\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "5000000000\n");
    EXPECT_EQ(read().memory, Bytes(3000000000));
    EXPECT_EQ(read().available, Bytes(2000000000));
}

TEST_F(HostDevice, NothingThereIsNoCrash) {
    const DeviceInfo device = readHostDevice(m_root / "absent");
    EXPECT_EQ(device.name, "CPU");
    EXPECT_EQ(device.memory, Bytes(0));
}

TEST(ThisHost, HasMemoryAndThreads) {
    const DeviceInfo device = hostDevice();
    EXPECT_GT(device.memory, Bytes(0));
    EXPECT_GT(device.available, Bytes(0));
    EXPECT_LE(device.available, device.memory);
    EXPECT_GE(device.threads, 1);
    EXPECT_FALSE(device.name.empty());
}

}  // namespace warpglass::test::host_load_test
