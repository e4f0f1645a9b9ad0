#include "app/cli/config_options.h"

#include <CLI/CLI.hpp>
#include <variant>

#include "app/cli/console.h"
#include "app/cli/number_option.h"

namespace warpglass::cli {
namespace {

template <class Kind>
bool is(const Setting& setting) {
    return std::holds_alternative<Kind>(setting.kind);
}

}  // namespace

/// Whether it is a size of a model, which may be a preset that has it.
bool isSize(const Setting& setting) {
    return setting.panel.part == PanelPart::kSizes && setting.appliesTo != AppliesTo::kAttention;
}

const char* groupOf(const Setting& setting) {
    return is<ModelName>(setting) || isSize(setting) ? "Model" : "Run";
}

const char* valueName(const Setting& setting) {
    return is<OneOf>(setting)                               ? "WORD"
           : is<SomeOf>(setting) || is<OwnKernels>(setting) ? "WORDS"
           : is<ModelName>(setting)                         ? "NAME"
           : is<DeviceName>(setting)                        ? "ID"
           : is<SizeLimit>(setting)                         ? "SIZE"
                                                            : "N";
}

std::string helpOf(const Setting& setting) {
    std::string words;
    if (is<OwnKernels>(setting))
        words = ": library, fused";
    const auto add = [&words](std::string_view word) {
        words.append(words.empty() ? ": " : ", ").append(word);
    };
    for (const Choice& choice : setting.choices())
        add(choice.word);
    if (is<ModelName>(setting)) {
        for (const ModelPreset& preset : modelPresets())
            add(preset.name);
        words += "; or custom, with the sizes below";
    }
    if (is<SomeOf>(setting))
        words += "; or all, or none";
    return std::string(setting.help) + words;
}

std::string written(const Setting& setting, const std::string& option, const std::string& text) {
    if (const auto* number = std::get_if<WholeNumber>(&setting.kind))
        return std::to_string(
            parseNumber<std::int64_t>(option, text, {.least = number->least, .checked = false}));
    if (is<AnyNumber>(setting))
        return std::to_string(parseNumber<std::uint64_t>(option, text));
    if (is<SizeLimit>(setting))
        return std::to_string(parseSize(option, text).value);
    return text;
}

bool hasCustomSizes(const std::function<bool(const Setting*)>& isGiven) {
    for (const char* key : {"d-model", "d-ff", "layers", "heads"}) {
        if (!isGiven(findSetting(key)))
            return refuse("A custom model needs its sizes: give --d-model, --d-ff, --layers and --heads.");
    }
    return true;
}

void ConfigOptions::take(const Setting& setting, const std::string& text) {
    RunConfig tried;
    if (const Status taken = setting.take(text, tried); !taken)
        throw CLI::ValidationError("--" + std::string(setting.key), taken.message());
    m_given[&setting] = text;
}

void ConfigOptions::addTo(CLI::App& command, Settings which) {
    for (const Setting& setting : settings()) {
        if (which == Settings::kPlanned && !setting.planned)
            continue;
        const std::string name = "--" + std::string(setting.key);
        const auto given = [this, &setting, name](const std::string& text) {
            take(setting, written(setting, name, text));
        };
        CLI::Option* option = command.add_option_function<std::string>(name, given, helpOf(setting))
                                  ->type_name(valueName(setting))
                                  ->group(groupOf(setting));
        if (is<SizeLimit>(setting))
            option->option_text("SIZE=" + setting.text(m_usual));
        else if (!isSize(setting))
            option->default_str(is<SomeOf>(setting) ? "all" : setting.text(m_usual));
    }
}

std::optional<ValidConfig> ConfigOptions::resolve() const {
    RunConfig config = m_usual;
    bool anySize = false, applies = true;
    // In the table's order the workload, on which it depends what applies, comes first, and the model, which
    // brings its sizes, before them.
    for (const auto& [setting, text] : m_given) {
        if (const auto problem = setting->workloadProblem(config)) {
            say("--" + std::string(setting->key) + ": " + *problem);
            applies = false;
        }
        static_cast<void>(setting->take(text, config));  // take() has tried it
        anySize = anySize || isSize(*setting);
    }
    if (!applies)
        return std::nullopt;
    if (config.isAttention()) {
        // It has no model.
    } else if (config.model == kCustomModel) {
        if (!hasCustomSizes([this](const Setting* setting) { return m_given.contains(setting); }))
            return std::nullopt;
    } else if (const auto preset = presetShape(config.model); preset && anySize && config.shape != *preset) {
        config.model = std::string(kCustomModel);
    }
    std::vector<ConfigProblem> problems;
    std::optional<ValidConfig> valid = ValidConfig::of(std::move(config), &problems);
    for (const ConfigProblem& problem : problems)
        say("--" + problem.field + ": " + problem.sentence);
    return valid;
}

}  // namespace warpglass::cli
