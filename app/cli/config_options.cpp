#include "app/cli/config_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/console.h"
#include "app/cli/number_option.h"

namespace warpglass::cli {
namespace {

/// What a configuration may have is validate()'s to say, every problem in a sentence of its own.
constexpr NumberRange<std::int64_t> numberFrom(std::int64_t least) {
    return {.least = least, .checked = false};
}

template <class Names>
std::string joined(const Names& names) {
    std::string text;
    for (const std::string_view name : names)
        text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

std::string presetList() {
    std::string text;
    for (const ModelPreset& preset : modelPresets())
        text += (text.empty() ? "" : ", ") + std::string(preset.name);
    return text;
}

/// An option that takes one of an enumeration's words; the parser's sentence is the message.
template <class Enum, class Names>
void addWordOption(CLI::App& command, const std::string& name, Enum& to,
                   Result<Enum> (*parse)(std::string_view), const Names& names, const std::string& what) {
    const auto take = [&to, parse, name](const std::string& word) {
        const Result<Enum> parsed = parse(word);
        if (!parsed)
            throw CLI::ValidationError(name, parsed.message());
        to = *parsed;
    };
    command.add_option_function<std::string>(name, take, what + ": " + joined(names))
        ->type_name("WORD")
        ->default_str(std::string(names[static_cast<std::size_t>(to)]))
        ->group("Run");
}

}  // namespace

void ConfigOptions::addModelOptions(CLI::App& command) {
    command
        .add_option("--model", config.model, "Preset: " + presetList() + "; or custom, with the sizes below")
        ->type_name("NAME")
        ->capture_default_str()
        ->group("Model");
    const auto addSize = [&command](const char* name, std::optional<std::int64_t>& to, const char* what) {
        addNumberOption(command, name, to, what, numberFrom(1))->group("Model");
    };
    addSize("--d-model", dModel, "Model width, in place of the preset's");
    addSize("--d-ff", dFf, "Feed-forward width, in place of the preset's");
    addSize("--layers", layers, "Number of layers, in place of the preset's");
    addSize("--heads", heads, "Number of attention heads, in place of the preset's");
    addSize("--vocab", vocabulary, "Vocabulary, in place of the preset's");

    addNumberOption(command, "--context", config.context, "Context length in tokens", numberFrom(1))
        ->group("Run");
    addNumberOption(command, "--batch", config.batch, "Sequences in a batch", numberFrom(1))->group("Run");
    addWordOption(command, "--precision", config.precision, &parsePrecision, kPrecisionNames, "Precision");
    addWordOption(command, "--attention", config.attention, &parseAttention, kAttentionNames,
                  "Attention variant");
    addWordOption(command, "--mode", config.mode, &parseMode, kModeNames, "What a step does");
    addWordOption(command, "--execution", config.execution, &parseExecution, kExecutionNames,
                  "How a step is run, op by op or replayed as one CUDA graph");
}

void ConfigOptions::addProtocolOptions(CLI::App& command) {
    command.add_option("--device", config.device, "Device that runs it, as `warpglass-cli devices` names it")
        ->type_name("ID")
        ->capture_default_str()
        ->group("Run");
    const auto takeLimit = [this](const std::string& text) {
        config.memoryLimit = parseSize("--memory-limit", text);
    };
    command
        .add_option_function<std::string>(
            "--memory-limit", takeLimit,
            "What LibTorch may take of the GPU's memory at most, as in 16GiB; 0 for all there is")
        ->option_text("SIZE=0")
        ->group("Run");
    const auto takeRecorded = [this](const std::string& text) {
        const Result<Recorded> recorded = parseRecorded(text);
        if (!recorded)
            throw CLI::ValidationError("--record", recorded.message());
        config.recorded = *recorded;
    };
    command
        .add_option_function<std::string>(
            "--record", takeRecorded,
            "What is recorded, with commas between: ops, memory, kernels, calls, waits; or all, or none")
        ->type_name("WORDS")
        ->default_str("all")
        ->group("Run");
    addNumberOption(command, "--warmup", config.warmup,
                    "Warm-up steps: recorded, but not counted as measured", numberFrom(0))
        ->group("Run");
    addNumberOption(command, "--steps", config.steps, "Measured steps", numberFrom(0))->group("Run");
    addNumberOption(command, "--seed", config.seed,
                    "Seed of the weights and the input; the same seed gives the same losses")
        ->group("Run");
}

std::optional<RunConfig> ConfigOptions::resolve() const {
    RunConfig resolved = config;
    const bool anySize = dModel || dFf || layers || heads || vocabulary;
    if (config.model == "custom") {
        if (!dModel || !dFf || !layers || !heads) {
            say("A custom model needs its sizes: give --d-model, --d-ff, --layers and --heads.");
            return std::nullopt;
        }
    } else {
        const Result<ModelShape> preset = presetShape(config.model);
        if (!preset) {
            say(preset.message());
            return std::nullopt;
        }
        resolved.shape = *preset;
    }
    const ModelShape base = resolved.shape;
    resolved.shape.dModel = dModel.value_or(base.dModel);
    resolved.shape.dFf = dFf.value_or(base.dFf);
    resolved.shape.layers = layers.value_or(base.layers);
    resolved.shape.heads = heads.value_or(base.heads);
    resolved.shape.vocabulary = vocabulary.value_or(base.vocabulary);
    if (anySize && resolved.shape != base)
        resolved.model = "custom";

    const std::vector<ConfigProblem> problems = validate(resolved);
    for (const ConfigProblem& problem : problems)
        say("--" + problem.field + ": " + problem.sentence);
    if (!problems.empty())
        return std::nullopt;
    return resolved;
}

}  // namespace warpglass::cli
