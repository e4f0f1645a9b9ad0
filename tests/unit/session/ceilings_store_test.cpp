#include "engine/session/ceilings_store.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/query/model/best_product.h"
#include "engine/session/run_session.h"
#include "tests/support/fake_runner.h"
#include "tests/support/files.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/valid.h"

namespace warpglass::test::ceilings_store_test {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

DeviceCeilings ceilingsOf(const std::string& device, double rate) {
    return {.device = device,
            .driver = "580.65.06",
            .torch = "2.11.0",
            .measured = "2026-01-31T15:45:00Z",
            .products = {{Precision::kFp32, rate, 4096, 4096, 4096},
                         {Precision::kBf16, 14 * rate, 8192, 8192, 8192}},
            .copyBytesPerSecond = 4.123456789e12,
            .hostToDeviceBytesPerSecond = 55e9,
            .deviceToHostBytesPerSecond = 54e9,
            .copySize = Bytes(1 << 30),
            .launchNs = 2310.25,
            .kernelToKernelNs = 1875.5};
}

/// An environment variable for the time of a test.
class EnvironmentScope {
public:
    EnvironmentScope(const char* name, const char* value) : m_name(name) {
        if (const char* before = std::getenv(name))
            m_before = before;
        value ? ::setenv(name, value, 1) : ::unsetenv(name);
    }
    ~EnvironmentScope() { m_before ? ::setenv(m_name, m_before->c_str(), 1) : ::unsetenv(m_name); }
    EnvironmentScope(const EnvironmentScope&) = delete;
    EnvironmentScope& operator=(const EnvironmentScope&) = delete;

private:
    const char* m_name;
    std::optional<std::string> m_before;
};

struct CeilingsStoreTest : testing::Test {
    const TemporaryFolder folder;
};

TEST_F(CeilingsStoreTest, KeepsEachDeviceDriverAndLibTorchApart) {
    const CeilingsStore store(folder / "new/folders/ceilings.json");
    EXPECT_TRUE(store.all()->empty());
    const DeviceCeilings h200 = ceilingsOf("NVIDIA H200", 51e12);
    DeviceCeilings newer = h200;
    newer.driver = "590.10";
    ASSERT_TRUE(store.keep(h200));
    ASSERT_TRUE(store.keep(ceilingsOf("NVIDIA \"T4\" ☂", 8e12)));
    ASSERT_TRUE(store.keep(newer));
    EXPECT_EQ(store.all()->size(), 3u);
    EXPECT_EQ(store.find("NVIDIA H200", "580.65.06", "2.11.0"), h200);
    EXPECT_EQ(store.find("NVIDIA H200", "590.10", "2.11.0"), newer);
    EXPECT_EQ(store.find("NVIDIA \"T4\" ☂", "580.65.06", "2.11.0")->products[0].flopsPerSecond, 8e12);
    EXPECT_FALSE(store.find("NVIDIA H200", "580.65.06", "2.12.0"));
    EXPECT_FALSE(store.find("NVIDIA H100", "580.65.06", "2.11.0"));

    DeviceCeilings again = h200;
    again.launchNs = 1;
    ASSERT_TRUE(store.keep(again));
    EXPECT_EQ(store.all()->size(), 3u) << "measured anew, it takes the old one's place";
    EXPECT_EQ(store.find("NVIDIA H200", "580.65.06", "2.11.0"), again);
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder / "new/folders"))
        files.insert(entry.path().filename());
    EXPECT_EQ(files, (std::set<std::string>{"ceilings.json", "ceilings.json.lock"}));
}

