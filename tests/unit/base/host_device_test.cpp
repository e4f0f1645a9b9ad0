#include "engine/base/host_device.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::host_device_test {

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

}  // namespace warpglass::test::host_device_test
