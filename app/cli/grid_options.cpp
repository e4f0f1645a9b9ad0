#include "app/cli/grid_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <variant>

#include "app/cli/config_options.h"
#include "app/cli/console.h"
#include "engine/base/kernel_files.h"
#include "engine/sweep/grid.h"

namespace warpglass::cli {
namespace {

std::vector<std::string> partsOf(const Setting& setting, const std::string& text) {
    if (std::holds_alternative<SomeOf>(setting.kind))
        return {text};
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        parts.emplace_back(trimmed(std::string_view(text).substr(at, comma - at)));
        at = comma + 1;
    }
    return parts;
}

}  // namespace

void GridOptions::take(const Setting& setting, const std::vector<std::string>& texts) {
    const std::string name = "--" + std::string(setting.key);
    std::vector<std::string> values;
    for (const std::string& text : texts) {
        for (const std::string& part : partsOf(setting, text))
            values.push_back(written(setting, name, part));
    }
    Result<SweepAxis> axis = sweepAxis(setting.key, values);
    if (!axis)  // whose sentence begins with the key
        throw CLI::ValidationError(name, axis.message().substr(setting.key.size() + 2));
    m_given[&setting] = std::move(*axis);
}

void GridOptions::addTo(CLI::App& command) {
    m_command = &command;
    const RunConfig usual;
    for (const Setting& setting : settings()) {
        const auto given = [this, &setting](const std::vector<std::string>& texts) { take(setting, texts); };
        CLI::Option* option = command
                                  .add_option_function<std::vector<std::string>>(
                                      "--" + std::string(setting.key), given, helpOf(setting))
                                  ->type_name(std::string(valueName(setting)) + ",…")
                                  ->group(groupOf(setting))
                                  ->allow_extra_args(false);
        if (!isSize(setting) && !std::holds_alternative<SizeLimit>(setting.kind))
            option->default_str(std::holds_alternative<SomeOf>(setting.kind) ? "all" : setting.text(usual));
        m_options[&setting] = option;
    }
}

std::vector<SweepAxis> GridOptions::given() const {
    std::vector<SweepAxis> axes;
    for (const auto& [setting, axis] : m_given)
        axes.push_back(axis);
    return axes;
}

bool GridOptions::fill(SweepPlan& plan) const {
    const auto model = m_given.find(findSetting("model"));
    const bool severalModels = model != m_given.end() && model->second.values.size() > 1;
    std::vector<std::pair<std::size_t, SweepAxis>> axes;
    const std::vector<CLI::Option*>& order = m_command->parse_order();
    bool anySize = false;
    for (const auto& [setting, axis] : m_given) {
        anySize = anySize || isSize(*setting);
        if (axis.values.size() == 1 && !(severalModels && isSize(*setting))) {
            static_cast<void>(setting->take(axis.values.front(), plan.base));  // sweepAxis() has tried it
            continue;
        }
        const auto place = std::ranges::find(order, m_options.at(setting)) - order.begin();
        axes.emplace_back(static_cast<std::size_t>(place), axis);
    }
    std::ranges::stable_sort(axes, [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [place, axis] : axes)
        plan.axes.push_back(std::move(axis));
    bool applies = true;
    for (const auto& [setting, axis] : m_given) {
        if (const auto problem = workloadProblem(plan, *setting)) {
            say("--" + std::string(setting->key) + ": " + *problem);
            applies = false;
        }
    }
    if (!applies)
        return false;
    if (const auto preset = presetShape(plan.base.model); preset && anySize && plan.base.shape != *preset)
        plan.base.model = std::string(kCustomModel);
    const bool isCustom = model != m_given.end() &&
                          std::ranges::find(model->second.values, kCustomModel) != model->second.values.end();
    return !isCustom || hasCustomSizes([this](const Setting* setting) { return m_given.contains(setting); });
}

}  // namespace warpglass::cli
