// What libwarpglass-runner offers, without LibTorch: a synthetic run, steered by the environment.
//   WARPGLASS_TEST_PAUSE_US  slept after every outermost op, so that a run lasts
//   WARPGLASS_TEST_REFUSE    run() returns this error
//   WARPGLASS_TEST_FAIL_AT   the step in which the run fails
//   WARPGLASS_TEST_HANG_AT   the step before which it sleeps for longer than any test waits
//   WARPGLASS_TEST_WAITED    the share of its time that the run's thread says it waited for a core
#include <cstdlib>
#include <thread>

#include "tests/support/fake_runner.h"

namespace {

warpglass::test::FakeRunnerOptions optionsFromEnvironment() {
    warpglass::test::FakeRunnerOptions options;
    if (const char* pause = std::getenv("WARPGLASS_TEST_PAUSE_US"))
        options.pausePerOp = std::chrono::microseconds(std::atoi(pause));
    if (const char* refuse = std::getenv("WARPGLASS_TEST_REFUSE"))
        options.refuse = refuse;
    if (const char* share = std::getenv("WARPGLASS_TEST_WAITED"))
        options.waitedShare = std::atof(share);
    if (const char* step = std::getenv("WARPGLASS_TEST_FAIL_AT"))
        options.failAtStep = std::atoi(step);
    if (const char* step = std::getenv("WARPGLASS_TEST_HANG_AT")) {
        options.beforeStep = [at = std::atoi(step)](std::int64_t now) {
            if (now == at)
                std::this_thread::sleep_for(std::chrono::hours(1));
        };
    }
    return options;
}

}  // namespace

extern "C" warpglass::Runner* warpglassRunner(int abi) {
    static warpglass::test::FakeRunner runner(optionsFromEnvironment());
    return abi == warpglass::kRunnerAbi ? &runner : nullptr;
}
