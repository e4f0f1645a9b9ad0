#include "engine/plan/run_config.h"

#include <algorithm>

#include "engine/base/nearest_word.h"
#include "engine/plan/parts.h"
#include "engine/plan/settings.h"

namespace warpglass {
namespace {

constexpr std::array<ModelPreset, 7> kPresets = {{
    {"tiny", {10000, 256, 1024, 4, 4}},
    {"small", {10000, 768, 3072, 12, 12}},
    {"medium", {10000, 1024, 4096, 24, 16}},
    {"large", {10000, 1280, 5120, 36, 20}},
    {"xl", {10000, 1600, 6400, 48, 25}},
    {"2.7B", {10000, 2560, 10240, 32, 32}},
    {"10B", {10000, 4608, 12288, 50, 36}},
}};

std::array<std::string_view, kPresets.size()> presetNames() {
    std::array<std::string_view, kPresets.size()> names;
    std::transform(kPresets.begin(), kPresets.end(), names.begin(),
                   [](const ModelPreset& p) { return p.name; });
    return names;
}

}  // namespace

std::span<const ModelPreset> modelPresets() {
    return kPresets;
}

Result<ModelShape> presetShape(std::string_view name) {
    for (const ModelPreset& preset : kPresets)
        if (preset.name == name)
            return preset.shape;
    return Error{"There is no model \"" + std::string(name) + "\": choose " + listedWords(presetNames()) +
                 ", or give custom sizes." + didYouMean(name, presetNames())};
}

std::string_view attentionName(AttentionVariant a) {
    return planOf(a).is.choice.word;
}

std::string shortTitle(const RunConfig& config) {
    std::string title;
    bool inShape = false;
    for (const Setting* setting : settingsInTitle(config)) {
        const bool follows = inShape && setting->isDimension(config);
        title.append(title.empty() ? "" : follows ? " × " : " · ").append(setting->titleWords(config));
        inShape = setting->isDimension(config);
    }
    return title;
}

std::vector<std::pair<std::string, std::string>> toPairs(const RunConfig& config, Written which) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const Setting& setting : settings()) {
        if (which == Written::kAll || setting.applies(config))
            pairs.emplace_back(setting.fileKey(), setting.text(config));
    }
    return pairs;
}

Result<RunConfig> configFromPairs(std::span<const std::pair<std::string, std::string>> pairs, Written which) {
    RunConfig config;
    // The workload comes first: what does not apply to it is not asked for.
    for (const Setting& setting : everySetting()) {
        const bool applies = setting.applies(config);
        if (!applies && which == Written::kApplying)
            continue;
        const std::string key = setting.fileKey();
        const auto found =
            std::ranges::find_if(pairs, [&key](const auto& pair) { return pair.first == key; });
        if (found == pairs.end()) {
            if (setting.required && applies)
                return Error{"The run's information lacks " + key + "."};
        } else if (const Status taken = setting.take(found->second, config); !taken) {
            return Error{"The run's information has a wrong " + key + ": " + taken.message()};
        }
    }
    return config;
}

}  // namespace warpglass
