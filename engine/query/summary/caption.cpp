#include "engine/query/summary/caption.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/plan/run_config.h"

namespace warpglass {

namespace {

constexpr std::string_view kDot = " · ";

/// No real part is cut; a crafted file's would fill pages, and take seconds to lay out.
void append(std::string& text, std::string_view part, std::string_view separator) {
    constexpr std::size_t kLongest = 300;
    if (part.empty())
        return;
    if (!text.empty())
        text += separator;
    if (part.size() <= kLongest) {
        text += part;
        return;
    }
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(part[end]) & 0xc0u) == 0x80u)
        --end;  // not within a letter
    text.append(part.substr(0, end)).append("…");
}

std::string modelText(const RunConfig& config) {
    if (config.isAttention())
        return "attention alone" + std::string(config.isCausal() ? ", causal" : "") + ", batch " +
               std::to_string(config.batch) + ", " + std::to_string(config.shape.heads) +
               (config.shape.heads == 1 ? " head" : " heads") + ", length " + std::to_string(config.context) +
               ", head dim " + std::to_string(config.headDim);
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
    constexpr std::array<std::string_view, 3> kModes = {"forward pass", "forward and backward",
                                                        "training step"};
    return std::string(kModes[static_cast<std::size_t>(config.mode) % kModes.size()])
        .append(", ")
        .append(executionWords(config.execution));
}

std::string_view ending(const RunInfo& info) {
    const std::string state = info.get("state");
    return state == run_state::kFailed    ? "the run failed"
           : state == run_state::kStopped ? "the run was stopped"
                                          : "";
}

std::string deviceText(const RunInfo& info, const Result<RunConfig>& config) {
    const std::string device = info.get("device.name");
    return device.empty() && config ? config->device : device;
}

}  // namespace

std::string versionsText(const std::function<std::string(const char*)>& known) {
    std::string versions;
    for (const auto& [key, name] :
         {std::pair{"torch.version", "LibTorch "}, std::pair{"cuda.runtime", "CUDA "},
          std::pair{"warpglass.version", "Warpglass "}}) {
        if (const std::string version = known(key); !version.empty())
            append(versions, name + version, ", ");
    }
    return versions;
}

std::string runCaption(const RunInfo& info) {
    const auto config = configFromPairs(info.pairs());
    std::string text;
    if (config) {
        append(text, modelText(*config), kDot);
        append(text, precisionName(config->precision), kDot);
        append(text, attentionText(*config, info.get("attention.backend")), kDot);
        append(text, modeText(*config), kDot);
    }
    append(text, deviceText(info, config), kDot);

    append(text, versionsText([&info](const char* key) { return info.get(key); }), kDot);
    // "2026-11-21T17:12:03Z": the day is enough.
    append(text, info.get("time.started").substr(0, 10), kDot);
    append(text, ending(info), kDot);
    return text;
}

}  // namespace warpglass
