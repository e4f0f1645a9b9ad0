// Configurations by chance, made from the table of settings, so that a new setting is in them at once.
#pragma once

#include <random>
#include <string>
#include <variant>

#include "engine/plan/own_parts.h"
#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"

namespace warpglass::test {

namespace random_setting {

inline void choose(const WholeNumber& kind, RunConfig& config, std::mt19937_64& random, std::int64_t most) {
    const std::int64_t range = std::min(kind.most - kind.least, most) + 1;
    kind.value.in(config) = kind.least + static_cast<std::int64_t>(random() >> 1) % range;
}
inline void choose(const AnyNumber& kind, RunConfig& config, std::mt19937_64& random, std::int64_t) {
    kind.value.in(config) = random();
}
inline void choose(const SizeLimit& kind, RunConfig& config, std::mt19937_64& random, std::int64_t) {
    kind.value.in(config) =
        Bytes(random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() >> (1 + random() % 62)));
}
inline void choose(const OneOf& kind, RunConfig& config, std::mt19937_64& random, std::int64_t) {
    kind.choose(config, random() % kind.choices().size());
}
inline void choose(const SomeOf& kind, RunConfig& config, std::mt19937_64& random, std::int64_t) {
    for (std::size_t i = 0; i < kFeatures.size(); ++i)
        kind.value.in(config).set(static_cast<Feature>(i), random() % 2 == 0);
}
inline void choose(const OwnKernels&, RunConfig& config, std::mt19937_64& random, std::int64_t) {
    for (std::size_t i = 0; i < ownParts().size(); ++i)
        setOwnPart(config, i, random() % 2 == 0);
}
inline void choose(const ModelName& kind, RunConfig& config, std::mt19937_64& random, std::int64_t) {
    const auto presets = modelPresets();
    const ModelPreset& preset = presets[random() % presets.size()];
    kind.value.in(config) = random() % 2 == 0 ? preset.name : kCustomModel;
    config.shape = preset.shape;
}
inline void choose(const DeviceName& kind, RunConfig& config, std::mt19937_64& random, std::int64_t) {
    kind.value.in(config) = random() % 2 == 0 ? "cpu" : "cuda:" + std::to_string(random() % 4);
}

}  // namespace random_setting

/// Every setting is in order by itself; they may be an invalid combination, but a preset has its sizes. Whole
/// numbers are at most `most` above their least.
inline RunConfig randomConfig(std::mt19937_64& random, std::int64_t most = std::int64_t{1} << 40) {
    RunConfig config;
    for (const Setting& setting : settings()) {
        if (!setting.applies(config))
            continue;
        if (setting.panel.part != PanelPart::kSizes || config.model == kCustomModel || config.isAttention())
            std::visit([&](const auto& kind) { random_setting::choose(kind, config, random, most); },
                       setting.kind);
    }
    return config;
}

inline ValidConfig randomValidConfig(std::mt19937_64& random) {
    constexpr std::int64_t kSmall = 100;
    for (;;) {
        if (const std::optional<ValidConfig> valid = ValidConfig::of(randomConfig(random, kSmall)))
            return *valid;
    }
}

}  // namespace warpglass::test