TEST_F(CeilingsStoreTest, KeepsTheBestEverSeenAndReadsFilesWithoutSources) {
    const fs::path path = folder / "ceilings.json";
    const CeilingsStore store(path);
    ASSERT_TRUE(store.keep(ceilingsOf("NVIDIA H200", 51e12)));
    ASSERT_TRUE(store.keep(ceilingsOf("NVIDIA H200", 48e12)));
    const auto best = [&] { return store.find("NVIDIA H200", "580.65.06", "2.11.0")->products[0]; };
    EXPECT_EQ(best().flopsPerSecond, 51e12) << "a slower measurement lowers no ceiling";
    DeviceCeilings faster = ceilingsOf("NVIDIA H200", 53e12);
    faster.products[0].source = "small, 2026";
    ASSERT_TRUE(store.keep(faster));
    EXPECT_EQ(best().flopsPerSecond, 53e12);
    EXPECT_EQ(best().source, "small, 2026");
    std::string text = contentOf(path);
    for (const std::string without :
         {",\n          \"source\": \"small, 2026\"", ",\n          \"source\": \"\""}) {
        const std::size_t at = text.find(without);
        ASSERT_NE(at, std::string::npos) << text;
        text.erase(at, without.size());
    }
    writeContent(path, text);
    EXPECT_EQ(best().flopsPerSecond, 53e12);
    EXPECT_EQ(best().source, "");
}

TEST_F(CeilingsStoreTest, ARunWhoseProductBeatTheCeilingRaisesIt) {
    const EnvironmentScope data("XDG_DATA_HOME", folder.path().c_str());
    FakeRunner runner;
    RunControl control;
    DeviceCeilings measured = *runner.measureCeilings("cpu", control);
    const RunConfig config = syntheticConfig();
    const auto runOnce = [&] {
        const auto session = RunSession::startWith(runner, valid(config), {});
        session->wait();
        return session->feed()->latest();
    };
    const double reached = bestProduct(*runOnce()).flopsPerSecond;
    ASSERT_GT(reached, 0);
    const auto kept = [&](double before) {
        fs::remove(CeilingsStore::userFile());
        measured.products = {{config.precision, before, 64, 64, 64, {}}};
        EXPECT_TRUE(CeilingsStore().keep(measured));
        runOnce();
        return CeilingsStore().all()->front().products.front();
    };
    const DeviceCeilings::Product raised = kept(reached / 1.2);
    EXPECT_NEAR(raised.flopsPerSecond / reached, 1, 1e-9);
    EXPECT_THAT(raised.source, StartsWith(shortTitle(config)));
    EXPECT_EQ(kept(reached * 1.2).source, "") << "it held";
    EXPECT_EQ(kept(reached / 3).source, "") << "what is three times as fast is no measurement";
}

TEST_F(CeilingsStoreTest, RunsRaiseACeilingByHalfOfWhatWasMeasuredAtMostHoweverMany) {
    const CeilingsStore store(folder / "ceilings.json");
    const DeviceCeilings measured = ceilingsOf("NVIDIA H200", 50e12);
    ASSERT_TRUE(store.keep(measured));
    const auto now = [&] { return store.all()->front().products.front(); };
    for (double rate = 52e12; rate < 300e12; rate *= 1.1)
        ASSERT_TRUE(store.raise(measured, {Precision::kFp32, rate, 0, 0, 0, "a run"}));
    EXPECT_GT(now().flopsPerSecond, 60e12);
    EXPECT_LE(now().flopsPerSecond, 75e12);
    EXPECT_EQ(now().measured(), 50e12);
    EXPECT_EQ(now().source, "a run");
    const double raised = now().flopsPerSecond;
    ASSERT_TRUE(store.raise(measured, {Precision::kFp32, raised / 2, 0, 0, 0, "a slower run"}));
    ASSERT_TRUE(store.raise(measured, {Precision::kFp16, 1e12, 0, 0, 0, "not measured"}));
    DeviceCeilings other = measured;
    other.driver = "590.10";
    ASSERT_TRUE(store.raise(other, {Precision::kFp32, raised * 1.01, 0, 0, 0, "another driver"}));
    EXPECT_EQ(now().flopsPerSecond, raised);

    // A measurement that is slower takes nothing back; the faster one is what runs are held against.
    ASSERT_TRUE(store.keep(ceilingsOf("NVIDIA H200", 48e12)));
    EXPECT_EQ(now().flopsPerSecond, raised);
    EXPECT_EQ(now().measured(), 50e12);
    ASSERT_TRUE(store.keep(ceilingsOf("NVIDIA H200", 55e12)));
    EXPECT_EQ(now().measured(), 55e12);
}

