#include "engine/query/caption.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/plan/run_config.h"

namespace warpglass {

namespace {

void append(std::string& text, std::string_view part, std::string_view separator) {
    if (part.empty())
        return;
    if (!text.empty())
        text += separator;
    text += part;
}

std::string modelText(const RunConfig& config) {
    std::string text = config.model;
    const ModelShape& shape = config.shape;
    if (const auto preset = presetShape(config.model); !preset || *preset != shape) {
        text += " model of " + std::to_string(shape.layers) + " layers (d_model " +
                std::to_string(shape.dModel) + ", d_ff " + std::to_string(shape.dFf) + ", " +
                std::to_string(shape.heads) + " heads, vocabulary " + std::to_string(shape.vocabulary) + ")";
    }
    return text + ", context " + std::to_string(config.context) + ", batch " + std::to_string(config.batch);
}

/// What was asked for; and what LibTorch chose for it, where that is another.
std::string attentionText(const RunConfig& config, const std::string& backend) {
    std::string asked(attentionName(config.attention));
    std::string words = asked;
    std::replace(words.begin(), words.end(), '-', ' ');
    return asked + " attention" + (backend.empty() || backend == words ? "" : " (by " + backend + ")");
}

std::string modeText(const RunConfig& config) {
    constexpr std::array<std::string_view, 3> kModes = {"forward pass", "forward and backward pass",
                                                        "training step"};
    return std::string(kModes[static_cast<std::size_t>(config.mode) % kModes.size()]) + ", " +
           (config.execution == Execution::kGraph ? "CUDA graph" : "eager");
}

}  // namespace

std::string runCaption(const RunInfo& info) {
    constexpr std::string_view kDot = " · ";
    std::string text;
    const auto config = configFromPairs(info.pairs());
    if (config) {
        append(text, modelText(*config), kDot);
        append(text, precisionName(config->precision), kDot);
        append(text, attentionText(*config, info.get("attention.backend")), kDot);
        append(text, modeText(*config), kDot);
    }
    std::string device = info.get("device.name");
    if (device.empty() && config)
        device = config->device;
    append(text, device, kDot);

    std::string versions;
    for (const auto& [key, name] :
         {std::pair{"torch.version", "LibTorch "}, std::pair{"cuda.runtime", "CUDA "},
          std::pair{"warpglass.version", "Warpglass "}}) {
        if (const std::string version = info.get(key); !version.empty())
            append(versions, name + version, ", ");
    }
    append(text, versions, kDot);
    // "2026-11-21T17:12:03Z": the day is enough.
    append(text, info.get("time.started").substr(0, 10), kDot);
    if (info.get("state") == run_state::kFailed)
        append(text, "the run failed", kDot);
    else if (info.get("state") == run_state::kStopped)
        append(text, "the run was stopped", kDot);
    return text;
}

}  // namespace warpglass
