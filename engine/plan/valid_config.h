// The door of a run: what is wrong with a configuration, and the configuration in which nothing is.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/run_config.h"

namespace warpglass {

/// One thing wrong with a configuration.
struct ConfigProblem {
    /// The key of a setting: "d-model", "context", "device".
    std::string field;
    /// One sentence.
    std::string sentence;
};
/// Every problem, in the order of settings(); empty when the configuration can be run as far as arithmetic
/// can tell. As dear as a prediction of memory: who goes on with the configuration asks ValidConfig::of().
std::vector<ConfigProblem> validate(const RunConfig& config);

/// A configuration that has been validated. What is given one need not look again.
class ValidConfig {
public:
    /// The usual one, which is valid.
    ValidConfig() = default;
    /// Nothing where validate() finds a problem; `problems`, if given, then holds what it found. What does
    /// not apply to the workload becomes usual (ofItsWorkload()).
    static std::optional<ValidConfig> of(RunConfig config, std::vector<ConfigProblem>* problems = nullptr);

    const RunConfig& get() const { return m_config; }
    operator const RunConfig&() const { return m_config; }
    const RunConfig* operator->() const { return &m_config; }
    bool operator==(const ValidConfig&) const = default;

private:
    explicit ValidConfig(RunConfig config) : m_config(std::move(config)) {}
    RunConfig m_config;
};

}  // namespace warpglass
