#include "engine/session/runner_library.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "engine/session/run_session.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/valid.h"

namespace warpglass::test::runner_library_test {

using testing::AllOf;
using testing::HasSubstr;

/// Loading lasts for a process, so each attempt has one of its own; what it printed comes back.
std::string loadInChild(const std::vector<std::pair<std::string, std::string>>& environment) {
    int ends[2];
    if (::pipe(ends) != 0)
        return "no pipe";
    const pid_t child = ::fork();
    if (child == 0) {
        for (const char* name : {"WARPGLASS_RUNNER", "WARPGLASS_TORCH"})
            ::unsetenv(name);
        for (const auto& [name, value] : environment)
            ::setenv(name.c_str(), value.c_str(), 1);
        const Result<Runner*> first = loadRunner();
        const Result<Runner*> second = loadRunner();
        std::string text = first ? "loaded " + (*first)->torchVersion() : first.message();
        if (first.ok() != second.ok() || (first && *first != *second))
            text = "the second call differs";
        const ssize_t written = ::write(ends[1], text.data(), text.size());
        ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return text;
}

const std::string kRunner = WARPGLASS_TEST_RUNNER;
const std::string kEmpty = WARPGLASS_EMPTY_LIBRARY;

std::string anyVersion() {
    return expectedTorchVersion().empty() ? "2.11.0" : std::string(expectedTorchVersion());
}

TEST(RunnerLibrary, IsLoadedFromWhereTheEnvironmentSays) {
    EXPECT_EQ(loadInChild({{"WARPGLASS_RUNNER", kRunner}, {"WARPGLASS_TEST_TORCH_VERSION", anyVersion()}}),
              "loaded " + anyVersion());
}

TEST(RunnerLibrary, AMissingOneSaysWhereItWasLookedFor) {
    const std::string message = loadInChild({{"WARPGLASS_RUNNER", "/nowhere/libx.so"}});
    EXPECT_THAT(message, AllOf(HasSubstr("/nowhere/libx.so"), HasSubstr("does not exist")));
}

TEST(RunnerLibrary, ALibraryThatIsNoRunnerSaysSo) {
    EXPECT_THAT(loadInChild({{"WARPGLASS_RUNNER", kEmpty}}), HasSubstr("is not Warpglass's runner"));
    TemporaryFolder folder;
    std::ofstream(folder / "text.so") << "not a library";
    EXPECT_THAT(loadInChild({{"WARPGLASS_RUNNER", folder / "text.so"}}), HasSubstr("cannot be loaded"));
}

TEST(RunnerLibrary, AnotherBuildsRunnerIsRefused) {
    EXPECT_THAT(loadInChild({{"WARPGLASS_RUNNER", kRunner}, {"WARPGLASS_TEST_OTHER_ABI", "1"}}),
                HasSubstr("another version of Warpglass"));
}

TEST(RunnerLibrary, AnotherLibTorchIsRefusedByNamingBoth) {
    if (expectedTorchVersion().empty())
        GTEST_SKIP() << "a build without the runner expects no version";
    const std::string message =
        loadInChild({{"WARPGLASS_RUNNER", kRunner}, {"WARPGLASS_TEST_TORCH_VERSION", "1.0.0"}});
    EXPECT_THAT(message, AllOf(HasSubstr("1.0.0"), HasSubstr(std::string(expectedTorchVersion()))));
}

TEST(RunnerLibrary, ATorchFolderWithoutTorchSaysSo) {
    TemporaryFolder folder;
    const std::string message =
        loadInChild({{"WARPGLASS_RUNNER", kRunner}, {"WARPGLASS_TORCH", folder.path()}});
    EXPECT_THAT(message, AllOf(HasSubstr(folder.path().string()), HasSubstr("there is no LibTorch")));
}

TEST(RunnerLibrary, TorchIsLoadedBeforeTheRunner) {
    // Libraries of the right names stand in for LibTorch: that they are loaded, and from which of the two
    // layouts, is what counts here.
    for (const char* layout : {"torch/lib", "lib"}) {
        TemporaryFolder folder;
        std::filesystem::create_directories(folder / layout);
        std::filesystem::copy_file(kEmpty, folder / layout / "libtorch_cpu.so");
        std::ofstream(folder / layout / "libc10.so") << "broken";
        EXPECT_THAT(loadInChild({{"WARPGLASS_RUNNER", kRunner}, {"WARPGLASS_TORCH", folder.path()}}),
                    HasSubstr("cannot be loaded"));
        std::filesystem::remove(folder / layout / "libc10.so");
        EXPECT_EQ(loadInChild({{"WARPGLASS_RUNNER", kRunner},
                               {"WARPGLASS_TORCH", folder.path()},
                               {"WARPGLASS_TEST_TORCH_VERSION", anyVersion()}}),
                  "loaded " + anyVersion());
    }
}

TEST(RunnerLibrary, WhatStandsAgainstLoadingIsToldWithoutLoading) {
    ::setenv("WARPGLASS_RUNNER", "/nowhere/libx.so", 1);
    const Status missing = checkRunner();
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.message(), HasSubstr("/nowhere/libx.so"));
    ::setenv("WARPGLASS_RUNNER", kRunner.c_str(), 1);
    EXPECT_TRUE(checkRunner());
    TemporaryFolder folder;
    ::setenv("WARPGLASS_TORCH", folder.path().c_str(), 1);
    const Status noTorch = checkRunner();
    ASSERT_FALSE(noTorch);
    EXPECT_THAT(noTorch.message(), HasSubstr("where there is no LibTorch"));
    ::unsetenv("WARPGLASS_TORCH");
    ::unsetenv("WARPGLASS_RUNNER");
}

TEST(RunnerLibrary, ASessionWithoutOneFailsWithItsSentence) {
    ::setenv("WARPGLASS_RUNNER", "/nowhere/libx.so", 1);
    TemporaryFolder folder;
    const auto session = RunSession::start(valid(syntheticConfig()), folder / "a.wgrun");
    session->wait();
    EXPECT_EQ(session->outcome()->state, run_state::kFailed);
    EXPECT_THAT(session->outcome()->message, HasSubstr("/nowhere/libx.so"));
    EXPECT_EQ(session->feed(), nullptr);
    EXPECT_EQ(session->fileError(), "");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.wgrun"));
    ::unsetenv("WARPGLASS_RUNNER");
}

}  // namespace warpglass::test::runner_library_test
