#include "engine/report/repeat_commands.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "engine/plan/settings.h"

namespace warpglass {
namespace {

void add(std::string& command, std::string_view key, std::string_view value) {
    command += " --" + std::string(key) + " " + shellWord(value);
}

/// Every digit, as a time limit is read.
std::string secondsInFull(Nanoseconds time) {
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), static_cast<double>(time.value) / 1e9).ptr;
    return std::string(text.data(), end);
}

/// What a run has otherwise than one that is told only what comes before: a workload and a preset bring
/// values of their own.
void addSettings(std::string& command, const RunConfig& config, const std::vector<SweepAxis>& axes) {
    const auto isAxis = [&](std::string_view key) {
        return std::any_of(axes.begin(), axes.end(),
                           [key](const SweepAxis& axis) { return axis.key == key; });
    };
    RunConfig told;
    for (const Setting& setting : settings()) {
        // Of several models each has its own sizes.
        const bool isOfModels = setting.panel.part == PanelPart::kSizes && isAxis("model");
        if (isAxis(setting.key) || isOfModels || !setting.applies(config))
            continue;
        const std::string value = setting.text(config);
        if (value == setting.text(told))
            continue;
        add(command, setting.key, value);
        // What a run's file may have and no option takes, the command says when it is run.
        if (!setting.take(value, told))
            continue;
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
    if (plan.timeLimit != SweepPlan().timeLimit)
        add(command, "time-limit", secondsInFull(plan.timeLimit) + "s");
    if (!plan.runFolder.empty())
        add(command, "keep-runs", plan.runFolder.string());
    if (plan.memorySnapshots)
        command += " --memory-snapshots";
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

std::string repeatedName(const std::filesystem::path& path) {
    const std::filesystem::path named = path.has_filename() ? path : path.parent_path();
    return named.stem().string() + "-again" + named.extension().string();
}

}  // namespace warpglass