TEST_F(CeilingsStoreTest, WhatAnOlderStoreSaysARunReachedIsKeptButRaisedNoFurtherUntilItIsMeasured) {
    const CeilingsStore store(folder / "ceilings.json");
    DeviceCeilings old = ceilingsOf("NVIDIA H200", 90e12);
    old.products[0].source = "a run, 2026";  // without what was measured, as they were kept once
    ASSERT_TRUE(store.keep(old));
    ASSERT_THAT(contentOf(folder / "ceilings.json"), Not(HasSubstr("measured_flops")));
    const auto now = [&] { return store.all()->front().products.front(); };
    ASSERT_TRUE(store.raise(old, {Precision::kFp32, 95e12, 0, 0, 0, "a run"}));
    EXPECT_EQ(now().flopsPerSecond, 90e12);
    EXPECT_EQ(now().measured(), 0);
    // Believable beside a measurement of 70; not beside one of 50.
    ASSERT_TRUE(store.keep(ceilingsOf("NVIDIA H200", 70e12)));
    EXPECT_EQ(now().flopsPerSecond, 90e12);
    EXPECT_EQ(now().measured(), 70e12);
    fs::remove(folder / "ceilings.json");
    ASSERT_TRUE(store.keep(old));
    ASSERT_TRUE(store.keep(ceilingsOf("NVIDIA H200", 50e12)));
    EXPECT_EQ(now().flopsPerSecond, 50e12);
    EXPECT_EQ(now().source, "");
}

