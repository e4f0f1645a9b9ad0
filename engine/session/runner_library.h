// Loads libwarpglass-runner (and with it LibTorch) the first time something is run.
#pragma once

#include "engine/base/result.h"
#include "engine/runner/runner_api.h"

namespace warpglass {

/// The runner, loaded once per process; later calls return the same one. Thread-safe; takes about 0.3 s the
/// first time. The error is a sentence for the user: what is missing and what to do ("run
/// packaging/setup.sh", a build without the runner, another LibTorch version).
Result<Runner*> loadRunner();

/// Why loadRunner() would fail, as far as that is known without loading anything: a build without the runner,
/// a missing library, a WARPGLASS_TORCH that names no LibTorch. The sentences are the same; any thread.
Status checkRunner();

/// "2.11.0": what this build was made against, without loading anything; "" for a build without the runner.
std::string_view expectedTorchVersion();

}  // namespace warpglass
