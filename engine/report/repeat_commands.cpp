#include "engine/report/repeat_commands.h"

#include <algorithm>
#include <cctype>

#include "engine/plan/settings.h"

namespace warpglass {
namespace {

void add(std::string& command, std::string_view key, std::string_view value) {
    command += " --" + std::string(key) + " " + shellWord(value);
}

/// A preset brings its sizes; naming one of them would make the model a custom one.
bool isOfPreset(const Setting& setting, const RunConfig& config) {
    return setting.panel.part == PanelPart::kSizes && config.model != kCustomModel;
}

void addSettings(std::string& command, const RunConfig& config, const std::vector<SweepAxis>& axes) {
    for (const Setting& setting : settings()) {
        const bool isAxis = std::any_of(axes.begin(), axes.end(),
                                        [&](const SweepAxis& axis) { return axis.key == setting.key; });
        if (!isAxis && setting.applies(config) && !isOfPreset(setting, config) && !setting.isUsual(config))
            add(command, setting.key, setting.text(config));
    }
}

void addAxes(std::string& command, const std::vector<SweepAxis>& axes) {
    for (const SweepAxis& axis : axes) {
        std::string list;
        for (const std::string& value : axis.values)
            list += (list.empty() ? "" : ",") + value;
        add(command, axis.key, list);
    }
}

}  // namespace

std::string shellWord(std::string_view word) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("_./:,=+-@%").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), plain))
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

std::string runCommand(const RunConfig& config, std::string_view output) {
    std::string command = "warpglass-cli run";
    addSettings(command, config, {});
    add(command, "output", output);
    return command;
}

std::string sweepCommand(const SweepPlan& plan, std::string_view output) {
    std::string command = "warpglass-cli sweep";
    addSettings(command, plan.base, plan.axes);
    addAxes(command, plan.axes);
    if (plan.repeats > 1)
        add(command, "repeats", std::to_string(plan.repeats));
    if (plan.order == CellOrder::kGrid)
        add(command, "order", "grid");
    if (plan.order == CellOrder::kShuffled) {
        add(command, "order", "shuffled");
        add(command, "shuffle-seed", std::to_string(plan.shuffleSeed));
    }
    if (plan.tooLarge == TooLarge::kTry)
        add(command, "too-large", "try");
    add(command, "output", output);
    return command;
}

std::string experimentCommand(const ExperimentRequest& request, std::string_view output) {
    std::string command = "warpglass-cli experiment " + std::string(request.experiment->name);
    if (request.options.onGpu())
        add(command, "device", request.options.device);
    addAxes(command, request.options.given);
    add(command, "output", output);
    return command;
}

}  // namespace warpglass
