// The options that describe a run, in the run panel's words, shared by `estimate` and `run`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/plan/run_config.h"

namespace CLI {
class App;
}

namespace warpglass::cli {

struct ConfigOptions {
    RunConfig config;
    std::optional<std::int64_t> dModel, dFf, layers, heads, vocabulary;

    /// Model, sizes, context, batch, precision, attention, mode. Must outlive the parse.
    void addModelOptions(CLI::App& command);
    /// Device, warm-up, steps, seed.
    void addProtocolOptions(CLI::App& command);

    /// The configuration that was asked for: given sizes replace the preset's, which makes the model
    /// "custom". Every problem is said in a sentence of its own; then there is no configuration.
    std::optional<RunConfig> resolve() const;
};

}  // namespace warpglass::cli
