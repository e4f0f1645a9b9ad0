#include "engine/session/run_session.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <stdexcept>
#include <thread>

#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "tests/support/held_run.h"
#include "tests/support/must.h"
#include "tests/support/snapshot_compare.h"
#include "tests/support/snapshot_walk.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/valid.h"

namespace warpglass::test::run_session_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::unique_ptr<RunSession> started(Runner& runner, const fs::path& output,
                                    const RunConfig& config = syntheticConfig()) {
    return RunSession::startWith(runner, valid(config), output);
}

struct RunSessionTest : testing::Test {
    const TemporaryFolder folder;
};

TEST_F(RunSessionTest, RunsToTheEndAndLeavesAFileOfTheWholeRun) {
    FakeRunner runner;
    const auto session = started(runner, folder / "a.wgrun");
    session->wait();
    EXPECT_TRUE(session->finished());
    ASSERT_TRUE(session->outcome());
    EXPECT_EQ(session->outcome()->state, run_state::kFinished);
    EXPECT_EQ(session->outcome()->losses.size(), 4u);
    EXPECT_EQ(session->fileError(), "");
    EXPECT_EQ(session->config(), syntheticConfig());
    EXPECT_EQ(session->control().step, 3);
    EXPECT_EQ(session->control().totalSteps, 4);
    const auto last = session->feed()->latest();
    EXPECT_EQ(last->info().get("state"), run_state::kFinished);
    const auto opened = must(openRun(folder / "a.wgrun"));
    EXPECT_TRUE(opened.warnings.empty());
    EXPECT_EQ(firstDifference(*last, *opened.snapshot), "");
}

TEST_F(RunSessionTest, KeepsTheRunInMemoryOnlyWhenThereIsNoOutput) {
    FakeRunner runner;
    const auto session = started(runner, {});
    session->wait();
    EXPECT_EQ(session->fileError(), "");
    EXPECT_GT(session->feed()->latest()->spanCount(), 1000u);
}

TEST_F(RunSessionTest, WritesTheFileWhileTheRunGoesOn) {
    HeldRun held(1);
    const auto session = started(held.runner, folder / "a.wgrun");
    held.begun.acquire();
    EXPECT_FALSE(session->finished());
    EXPECT_FALSE(session->outcome());
    // The first step is recorded and stays as it is: sooner or later the file has it, the run still held.
    const auto recorded = session->feed()->latest();
    Result<OpenedRun> opened = Error{"not tried"};
    do {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        opened = openRun(folder / "a.wgrun");
    } while (!opened || opened->snapshot->spanCount() < recorded->spanCount());
    EXPECT_EQ(firstDifference(*recorded, *opened->snapshot), "");
    EXPECT_THAT(opened->warnings, testing::ElementsAre(HasSubstr("The run is still being recorded")));
    EXPECT_FALSE(session->finished());
    held.go.release();
    session->wait();
    EXPECT_EQ(firstDifference(*session->feed()->latest(), *openRun(folder / "a.wgrun")->snapshot), "");
}

TEST_F(RunSessionTest, StopsWhenAskedAndKeepsWhatWasRecorded) {
    HeldRun held(1);
    const auto session = started(held.runner, folder / "a.wgrun");
    held.begun.acquire();
    session->requestStop();
    EXPECT_FALSE(session->finished()) << "asking does not wait";
    held.go.release();
    session->wait();
    EXPECT_EQ(session->outcome()->state, run_state::kStopped);
    EXPECT_EQ(session->outcome()->losses.size(), 1u);
    const auto opened = must(openRun(folder / "a.wgrun"));
    EXPECT_EQ(opened.snapshot->info().get("state"), run_state::kStopped);
    EXPECT_GT(opened.snapshot->spanCount(), 100u);
}

TEST_F(RunSessionTest, DestroyingOneStopsTheRunAndFinishesItsFile) {
    FakeRunner runner({.pausePerOp = std::chrono::microseconds(500)});
    {
        RunConfig endless = syntheticConfig();
        endless.steps = 1'000'000;  // it has not ended, however late this thread sees its first rows
        const auto session = started(runner, folder / "a.wgrun", endless);
        while (!session->feed() || !session->feed()->latest())
            std::this_thread::yield();
    }
    EXPECT_EQ(must(openRun(folder / "a.wgrun")).snapshot->info().get("state"), run_state::kStopped);
}

