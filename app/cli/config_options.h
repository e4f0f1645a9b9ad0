// The options of a run, one for each setting of engine/plan/settings.h, shared by `estimate` and `run`.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/cli/cli_fwd.h"
#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"

namespace warpglass::cli {

// What makes up one setting's option, shared with the options of a sweep (grid_options.h).

/// Whether it is one of the model's sizes.
bool isSize(const Setting& setting);
const char* groupOf(const Setting& setting);
const char* valueName(const Setting& setting);
/// What it says, with all that it may be.
std::string helpOf(const Setting& setting);
/// What was given, as the setting reads it; throws where it is no such number or size. Whether a
/// configuration may have that number is ValidConfig's to say, with every other problem.
std::string written(const Setting& setting, const std::string& option, const std::string& text);
/// False, after saying so, where a custom model lacks a size that it needs.
bool hasCustomSizes(const std::function<bool(const Setting*)>& isGiven);

class ConfigOptions {
public:
    enum class Settings { kAll, kPlanned };

    /// `usual`: what is not given.
    explicit ConfigOptions(RunConfig usual = {}) : m_usual(std::move(usual)) {}
    /// kPlanned: only those that affect what a run needs. Must outlive the parse.
    void addTo(CLI::App& command, Settings which);

    /// The requested configuration. Given sizes replace the preset's, which makes the model "custom". Each
    /// problem is reported in a sentence of its own, and then there is no configuration.
    std::optional<ValidConfig> resolve() const;

private:
    void take(const Setting& setting, const std::string& text);

    RunConfig m_usual;
    /// What was given, as the setting writes it, in the table's order.
    std::map<const Setting*, std::string> m_given;
};

}  // namespace warpglass::cli
