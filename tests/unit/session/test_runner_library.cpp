// A runner library for tests of loading one: what it says is set by the environment when it is asked.
#include <cstdlib>

#include "engine/runner/runner_api.h"
#include "tests/support/fake_runner.h"

extern "C" warpglass::Runner* warpglassRunner(int abi) {
    if (std::getenv("WARPGLASS_TEST_OTHER_ABI"))
        ++abi;
    if (abi != warpglass::kRunnerAbi)
        return nullptr;
    const char* version = std::getenv("WARPGLASS_TEST_TORCH_VERSION");
    warpglass::test::FakeRunnerOptions options;
    if (version)
        options.version = version;
    // Never freed, as the real library's runner is not: it lives as long as the process.
    return new warpglass::test::FakeRunner(options);
}