TEST_F(CeilingsStoreTest, ManyProcessesAtOnceLoseNothingOfOneAnother) {
    const fs::path path = folder / "ceilings.json";
    constexpr int kProcesses = 8, kDevices = 12;
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            bool good = true;
            for (int device = 0; device < kDevices; ++device)
                good = good && CeilingsStore(path).keep(ceilingsOf(
                                   "device " + std::to_string(i) + "." + std::to_string(device), 1e12));
            ::_exit(good ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(CeilingsStore(path).all()->size(), std::size_t{kProcesses * kDevices});
}

TEST_F(CeilingsStoreTest, ADamagedFileIsOneSentenceAndIsBegunAnew) {
    const fs::path path = folder / "ceilings.json";
    const CeilingsStore store(path);
    ASSERT_TRUE(store.keep(ceilingsOf("NVIDIA H200", 51e12)));
    const std::string whole = contentOf(path);
    std::vector<std::string> damaged = {"[]",
                                        "null",
                                        "{\"version\":1}",
                                        "{\"version\":2,\"devices\":[]}",
                                        "{\"version\":1,\"devices\":[{}]}",
                                        "{\"version\":1,\"devices\":[7]}",
                                        std::string("\xff\xfe\0\0", 4),
                                        std::string(2 << 20, ' '),
                                        std::string(100000, '[')};
    for (std::size_t i = 0; i + 2 < whole.size(); i += 7)  // the last brace and line feed may go unnoticed
        damaged.push_back(whole.substr(0, i));
    for (const std::string& text : damaged) {
        writeContent(path, text);
        const auto read = store.all();
        ASSERT_FALSE(read) << text.substr(0, 200);
        EXPECT_THAT(read.message(), HasSubstr(path.string()));
        EXPECT_FALSE(store.find("NVIDIA H200", "580.65.06", "2.11.0"));
    }
    ASSERT_TRUE(store.keep(ceilingsOf("NVIDIA H200", 52e12)));
    EXPECT_EQ(store.all()->size(), 1u);
    EXPECT_EQ(contentOf(store.setAside()), damaged.back()) << "it is kept: it may be a newer version's";
}

TEST_F(CeilingsStoreTest, AFlippedBitGivesOtherNumbersAtWorst) {
    const fs::path path = folder / "ceilings.json";
    const CeilingsStore store(path);
    ASSERT_TRUE(store.keep(ceilingsOf("NVIDIA H200", 51e12)));
    const std::string whole = contentOf(path);
    for (std::size_t i = 0; i < whole.size() * 8; i += 5) {
        std::string text = whole;
        text[i / 8] = static_cast<char>(text[i / 8] ^ (1 << (i % 8)));
        writeContent(path, text);
        const auto read = store.all();
        for (const DeviceCeilings& ceilings : read ? *read : std::vector<DeviceCeilings>()) {
            EXPECT_GE(ceilings.copyBytesPerSecond, 0);
            EXPECT_GE(ceilings.launchNs, 0);
        }
    }
}

TEST_F(CeilingsStoreTest, WhatCannotBeKeptIsOneSentence) {
    writeContent(folder / "file", "");
    const Status status = CeilingsStore(folder / "file/ceilings.json").keep(ceilingsOf("x", 1));
    ASSERT_FALSE(status);
    EXPECT_THAT(status.message(), HasSubstr("file/ceilings.json"));
    EXPECT_FALSE(CeilingsStore(fs::path()).keep(ceilingsOf("x", 1)));
    EXPECT_TRUE(CeilingsStore(fs::path()).all()->empty());
    fs::create_directories(folder / "folder.json");
    EXPECT_FALSE(CeilingsStore(folder / "folder.json").all());
    EXPECT_FALSE(CeilingsStore(folder / "folder.json").keep(ceilingsOf("x", 1)));
}

TEST_F(CeilingsStoreTest, StandsInTheUsersDataFolder) {
    {
        const EnvironmentScope data("XDG_DATA_HOME", "/data");
        EXPECT_EQ(CeilingsStore::userFile(), "/data/warpglass/ceilings.json");
    }
    const EnvironmentScope home("HOME", "/home/somebody");
    for (const char* none : {static_cast<const char*>(nullptr), "", "relative"}) {
        const EnvironmentScope data("XDG_DATA_HOME", none);
        EXPECT_EQ(CeilingsStore::userFile(), "/home/somebody/.local/share/warpglass/ceilings.json");
    }
    const EnvironmentScope nobody("HOME", nullptr);
    const EnvironmentScope data("XDG_DATA_HOME", nullptr);
    EXPECT_EQ(CeilingsStore::userFile(), "");
}

TEST_F(CeilingsStoreTest, ARunStatesTheCeilingsOfItsDevice) {
    const EnvironmentScope data("XDG_DATA_HOME", folder.path().c_str());
    FakeRunner runner;
    RunControl control;
    const Result<DeviceCeilings> measured = runner.measureCeilings("cpu", control);
    ASSERT_TRUE(measured) << measured.message();
    ASSERT_TRUE(CeilingsStore().keep(*measured));
    const auto session = RunSession::startWith(runner, valid(syntheticConfig()), folder / "a.wgrun");
    session->wait();
    const auto opened = openRun(folder / "a.wgrun");
    ASSERT_TRUE(opened) << opened.message();
    for (const RunInfo& info : {session->feed()->latest()->info(), opened->snapshot->info()}) {
        EXPECT_EQ(info.getInteger("ceiling.fp32_flops_per_second"), 2'000'000'000'000);
        EXPECT_EQ(info.getInteger("ceiling.bf16_flops_per_second"), 5'000'000'000'000);
        EXPECT_EQ(info.get("ceiling.measured"), measured->measured);
        EXPECT_FALSE(info.has("ceiling.host_to_device_bytes_per_second"));
    }
}

TEST_F(CeilingsStoreTest, ARunOnADeviceThatWasNotMeasuredStatesNone) {
    const EnvironmentScope data("XDG_DATA_HOME", folder.path().c_str());
    ASSERT_TRUE(CeilingsStore().keep(ceilingsOf("Synthetic CPU", 1e12)));  // with another driver
    FakeRunner runner;
    const auto session = RunSession::startWith(runner, valid(syntheticConfig()), {});
    session->wait();
    for (const auto& [key, value] : session->feed()->latest()->info().pairs())
        EXPECT_THAT(key, Not(StartsWith("ceiling.")));
}

}  // namespace warpglass::test::ceilings_store_test
