// Every implementation of a model's parts that a test can run, from their lists: a new one is tested at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/plan/parts.h"
#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"

namespace warpglass::test {

/// Those that `config` can be run with, in the order of the list.
inline std::vector<AttentionVariant> attentionsFor(RunConfig config) {
    std::vector<AttentionVariant> found;
    for (std::size_t i = 0; i < kCountOf<AttentionVariant>; ++i) {
        config.attention = static_cast<AttentionVariant>(i);
        if (validate(config).empty())
            found.push_back(config.attention);
    }
    return found;
}

/// `config` with one part after the other computed by each other implementation that can run it, named
/// "attention flash", "kernels norm".
inline std::vector<std::pair<std::string, RunConfig>> withEachOther(const RunConfig& config) {
    std::vector<std::pair<std::string, RunConfig>> others;
    for (const Setting& setting : everySetting()) {
        if (setting.key != "attention" && setting.key != "kernels")
            continue;
        for (const Choice& choice : setting.choices()) {
            RunConfig other = config;
            if (setting.take(choice.word, other) && other != config && validate(other).empty())
                others.emplace_back(std::string(setting.key).append(" ").append(choice.word), other);
        }
    }
    return others;
}

}  // namespace warpglass::test