TEST_F(RunSessionTest, AFileThatCannotBeMadeDoesNotStopTheRun) {
    FakeRunner runner;
    const fs::path output = folder / "missing" / "a.wgrun";
    const auto session = started(runner, output);
    session->wait();
    EXPECT_EQ(session->outcome()->state, run_state::kFinished);
    EXPECT_THAT(session->fileError(),
                testing::AllOf(HasSubstr(output.string()), HasSubstr("does not exist")));
    EXPECT_TRUE(saveRun(*session->feed()->latest(), folder / "elsewhere.wgrun"));
}

TEST_F(RunSessionTest, ADiskThatFillsUpDoesNotStopTheRun) {
    HeldRun held(1);
    const auto session = started(held.runner, folder / "a.wgrun");
    held.begun.acquire();
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit full{1000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &full);
    held.go.release();
    session->wait();
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(session->outcome()->state, run_state::kFinished);
    EXPECT_THAT(session->fileError(), HasSubstr("cannot write " + (folder / "a.wgrun").string()));
    EXPECT_EQ(session->feed()->latest()->info().get("state"), run_state::kFinished);
    EXPECT_TRUE(saveRun(*session->feed()->latest(), folder / "elsewhere.wgrun"));
}

TEST_F(RunSessionTest, AFailingRunKeepsItsSentenceAndItsRecording) {
    FakeRunnerOptions options{.failAtStep = 2};
    FakeRunner runner(options);
    const auto session = started(runner, folder / "a.wgrun");
    session->wait();
    EXPECT_EQ(session->outcome()->state, run_state::kFailed);
    EXPECT_EQ(session->outcome()->message, options.failMessage);
    const auto opened = must(openRun(folder / "a.wgrun"));
    EXPECT_EQ(opened.snapshot->info().get("state"), run_state::kFailed);
    EXPECT_EQ(opened.snapshot->info().get("state.message"), options.failMessage);
}

TEST_F(RunSessionTest, ARunThatIsRefusedLeavesNoFile) {
    FakeRunnerOptions options{.refuse = "there is no device \"cuda:0\""};
    FakeRunner runner(options);
    const auto session = started(runner, folder / "a.wgrun");
    session->wait();
    EXPECT_EQ(session->outcome()->state, run_state::kFailed);
    EXPECT_EQ(session->outcome()->message, options.refuse);
    EXPECT_EQ(session->feed(), nullptr);
    EXPECT_FALSE(fs::exists(folder / "a.wgrun"));
}

class ThrowingRunner final : public FakeRunner {
public:
    Result<RunOutcome> run(const ValidConfig&, RunControl&,
                           const std::function<void(std::shared_ptr<TraceFeed>)>&) override {
        throw std::runtime_error("no more memory");
    }
};

TEST_F(RunSessionTest, AnExceptionIsAFailedRun) {
    ThrowingRunner runner;
    const auto session = started(runner, {});
    session->wait();
    EXPECT_EQ(session->outcome()->state, run_state::kFailed);
    EXPECT_THAT(session->outcome()->message, HasSubstr("no more memory"));
}

// Everything that the window does at once, for the thread sanitizer.
TEST_F(RunSessionTest, CanBeWatchedFromAnotherThread) {
    FakeRunner runner({.pausePerOp = std::chrono::microseconds(100)});
    const auto session = started(runner, folder / "a.wgrun");
    std::uint64_t sum = 0;
    std::uint64_t last = 0;
    bool finished = false;
    do {
        finished = session->finished();  // at least one look, also where it has ended already
        const auto feed = session->feed();
        if (const auto snapshot = feed ? feed->latest() : nullptr) {
            EXPECT_GE(snapshot->epoch(), last);
            last = snapshot->epoch();
            sum += readEverything(*snapshot);
        }
        sum += static_cast<std::uint64_t>(session->control().step) + session->fileError().size();
    } while (!finished);
    EXPECT_NE(sum, 0u);
    EXPECT_EQ(session->outcome()->state, run_state::kFinished);
}

}  // namespace warpglass::test::run_session_test
